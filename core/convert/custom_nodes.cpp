// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/convert/translation.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"

#include <algorithm>
#include <set>

// Nodes of other domains than ONNX's own: what the user's table names, and what has no rule. Tensors, and numbers that
// are not known before the model runs, are inputs; all else is an attribute.

namespace cutaway::convert {

namespace {

using ir::NodeRef;
using ir::Operand;

/// A fact that is known before the model runs, as an attribute: a number, a text, a list of one of these.
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

} // namespace

const CustomOperator *Translation::customOperator(const NodeRef &node) const
{
    const auto found = m_options.table.find(formatted("{}::{}", node.dialect(), node.opName()));
    return found == m_options.table.end() ? nullptr : &found->second;
}

/// The parameter that an argument is given for: its name in the file, in the operator's schema, or its position.
std::string Translation::parameterOf(const NodeRef &node, std::size_t position)
{
    const ir::NameId name = node->arguments[position].name;
    if (name != ir::NameId{})
        return std::string(m_source.context->text(name));
    const ops::Signature *known = m_signatures.of(node->op);
    return known && position < known->schema.arguments.size() ? std::string(known->schema.arguments[position].name)
                                                              : formatted("{}", position);
}

/// The tensors of an argument, one after the other; false if it is none.
bool Translation::addInputsOf(Lowering &l, const Operand &operand, std::vector<Operand> &inputs)
{
    if (attributeOf(*m_source.context, fact(operand)))
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

void Translation::addCustomNode(const NodeRef &node, const NewNode &made)
{
    m_graph.from(node);
    const std::size_t before = m_graph.madeCount();
    setResults(node, m_graph.add(made, node.outputCount()), before);
}

std::optional<std::string> Translation::lowerByTable(const NodeRef &node, const CustomOperator &custom)
{
    ir::Context &context = *m_source.context;
    Lowering l = lowering(node);
    NewNode made{custom.name, {}, {}, custom.domain};
    std::set<std::string> read;
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
                value = attributeOf(context, fact(node->arguments[i].value));
                isThere = true;
            }
        if (!isThere && l.call().position({argument->name}))
            value = attributeOf(context, l.call()[argument->name]);
        if (!value)
            return formatted("the argument '{}', which its table makes an attribute, is {}", argument->name,
                             isThere ? "not known before the model runs" : "not there");
        made.attributes.emplace_back(name, std::move(*value));
        read.insert(argument->name);
    }
    for (std::size_t i = 0; i < node->arguments.size(); ++i) {
        const std::string parameter = parameterOf(node, i);
        const Operand &operand = node->arguments[i].value;
        if (!read.contains(parameter) && !addInputsOf(l, operand, made.inputs) && !operand.as<ir::None>())
            m_losses.note(formatted("the argument '{}' of {}::{} is no tensor, and no attribute in its table",
                                    parameter, node.dialect(), node.opName()));
    }
    m_domains.insert_or_assign(custom.domain, custom.domainVersion);
    addCustomNode(node, made);
    return std::nullopt;
}

/// A node of the operator's own domain. A part of a node is missing as that node: the user knows the operators of the
/// model.
void Translation::keep(const NodeRef &node, const std::string &reason)
{
    const auto plainName = [](const NodeRef &of) { return formatted("{}::{}", of.dialect(), of.opName()); };
    const NodeRef ofModel = m_whole.value_or(node);
    m_losses.miss(plainName(ofModel), m_whole ? formatted("its part {}: {}", plainName(node), reason) : reason,
                  placeOf(ofModel));
    if (m_options.keepsUnknown && !ops::findOperator(node.dialect(), node.opName()) && !m_signatures.of(node->op))
        m_losses.note(formatted("{} is taken not to write to its arguments, which is not known", plainName(node)));
    Lowering l = lowering(node);
    NewNode kept{node.opName(), {}, {}, node.dialect()};
    std::vector<std::string> names(node->arguments.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Operand &operand = node->arguments[i].value;
        if (addInputsOf(l, operand, kept.inputs))
            continue;
        names[i] = parameterOf(node, i);
        if (auto value = attributeOf(*m_source.context, fact(operand)))
            kept.attributes.emplace_back(names[i], std::move(*value));
    }
    m_domains.emplace(node.dialect(), 1);
    addCustomNode(node, kept);
}

} // namespace cutaway::convert
