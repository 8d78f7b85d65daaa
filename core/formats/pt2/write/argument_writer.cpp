// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/write/argument_writer.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/formats/pt2/read/arguments.h"
#include "core/formats/pt2/write/type_writer.h"
#include "core/formats/unusable.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cutaway::formats::pt2 {

namespace {

std::string member(std::string_view kind, std::string_view json) { return formatted(R"({{"{}":{}}})", kind, json); }

bool isPythonModule(std::string_view dialect)
{
    return dialect == "_operator" || dialect == "math" || dialect == "torch" || dialect == "builtins"
        || dialect.contains('.');
}

bool isNumberKind(std::string_view kind) { return kind.starts_with("as_sym_"); }

} // namespace

std::string targetOf(const ir::Context &context, ir::OpId id)
{
    const ir::Operator &op = context.at(id);
    const std::string_view dialect = context.text(op.dialect), name = context.text(op.name);
    if (dialect == "python" || dialect == "torch.ops")
        return (dialect == "python" ? "" : "torch.ops.") + std::string(name);
    if (isPythonModule(dialect))
        return formatted("{}.{}", dialect, name);
    const std::string_view overload = context.text(op.overload);
    const bool isPlain = overload.empty() && dialect == "higher_order";
    return formatted("torch.ops.{}.{}{}{}", dialect, name, isPlain ? "" : ".",
                     overload.empty() && !isPlain ? "default" : overload);
}

std::string ArgumentWriter::write(const ir::Operand &operand, std::string_view kind, const std::string &where) const
{
    if (const auto *id = operand.as<ir::ValueId>())
        return value(*id, kind);
    if (const auto *items = operand.as<ir::List>())
        return list(*items, kind, where);
    if (const auto *members = operand.as<ir::Dict>())
        return member("as_string_to_argument", dict(*members, where));
    const std::string_view own = kindOf(operand);
    if (own.empty())
        unwritable("an argument is of a kind that the schema of torch.export does not have", where);
    if (isNumberKind(kind))
        return member(kind, member(own, item(operand, own, where)));
    return member(own, item(operand, own, where));
}

std::string_view ArgumentWriter::valueKind(ir::ValueId id) const
{
    const ir::Type &type = ir::ValueRef(m_graph, id).type();
    if (const auto *number = std::get_if<ir::NumberType>(&type))
        return number->kind == ir::NumberType::Kind::Float ? "as_sym_float"
            : number->kind == ir::NumberType::Kind::Bool   ? "as_sym_bool"
                                                           : "as_sym_int";
    return std::holds_alternative<ir::ClassType>(type) ? "as_custom_obj" : "as_tensor";
}

std::string ArgumentWriter::value(ir::ValueId id, std::string_view kind) const
{
    const ir::Type &type = ir::ValueRef(m_graph, id).type();
    if (type == ir::Type(ir::PlainType{ir::PlainType::Kind::None}))
        return member("as_none", "true");
    const bool isUntyped = std::holds_alternative<ir::UnknownType>(type);
    const std::string_view own = isUntyped && isNumberKind(kind) && !kind.ends_with('s') ? kind : valueKind(id);
    const std::string name = quotedJson(m_nameOf(id));
    if (isNumberKind(own))
        return member(own, member("as_name", name));
    if (own == "as_custom_obj")
        return member(own,
                      formatted(R"({{"name":{},"class_fqn":{}}})", name,
                                quotedJson(m_context.text(std::get<ir::ClassType>(type).name))));
    const std::string tensor = member("name", name);
    if (kind == "as_optional_tensor")
        return member(kind, member("as_tensor", tensor));
    return member(kind == "as_token" ? kind : own, tensor);
}

/// Returns the member of the union for a constant; "" for a kind that the schema does not have.
std::string_view ArgumentWriter::kindOf(const ir::Operand &operand) const
{
    return std::visit(Overloaded{[](ir::None) -> std::string_view { return "as_none"; },
                                 [](std::int64_t) -> std::string_view { return "as_int"; },
                                 [](double) -> std::string_view { return "as_float"; },
                                 [](bool) -> std::string_view { return "as_bool"; },
                                 [](const std::complex<double> &) -> std::string_view { return "as_complex"; },
                                 [](const ir::String &) -> std::string_view { return "as_string"; },
                                 [](ir::DType) -> std::string_view { return "as_scalar_type"; },
                                 [](ir::Layout) -> std::string_view { return "as_layout"; },
                                 [](ir::MemoryFormat) -> std::string_view { return "as_memory_format"; },
                                 [](const ir::Device &) -> std::string_view { return "as_device"; },
                                 [](ir::OpId) -> std::string_view { return "as_operator"; },
                                 [&](ir::ValueId id) { return valueKind(id); },
                                 [](const auto &) -> std::string_view { return {}; }},
                      operand.v);
}

