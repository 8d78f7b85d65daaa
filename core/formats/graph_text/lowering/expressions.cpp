// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The IR has no slices: `x[1:n]` becomes {"start": 1, "stop": n}, without the parts that are None, and the ellipsis
// becomes "...".
#include "core/formats/graph_text/lowering/expressions.h"

#include "core/base/overloaded.h"
#include "core/formats/notes/notes.h"
#include "core/formats/python/torch_arguments.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::formats::graph_text {

namespace {

constexpr std::string_view ellipsis = "...";

/// Returns the index after the colon of "cuda:1".
std::optional<int> deviceIndex(std::string_view text)
{
    int index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(index) : std::nullopt;
}

} // namespace

std::optional<ir::OpId> torchOperator(ir::Context &context, std::string_view name)
{
    constexpr std::string_view ops = "torch.ops.";
    if (!name.starts_with(ops))
        return std::nullopt;
    name.remove_prefix(ops.size());
    const std::size_t first = name.find('.');
    if (first == name.npos)
        return std::nullopt;
    const std::string_view dialect = name.substr(0, first);
    name.remove_prefix(first + 1);
    const std::size_t last = name.rfind('.');
    return last == name.npos ? context.op(dialect, name)
                             : context.op(dialect, name.substr(0, last), name.substr(last + 1));
}

ir::Operand Expressions::operand(const python::Tree &tree, ExpressionId id)
{
    const python::Expression &expression = tree.at(id);
    return std::visit(
        Overloaded{
            [&](const python::Literal &value) { return literal(value); },
            [&](const python::Name &value) { return name(tree, expression, value.text); },
            [&](const python::Attribute &) -> ir::Operand {
                const auto dotted = globalName(tree, id);
                return dotted ? global(*dotted) : text(tree.textOf(id));
            },
            [&](const python::Call &) { return call(tree, id); },
            [&](const python::Slice &value) { return slice(tree, {value.start, value.stop, value.step}); },
            [&](const python::List &value) { return list(tree, value.items, ir::List::Kind::List); },
            [&](const python::Tuple &value) { return list(tree, value.items, ir::List::Kind::Tuple); },
            [&](const python::Dict &value) { return dict(tree, value); },
            [&](const python::Unary &value) { return negative(tree, id, value); },
            [&](const auto &) -> ir::Operand {
                unusable("found " + shown(tree.textOf(id)) + ", expected an argument that torch.fx prints");
            },
        },
        expression.kind);
}

ir::Operand Expressions::literal(const python::Literal &literal)
{
    return std::visit(Overloaded{
                          [](python::NoneLiteral) -> ir::Operand { return ir::None{}; },
                          [&](python::EllipsisLiteral) { return text(ellipsis); },
                          [&](python::StringLiteral value) { return text(value.bytes); },
                          [](auto value) -> ir::Operand { return value; },
                      },
                      literal);
}

ir::Operand Expressions::name(const python::Tree &tree, const python::Expression &expression, std::string_view name)
{
    const std::uint32_t offset = expression.position.offset;
    const bool isValue = m_isListing ? offset > 0 && tree.source[offset - 1] == '%' : m_names.isDefined(name);
    if (isValue)
        return m_names.operandNamed(name);
    constexpr std::array<std::string_view, 5> types{"int", "float", "bool", "complex", "str"};
    if (std::ranges::contains(types, name))
        return text(name);
    if (name == "inf" || name == "nan")
        return *python::constantNamed("math." + std::string(name));
    return m_isListing ? global(name) : m_names.operandNamed(name);
}

ir::Operand Expressions::global(std::string_view name)
{
    if (const auto constant = python::constantNamed(name))
        return *constant;
    if (const auto op = torchOperator(m_context, name))
        return *op;
    return text(name);
}

std::optional<std::string> Expressions::globalName(const python::Tree &tree, ExpressionId id) const
{
    auto dotted = python::dottedName(tree, id);
    if (!dotted || dotted->starts_with("self."))
        return std::nullopt;
    const std::string_view root = std::string_view(*dotted).substr(0, dotted->find('.'));
    return m_names.isDefined(root) ? std::nullopt : std::move(dotted);
}

