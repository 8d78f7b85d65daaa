// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/read/arguments.h"

#include "core/base/text.h"
#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::formats::pt2 {

namespace {

/// The kinds of lists, each with the kind of its items.
constexpr std::pair<std::string_view, std::string_view> listKinds[] = {
    {"as_tensors", "as_tensor"},     {"as_optional_tensors", "as_optional_tensor"},
    {"as_ints", "as_int"},           {"as_floats", "as_float"},
    {"as_bools", "as_bool"},         {"as_strings", "as_string"},
    {"as_sym_ints", "as_sym_int"},   {"as_sym_floats", "as_sym_float"},
    {"as_sym_bools", "as_sym_bool"}, {"as_int_lists", "as_ints"},
    {"as_float_lists", "as_floats"}, {"as_nested_tensors", "as_tensors"},
};

std::string_view itemKind(std::string_view kind)
{
    const auto *found = std::ranges::find(listKinds, kind, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(listKinds) ? std::string_view() : found->second;
}

template <class T>
std::optional<ir::Operand> operand(const std::optional<T> &value)
{
    return value ? std::optional<ir::Operand>(*value) : std::nullopt;
}

/// Returns the enumerator of torch with this number.
std::optional<ir::Operand> enumerator(std::string_view kind, std::int64_t number)
{
    constexpr auto numbering = ir::Numbering::ExportedProgram;
    if (kind == "as_scalar_type")
        return operand(ir::dtypeFromNumber(number, numbering));
    if (kind == "as_layout")
        return operand(ir::layoutFromNumber(number, numbering));
    return kind == "as_memory_format" ? operand(ir::memoryFormatFromNumber(number, numbering)) : std::nullopt;
}

} // namespace

std::optional<std::pair<std::string_view, Json>> unionMember(Json json)
{
    std::optional<std::pair<std::string_view, Json>> member;
    int count = 0;
    json.forEachMember([&](std::string_view key, Json value) {
        member = {key, value};
        ++count;
    });
    return count == 1 ? member : std::nullopt;
}

ir::OpId operatorOf(ir::Context &context, std::string_view target)
{
    static constexpr std::string_view ops = "torch.ops.";
    if (target.starts_with('#')) {
        const std::size_t colon = target.find(':');
        if (colon != target.npos)
            return context.op(target.substr(1, colon - 1), target.substr(colon + 1));
    }
    if (!target.starts_with(ops)) {
        const std::size_t dot = target.rfind('.');
        return dot == target.npos ? context.op("python", target)
                                  : context.op(target.substr(0, dot), target.substr(dot + 1));
    }
    target.remove_prefix(ops.size());
    const std::size_t first = target.find('.');
    const std::size_t last = target.rfind('.');
    if (first == target.npos)
        return context.op("torch.ops", target);
    if (first == last)
        return context.op(target.substr(0, first), target.substr(first + 1));
    return context.op(target.substr(0, first), target.substr(first + 1, last - first - 1), target.substr(last + 1));
}

ir::Operand ArgumentReader::read(Json argument, std::string_view where) const
{
    const auto member = unionMember(argument);
    if (!member)
        m_reading.fail("an argument was expected to have exactly one kind, found " + argument.print().substr(0, 120),
                       std::string(where));
    const auto &[kind, value] = *member;
    if (const std::string_view item = itemKind(kind); !item.empty())
        return list(item, value, where);
    if (kind == "as_none")
        return ir::None{};
    if (kind == "as_tensor" || kind == "as_custom_obj" || kind == "as_token" || kind == "as_optional_tensor")
        return tensor(value, where);
    if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool")
        return number(kind, value, where);
    if (kind == "as_string_to_argument")
        return dict(value, where);
    if (auto read = constant(kind, value))
        return std::move(*read);
    return unknown(kind, value, where);
}

ir::Operand ArgumentReader::value(std::string_view name, std::string_view where) const
{
    const auto found = m_names.find(name);
    if (found == m_names.end())
        m_reading.fail("it reads the value \"" + sanitized(name) + "\", which nothing before it makes",
                       std::string(where));
    return found->second;
}

/// Reads {"name": …}; an optional tensor is {"as_tensor": {"name": …}} or {"as_none": …}, up to schema 3
/// {"as_tensor": "name"}.
ir::Operand ArgumentReader::tensor(Json json, std::string_view where) const
{
    if (const auto name = json.text())
        return value(*name, where);
    if (const auto name = json["name"].text())
        return value(*name, where);
    const auto member = unionMember(json);
    if (member && member->first == "as_tensor" && member->second.exists())
        return tensor(member->second, where);
    if (member && member->first == "as_none")
        return ir::None{};
    wrongKind("a tensor", json, where);
}

/// Reads {"as_name": …} or the number itself.
ir::Operand ArgumentReader::number(std::string_view kind, Json json, std::string_view where) const
{
    const auto member = unionMember(json);
    if (member && member->first == "as_name" && member->second.text())
        return value(*member->second.text(), where);
    if (member)
        if (auto read = constant(member->first, member->second))
            return std::move(*read);
    wrongKind(kind.substr(3), json, where);
}

ir::Operand ArgumentReader::list(std::string_view kind, Json items, std::string_view where) const
{
    if (!items.isArray())
        wrongKind("a list", items, where);
    ir::List list;
    items.forEach([&](Json item) {
        if (const std::string_view inner = itemKind(kind); !inner.empty())
            list.items.push_back(this->list(inner, item, where));
        else if (kind == "as_tensor" || kind == "as_optional_tensor")
            list.items.push_back(tensor(item, where));
        else if (kind.starts_with("as_sym_"))
            list.items.push_back(number(kind, item, where));
        else if (auto read = constant(kind, item))
            list.items.push_back(std::move(*read));
        else
            wrongKind(kind.substr(3), item, where);
    });
    return list;
}

ir::Operand ArgumentReader::dict(Json members, std::string_view where) const
{
    ir::Dict dict;
    members.forEachMember([&](std::string_view key, Json value) {
        dict.items.push_back(ir::String{m_reading.name(key)});
        dict.items.push_back(read(value, where));
    });
    return dict;
}

std::optional<ir::Operand> ArgumentReader::constant(std::string_view kind, Json value) const
{
    if (kind == "as_int")
        return operand(value.integer());
    if (kind == "as_float")
        return operand(value.number());
    if (kind == "as_bool")
        return operand(value.boolean());
    if (kind == "as_string" && value.text())
        return ir::String{m_reading.name(*value.text())};
    if (kind == "as_operator" && value.text())
        return operatorOf(m_reading.context(), *value.text());
    if (kind == "as_device")
        return operand(m_types.device(value));
    if (kind == "as_complex" && value.isObject())
        return std::complex<double>(value["real"].number().value_or(0), value["imag"].number().value_or(0));
    const auto number = value.integer();
    return number ? enumerator(kind, *number) : std::nullopt;
}

ir::Operand ArgumentReader::unknown(std::string_view kind, Json value, std::string_view where) const
{
    m_reading.notes.warning("pt2.argument",
                            sanitized(where) + ": an argument of the kind " + sanitized(kind)
                                + " is not known to this version and is shown as its JSON text");
    std::string text = sanitized(kind) + " " + value.print();
    return ir::String{m_reading.name(text)};
}

void ArgumentReader::wrongKind(std::string_view wanted, Json value, std::string_view where) const
{
    m_reading.fail(std::string(wanted) + " was expected, found " + value.print().substr(0, 120), std::string(where));
}

} // namespace cutaway::formats::pt2
