// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/node_ref.h"

#include <algorithm>
#include <cassert>

namespace cutaway::ir {

std::string_view ValueRef::name() const { return m_graph->context().text((*this)->name); }

const Type &ValueRef::type() const { return m_graph->context().at((*this)->type); }

const TensorType *ValueRef::tensorType() const { return ir::tensorType(m_graph->context(), (*this)->type); }

std::optional<NodeRef> ValueRef::producer() const
{
    const auto *result = std::get_if<NodeResult>(&(*this)->definition);
    return result ? std::optional(NodeRef(*m_graph, result->node)) : std::nullopt;
}

std::optional<TensorId> ValueRef::weight() const
{
    const auto *weight = std::get_if<Weight>(&(*this)->definition);
    return weight ? std::optional(weight->tensor) : std::nullopt;
}

namespace {

const Operator &operatorOf(const NodeRef &node) { return node.graph().context().at(node->op); }

} // namespace

std::string_view NodeRef::dialect() const { return m_graph->context().text(operatorOf(*this).dialect); }

std::string_view NodeRef::opName() const { return m_graph->context().text(operatorOf(*this).name); }

std::string_view NodeRef::overload() const { return m_graph->context().text(operatorOf(*this).overload); }

std::string NodeRef::fullName() const { return m_graph->context().print((*this)->op); }

bool NodeRef::isOnnx() const { return isOnnxDialect(dialect()); }

std::string_view NodeRef::name() const { return m_graph->context().text((*this)->name); }

const Scope &NodeRef::scope() const { return m_graph->context().at((*this)->scope); }

const Location &NodeRef::location() const { return m_graph->context().at((*this)->location); }

std::string_view NodeRef::metadata(std::string_view key) const
{
    const Context &context = m_graph->context();
    for (const auto &[name, text] : (*this)->metadata)
        if (context.text(name) == key)
            return context.text(text);
    return {};
}

const Operand *NodeRef::argument(std::string_view name) const
{
    for (const Argument &argument : (*this)->arguments)
        if (argument.name != NameId{} && m_graph->context().text(argument.name) == name)
            return &argument.value;
    return nullptr;
}

const Operand *NodeRef::input(std::size_t position) const
{
    for (const Argument &argument : (*this)->arguments)
        if (argument.name == NameId{} && position-- == 0)
            return &argument.value;
    return nullptr;
}

std::size_t NodeRef::inputCount() const
{
    return static_cast<std::size_t>(std::ranges::count((*this)->arguments, NameId{}, &Argument::name));
}

ValueRef NodeRef::output(std::size_t position) const
{
    assert(position < outputCount());
    return {*m_graph, (*this)->outputs[position]};
}

const Region &NodeRef::region(std::size_t position) const
{
    assert(position < (*this)->regions.size());
    return m_graph->at((*this)->regions[position]);
}

std::optional<ValueRef> valueOf(const Graph &graph, const Operand *operand)
{
    const auto *value = operand ? operand->as<ValueId>() : nullptr;
    return value ? std::optional(ValueRef(graph, *value)) : std::nullopt;
}

bool isOnnxDialect(std::string_view dialect)
{
    return dialect == "onnx" || dialect.starts_with("ai.onnx") || dialect.starts_with("com.microsoft");
}

} // namespace cutaway::ir