std::optional<std::string> Expressions::pathFromSelf(const python::Tree &tree, ExpressionId id)
{
    auto dotted = python::dottedName(tree, id);
    constexpr std::string_view self = "self.";
    if (!dotted || !dotted->starts_with(self))
        return std::nullopt;
    return dotted->substr(self.size());
}

/// Returns a value that is printed as a call: `device(type='cuda')`, `slice(None, 3, None)`, `torch.Size([2, 3])`.
ir::Operand Expressions::call(const python::Tree &tree, ExpressionId id)
{
    const auto &call = std::get<python::Call>(tree.at(id).kind);
    const std::string callee = globalName(tree, call.callee).value_or("");
    const auto at = [&](std::size_t i) {
        return i < call.arguments.size() ? std::optional(call.arguments[i].value) : std::nullopt;
    };
    if (callee == "device" || callee == "torch.device")
        return device(tree, call);
    if (callee == "slice" && call.arguments.size() <= 3 && !call.arguments.empty())
        return call.arguments.size() == 1 ? slice(tree, {{}, at(0), {}}) : slice(tree, {at(0), at(1), at(2)});
    if (callee == "torch.Size" && call.arguments.size() == 1)
        return operand(tree, *at(0));
    return text(tree.textOf(id));
}

ir::Operand Expressions::device(const python::Tree &tree, const python::Call &call)
{
    ir::Device device;
    for (const python::Argument &argument : call.arguments) {
        const ir::Operand value = operand(tree, argument.value);
        if (const auto *kind = value.as<ir::String>()) {
            const std::string_view name = m_context.text(kind->text);
            const std::size_t colon = std::min(name.find(':'), name.size());
            if (colon < name.size())
                device.index = deviceIndex(name.substr(colon + 1));
            device.kind = m_context.name(name.substr(0, colon));
        } else if (const auto *index = value.as<std::int64_t>()) {
            device.index = static_cast<int>(std::clamp<std::int64_t>(*index, -1, 1 << 20));
        }
    }
    return device;
}

ir::Operand Expressions::slice(const python::Tree &tree, const std::optional<ExpressionId> (&parts)[3])
{
    constexpr std::array<std::string_view, 3> names{"start", "stop", "step"};
    ir::Dict dict;
    for (std::size_t i = 0; i < names.size(); ++i) {
        ir::Operand value = parts[i] ? operand(tree, *parts[i]) : ir::None{};
        if (value.as<ir::None>())
            continue;
        dict.items.push_back(text(names[i]));
        dict.items.push_back(std::move(value));
    }
    return dict;
}

/// Returns the value of `-inf`. A finite number has its minus in its literal.
ir::Operand Expressions::negative(const python::Tree &tree, ExpressionId id, const python::Unary &unary)
{
    const ir::Operand value = operand(tree, unary.operand);
    const auto *number = value.as<double>();
    if (unary.op != "-" || !number)
        unusable("found " + shown(tree.textOf(id)) + ", expected an argument that torch.fx prints");
    return -*number;
}

ir::Operand Expressions::list(const python::Tree &tree, const std::vector<ExpressionId> &items, ir::List::Kind kind)
{
    std::vector<ir::Operand> operands;
    operands.reserve(items.size());
    for (const ExpressionId item : items)
        operands.push_back(operand(tree, item));
    return ir::List{std::move(operands), kind};
}

ir::Operand Expressions::dict(const python::Tree &tree, const python::Dict &dict)
{
    ir::Dict made;
    for (const auto &[key, value] : dict.entries) {
        const auto *name = std::get_if<python::Name>(&tree.at(key).kind);
        made.items.push_back(name && m_isListing ? text(name->text) : operand(tree, key));
        made.items.push_back(operand(tree, value));
    }
    return made;
}

} // namespace cutaway::formats::graph_text