std::string ArgumentWriter::number(double x) const
{
    if (!std::isfinite(x)) {
        const std::string word = std::isnan(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity";
        return m_bareInfinity ? word : quotedJson(word);
    }
    std::array<char, 32> digits;
    std::string text(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr);
    return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

/// Returns the JSON that follows the kind of an operand: a constant, or a value in the form that lists use.
std::string ArgumentWriter::item(const ir::Operand &operand, std::string_view kind, const std::string &where) const
{
    if (const auto *id = operand.as<ir::ValueId>()) {
        const std::string name = quotedJson(m_nameOf(*id));
        return isNumberKind(kind) ? member("as_name", name) : member("name", name);
    }
    if (isNumberKind(kind))
        return member(kindOf(operand), item(operand, kindOf(operand), where));
    return std::visit(
        Overloaded{[](ir::None) -> std::string { return "true"; }, [](std::int64_t n) { return std::to_string(n); },
                   [&](double x) { return number(x); }, [](bool b) -> std::string { return b ? "true" : "false"; },
                   [&](const std::complex<double> &z) {
                       return formatted(R"({{"real":{},"imag":{}}})", number(z.real()), number(z.imag()));
                   },
                   [&](const ir::String &s) { return quotedJson(m_context.text(s.text)); },
                   [](ir::DType dtype) { return std::to_string(schemaNumber(dtype)); },
                   [](ir::Layout layout) { return std::to_string(schemaNumber(layout)); },
                   [](ir::MemoryFormat format) { return std::to_string(schemaNumber(format)); },
                   [&](const ir::Device &device) { return deviceJson(m_context, device); },
                   [&](ir::OpId op) { return quotedJson(targetOf(m_context, op)); },
                   [&](const auto &) -> std::string {
                       unwritable("a list has an item of a kind that the schema of torch.export does not have", where);
                   }},
        operand.v);
}

/// Returns the kind of a list: the wanted one if every item fits it, else the kind that the items have.
std::string_view ArgumentWriter::listKind(const ir::List &list, std::string_view wanted) const
{
    const auto are = [&](std::initializer_list<std::string_view> kinds) {
        return std::ranges::all_of(list.items,
                                   [&](const ir::Operand &i) { return std::ranges::contains(kinds, kindOf(i)); });
    };
    struct Row {
        std::string_view list;
        std::initializer_list<std::string_view> items;
    };
    static constexpr std::initializer_list<std::string_view> tensors{"as_tensor"};
    static constexpr std::initializer_list<std::string_view> optionals{"as_tensor", "as_none"};
    static constexpr std::initializer_list<std::string_view> ints{"as_int"}, floats{"as_float"}, bools{"as_bool"};
    static constexpr std::initializer_list<std::string_view> strings{"as_string"};
    static constexpr std::initializer_list<std::string_view> symInts{"as_int", "as_sym_int"};
    static constexpr std::initializer_list<std::string_view> symFloats{"as_float", "as_int", "as_sym_float"};
    static constexpr std::initializer_list<std::string_view> symBools{"as_bool", "as_sym_bool"};
    static constexpr Row rows[] = {
        {"as_tensors", tensors},      {"as_ints", ints},          {"as_floats", floats},
        {"as_bools", bools},          {"as_strings", strings},    {"as_sym_ints", symInts},
        {"as_sym_floats", symFloats}, {"as_sym_bools", symBools}, {"as_optional_tensors", optionals}};
    for (const Row &row : rows)
        if (row.list == wanted && are(row.items))
            return row.list;
    for (const Row &row : rows)
        if (are(row.items))
            return row.list;
    return {};
}

std::string ArgumentWriter::items(const ir::List &list, std::string_view itemKind, const std::string &where) const
{
    std::string json = "[";
    for (const ir::Operand &operand : list.items) {
        json += json.size() > 1 ? "," : "";
        if (itemKind != "as_optional_tensor")
            json += item(operand, itemKind, where);
        else
            json += operand.as<ir::None>() ? member("as_none", "true")
                                           : member("as_tensor", item(operand, "as_tensor", where));
    }
    return json + "]";
}

std::string ArgumentWriter::list(const ir::List &list, std::string_view kind, const std::string &where) const
{
    const auto isList = [](const ir::Operand &item) { return item.as<ir::List>() != nullptr; };
    if (!list.items.empty() && std::ranges::all_of(list.items, isList)) {
        std::string_view inner;
        std::string json = "[";
        for (const ir::Operand &operand : list.items) {
            const ir::List &row = *operand.as<ir::List>();
            inner = inner.empty() || !row.items.empty() ? listKind(row, inner) : inner;
            json += (json.size() > 1 ? "," : "") + items(row, inner.substr(0, inner.size() - 1), where);
        }
        return member(inner == "as_ints"         ? "as_int_lists"
                          : inner == "as_floats" ? "as_float_lists"
                                                 : "as_nested_tensors",
                      json + "]");
    }
    const std::string_view own =
        list.items.empty() && (kind.ends_with('s') || kind.ends_with("_lists")) ? kind : listKind(list, kind);
    if (own.empty())
        unwritable("a list has items of different kinds, which the schema of torch.export does not have", where);
    return member(own, items(list, own.substr(0, own.size() - 1), where));
}

std::string ArgumentWriter::dict(const ir::Dict &dict, const std::string &where) const
{
    std::string json = "{";
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
        const auto *key = dict.items[i].as<ir::String>();
        if (!key)
            unwritable("a dict has a key that is not a text", where);
        json += (json.size() > 1 ? "," : "") + quotedJson(m_context.text(key->text)) + ":"
            + write(dict.items[i + 1], {}, where);
    }
    return json + "}";
}

} // namespace cutaway::formats::pt2
