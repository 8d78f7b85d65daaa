// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/pt2/program_values.h"

#include "core/base/formatted.h"
#include "core/convert/preparation.h"
#include "core/ir/context.h"
#include "core/ops/fact_source.h"
#include "core/ops/facts/constant_operand.h"

#include <algorithm>
#include <utility>

namespace cutaway::convert {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;
using symbolic::Expr;

namespace {

/// Returns the operand for a fact that is known before the model runs: None, a number, or a setting such as a dtype.
std::optional<Operand> settled(ir::Context &context, const ops::Fact &fact)
{
    if (fact.as<ops::NumberFact>())
        return constantOf(fact);
    return fact.as<ops::SequenceFact>() ? std::nullopt : ops::constantOperand(context, fact);
}

bool isWhole(const ops::TensorFact &tensor)
{
    return tensor.dtype && tensor.shape && std::ranges::all_of(*tensor.shape, ops::isKnown);
}

} // namespace

ProgramValues::ProgramValues(const ir::Model &source, const ir::Function &function, const analysis::Shapes &shapes,
                             ProgramGraph &graph)
    : m_source(source),
      m_function(function),
      m_shapes(shapes),
      m_graph(graph),
      m_signatures(*source.context)
{
}

// ---- the source

ops::Fact ProgramValues::fact(const Operand &operand) const
{
    const ops::FactsOfValues facts([this](ValueId id) -> const ops::Fact & { return m_shapes.of(id); });
    return ops::factOf(*m_source.context, facts, operand);
}

std::optional<Operand> ProgramValues::resolved(const ops::Fact &fact)
{
    if (auto known = settled(*m_source.context, fact))
        return known;
    if (const auto *list = fact.as<ops::SequenceFact>(); list && list->items()) {
        ir::List made{{}, list->kind};
        for (const ops::Fact &item : list->each()) {
            auto each = resolved(item);
            if (!each)
                return std::nullopt;
            made.items.push_back(std::move(*each));
        }
        return made;
    }
    const auto *number = fact.as<ops::NumberFact>();
    const auto *size =
        number && number->kind == ops::NumberFact::Kind::Int ? std::get_if<ir::Dim>(&number->value) : nullptr;
    return size ? m_graph.size(*size) : std::nullopt;
}

const Operand *ProgramValues::find(ValueId value) const
{
    const auto found = m_values.find(value);
    return found == m_values.end() ? nullptr : &found->second;
}

std::optional<Operand> ProgramValues::valueOf(ValueId id)
{
    const ops::Fact &known = m_shapes.of(id);
    if (auto constant = settled(*m_source.context, known))
        return constant;
    if (const Operand *found = find(id))
        return *found;
    if (const auto *weight = std::get_if<ir::Weight>(&source().at(id).definition))
        return Operand(m_graph.weight(weight->tensor));
    return known.as<ops::NumberFact>() ? resolved(known) : std::nullopt;
}

// ---- operands of the program

Operand ProgramValues::made(const Operand &operand)
{
    if (const auto *list = operand.as<ir::List>()) {
        ir::List items{{}, list->kind};
        for (const Operand &item : list->items)
            items.items.push_back(made(item));
        return items;
    }
    if (const auto *tensor = operand.as<ir::TensorId>())
        return m_graph.weight(*tensor);
    const auto *value = operand.as<ValueId>();
    if (!value)
        return operand;
    if (auto found = valueOf(*value))
        return *found;
    if (m_failed.contains(*value))
        m_isConsequence = true;
    else
        refuse(formatted("nothing was made of '{}'", ir::ValueRef(source(), *value).name()));
    return ir::None();
}

Operand ProgramValues::argument(const NodeRef &node, std::string_view parameter)
{
    const Operand *given = ops::givenArgument(node, m_signatures.of(node->op), parameter);
    return given ? made(*given) : Operand(ir::None());
}

Operand ProgramValues::argument(const NodeRef &node, std::size_t position)
{
    const ops::Signature *known = m_signatures.of(node->op);
    const Operand *given = known && position < known->schema.arguments.size()
        ? ops::givenArgument(node, known, position)
        : position < node->arguments.size() ? &node->arguments[position].value
                                            : nullptr;
    return given ? made(*given) : Operand(ir::None());
}

const ir::TensorType *ProgramValues::tensorType(const Operand &made) const
{
    const auto *value = made.as<ValueId>();
    return value ? ir::ValueRef(m_graph.graph(), *value).tensorType() : nullptr;
}

std::optional<ir::DType> ProgramValues::dtypeOf(const Operand &made) const
{
    const ir::TensorType *type = tensorType(made);
    return type ? type->dtype : std::nullopt;
}

std::optional<ir::NumberType::Kind> ProgramValues::numberKind(const Operand &made) const
{
    using Kind = ir::NumberType::Kind;
    if (made.as<std::int64_t>())
        return Kind::Int;
    if (made.as<double>())
        return Kind::Float;
    if (made.as<bool>())
        return Kind::Bool;
    const auto *value = made.as<ValueId>();
    const auto *type = value ? std::get_if<ir::NumberType>(&ir::ValueRef(m_graph.graph(), *value).type()) : nullptr;
    return type ? std::optional(type->kind) : std::nullopt;
}

std::optional<ir::Type> ProgramValues::typeOf(const ops::Fact &fact)
{
    if (fact.as<ops::NoneFact>())
        return ir::PlainType{ir::PlainType::Kind::None};
    if (const auto *tensor = ops::asTensor(fact)) {
        if (!isWhole(*tensor))
            return std::nullopt;
        ir::TensorType type;
        type.dtype = tensor->dtype;
        type.shape = tensor->shape;
        if (tensor->strides && std::ranges::all_of(*tensor->strides, ops::isKnown))
            type.strides = ir::Shape(tensor->strides->begin(), tensor->strides->end());
        return type;
    }
    const auto *number = fact.as<ops::NumberFact>();
    if (!number)
        return std::nullopt;
    ir::NumberType type{number->kind, std::nullopt};
    const auto *dim = std::get_if<ir::Dim>(&number->value);
    const auto *known = dim ? std::get_if<Expr>(dim) : nullptr;
    if (number->kind == ops::NumberFact::Kind::Int)
        type.value = known ? *known : m_graph.freshSymbol("u");
    else if (number->kind == ops::NumberFact::Kind::Float)
        type.value = m_graph.freshSymbol("zuf");
    else if (number->kind == ops::NumberFact::Kind::Bool)
        type.value = Expr::make(symbolic::Kind::Equal, {m_graph.freshSymbol("u"), Expr::integer(1)});
    return type.value ? std::optional<ir::Type>(type) : std::nullopt;
}

Operand ProgramValues::make(const NodeRef &node, const ProgramNode &program)
{
    const auto type = typeOf(fact(node.output(0).id()));
    if (!type) {
        refuse(whyUnknown(node, "the type of its result is not known"));
        return ir::None();
    }
    return isRefused() ? Operand(ir::None()) : Operand(m_graph.make(program, *type, node.output(0).name()));
}

// ---- refusals

void ProgramValues::refuse(std::string reason)
{
    if (m_reason.empty())
        m_reason = std::move(reason);
}

std::string ProgramValues::takeReason()
{
    m_isConsequence = false;
    return std::exchange(m_reason, {});
}

std::string ProgramValues::whyUnknown(const NodeRef &node, const std::string &what) const
{
    const auto stop = std::ranges::find(m_shapes.stops, node.id(), &analysis::Stop::node);
    return stop == m_shapes.stops.end() || stop->reason.empty() ? what : what + ": " + stop->reason;
}

std::optional<ir::TensorType> tensorTypeFor(const ir::Type &type)
{
    if (const auto *tensor = std::get_if<ir::TensorType>(&type))
        return *tensor;
    const auto *number = std::get_if<ir::NumberType>(&type);
    return number ? std::optional(scalarType(dtypeOf(number->kind))) : std::nullopt;
}

std::optional<Operand> ProgramValues::tensorBehind(const Operand &number, ir::DType dtype) const
{
    const auto *value = number.as<ValueId>();
    const auto maker = value ? ir::ValueRef(m_graph.graph(), *value).producer() : std::nullopt;
    if (!maker || (*maker)->op != m_source.context->op("aten", "item", "default"))
        return std::nullopt;
    const Operand tensor = (*maker)->arguments.front().value;
    return dtypeOf(tensor) == dtype ? std::optional(tensor) : std::nullopt;
}

} // namespace cutaway::convert
