// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/custom_nodes.h"

#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ops/torch/signatures.h"

#include <algorithm>
#include <set>

// Tensors, and numbers that are not known before the model runs, are inputs of such a node; all else is an attribute.

namespace cutaway::convert {

namespace {

using ir::NodeRef;
using ir::Operand;
using rules::to_onnx::Lowered;
using rules::to_onnx::Lowering;
using rules::to_onnx::NewNode;

/// Returns a fact as an attribute, if it is known before the model runs: a number, a text, or a list of these; nothing
/// for others.
std::optional<Operand> attributeOf(ir::Context &context, const ops::Fact &fact)
{
    if (const auto *text = fact.as<ops::TextFact>())
        return ir::String{context.name(text->text)};
    if (const auto *dtype = fact.as<ir::DType>())
        return ir::String{context.name(ir::name(*dtype))};
    if (const auto *number = fact.as<ops::NumberFact>()) {
        if (number->kind == ops::NumberFact::Kind::Bool)
            return ops::asBool(fact).transform([](bool flag) { return Operand(std::int64_t{flag}); });
        if (number->kind == ops::NumberFact::Kind::Int) {
            const auto size = ops::asInt(fact);
            const auto whole = size ? ops::number(*size) : std::nullopt;
            return whole.transform([](std::int64_t value) { return Operand(value); });
        }
        return ops::asFloat(fact).transform([](double value) { return Operand(value); });
    }
    const auto *list = fact.as<ops::SequenceFact>();
    if (!list || !list->items())
        return std::nullopt;
    ir::List made;
    for (const ops::Fact &item : list->each()) {
        auto each = attributeOf(context, item);
        if (!each || each->as<ir::List>())
            return std::nullopt;
        made.items.push_back(std::move(*each));
    }
    return made;
}

Operand operandOf(ir::Context &context, const AttributeSource &source)
{
    return std::visit(
        [&]<class T>(const T &value) -> Operand {
            if constexpr (std::same_as<T, std::string>) {
                return ir::String{context.name(value)};
            } else if constexpr (std::same_as<T, std::int64_t> || std::same_as<T, double>) {
                return value;
            } else if constexpr (std::same_as<T, ArgumentName>) {
                return ir::None();
            } else {
                ir::List made;
                for (const auto &item : value)
                    if constexpr (std::same_as<T, std::vector<std::string>>)
                        made.items.push_back(ir::String{context.name(item)});
                    else
                        made.items.push_back(item);
                return made;
            }
        },
        source);
}

ir::Context &contextOf(const Lowering &l) { return l.node().graph().context(); }

/// Adds the tensors of an argument to `inputs`; returns false if the argument contains anything else.
bool addInputsOf(Lowering &l, const Operand &operand, std::vector<Operand> &inputs)
{
    if (attributeOf(contextOf(l), l.fact(operand)))
        return false;
    const std::size_t before = inputs.size();
    const auto add = [&](this const auto &self, const Lowered &made) -> void {
        if (made.items)
            std::ranges::for_each(*made.items, self);
        else if (!made.operand.as<ir::None>())
            inputs.push_back(made.operand);
    };
    add(l.lowered(operand));
    return inputs.size() > before;
}

} // namespace

const CustomOperator *CustomNodes::inTable(const NodeRef &node) const
{
    const auto found = m_table.find(formatted("{}::{}", node.dialect(), node.opName()));
    return found == m_table.end() ? nullptr : &found->second;
}

/// Returns the name of the parameter that an argument is given for: the name in the file, else that in the operator's
/// schema, else the position as a text.
std::string_view CustomNodes::parameterOf(const NodeRef &node, std::size_t position)
{
    ir::Context &context = node.graph().context();
    if (const ir::NameId name = node->arguments[position].name; name != ir::NameId{})
        return context.text(name);
    const ops::Signature *known = m_signatures.of(node->op);
    return known && position < known->schema.arguments.size() ? known->schema.arguments[position].name
                                                              : context.text(context.name(formatted("{}", position)));
}

std::expected<NewNode, std::string> CustomNodes::ofTable(Lowering &l, const CustomOperator &custom)
{
    const NodeRef &node = l.node();
    ir::Context &context = contextOf(l);
    NewNode made{custom.name, {}, {}, custom.domain};
    std::set<std::string_view> read;
    for (const auto &[name, source] : custom.attributes) {
        const auto *argument = std::get_if<ArgumentName>(&source);
        if (!argument) {
            made.attributes.emplace_back(name, operandOf(context, source));
            continue;
        }
        std::optional<Operand> value;
        bool isThere = false;
        for (std::size_t i = 0; i < node->arguments.size(); ++i)
            if (parameterOf(node, i) == argument->name) {
                value = attributeOf(context, l.fact(node->arguments[i].value));
                isThere = true;
            }
        if (!isThere && l.call().position({argument->name}))
            value = attributeOf(context, l.call()[argument->name]);
        if (!value)
            return std::unexpected(formatted("the argument '{}', which its table makes an attribute, is {}",
                                             argument->name,
                                             isThere ? "not known before the model runs" : "not there"));
        made.attributes.emplace_back(name, std::move(*value));
        read.insert(argument->name);
    }
    for (std::size_t i = 0; i < node->arguments.size(); ++i) {
        const std::string_view parameter = parameterOf(node, i);
        const Operand &operand = node->arguments[i].value;
        if (!read.contains(parameter) && !addInputsOf(l, operand, made.inputs) && !operand.as<ir::None>())
            m_losses.note(formatted("the argument '{}' of {}::{} is no tensor, and no attribute in its table",
                                    parameter, node.dialect(), node.opName()));
    }
    m_domains.insert_or_assign(custom.domain, custom.domainVersion);
    return made;
}

NewNode CustomNodes::kept(Lowering &l)
{
    const NodeRef &node = l.node();
    NewNode kept{node.opName(), {}, {}, node.dialect()};
    for (std::size_t i = 0; i < node->arguments.size(); ++i) {
        const Operand &operand = node->arguments[i].value;
        if (addInputsOf(l, operand, kept.inputs))
            continue;
        if (auto value = attributeOf(contextOf(l), l.fact(operand)))
            kept.attributes.emplace_back(parameterOf(node, i), std::move(*value));
    }
    m_domains.emplace(node.dialect(), 1);
    return kept;
}

} // namespace cutaway::convert
