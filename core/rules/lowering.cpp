// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/lowering.h"

#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/torch/signatures.h"

#include <algorithm>
#include <array>

// A number of the source whose value is known becomes a constant wherever it came from; all other sizes are read from
// the tensors at hand, so that the model follows the sizes of its inputs.

namespace cutaway::rules::to_onnx {

using ir::DType;
using ir::Operand;

// ---- reading

const Operand *Lowering::operandOf(std::string_view parameter) const
{
    return ops::givenArgument(m_node, m_signature, parameter);
}

Term Lowering::term(const Lowered &lowered)
{
    Term made{this, lowered.operand, lowered.dtype};
    if (m_operandType && !made.isNone() && ir::isFloating(made.dtype) && made.dtype != DType::Float64)
        made = cast(made, *m_operandType);
    return made.dtype == DType::BFloat16 && !made.isNone() ? cast(made, DType::Float32) : made;
}

/// A number that is known before the model runs.
Term Lowering::constantOf(const ops::Fact &fact)
{
    const auto *number = fact.as<ops::NumberFact>();
    if (!number)
        return none();
    if (const auto *dim = std::get_if<ir::Dim>(&number->value)) {
        if (const auto whole = ops::number(*dim))
            return scalar(*whole);
        if (const auto real = ops::floating(*dim))
            return scalar(*real, DType::Float64);
    }
    if (const auto *real = std::get_if<double>(&number->value))
        return scalar(*real, DType::Float64);
    if (const auto *boolean = std::get_if<bool>(&number->value))
        return scalar(*boolean ? 1 : 0, DType::Bool);
    return none();
}

Lowered Lowering::lowered(const Operand &operand)
{
    if (const auto *list = operand.as<ir::List>()) {
        std::vector<Lowered> items;
        for (const Operand &item : list->items)
            items.push_back(lowered(item));
        return items;
    }
    if (const Term known = constantOf(m_values.fact(operand)); !known.isNone())
        return known;
    if (const auto *tensor = operand.as<ir::TensorId>()) {
        const ir::ValueRef weight(graph().graph(), graph().weight(*tensor));
        return Term{this, weight.id(), *weight.tensorType()->dtype};
    }
    const auto *value = operand.as<ir::ValueId>();
    const Lowered *made = value ? m_values.of(*value) : nullptr;
    return made ? *made : Lowered();
}

Term Lowering::given(const Operand *operand, const ops::Fact &fact, std::string_view what)
{
    if (const Term known = constantOf(fact); !known.isNone())
        return known;
    const Lowered made = operand ? lowered(*operand) : Lowered();
    if (made.operand.as<ir::None>())
        refuse(formatted("nothing was made of '{}'", what));
    if (made.isSequence)
        refuse(formatted("how long '{}' is, is known only when the model runs", what));
    return term(made);
}

Term Lowering::operator[](std::string_view parameter)
{
    return given(operandOf(parameter), m_call[parameter], parameter);
}

Term Lowering::operator[](ops::Position position)
{
    const Operand *operand = position ? ops::givenArgument(m_node, m_signature, *position) : nullptr;
    return given(operand, m_call[position], "an argument");
}

Term Lowering::optional(ops::Position position) { return m_call.has(position) ? (*this)[position] : none(); }

/// A number that is known is written in that dtype.
Term Lowering::asOf(const ops::Fact &fact, const Term &term, DType dtype)
{
    const auto known = fact.as<ops::NumberFact>() && dtype != DType::Int64 ? ops::asFloat(fact) : std::nullopt;
    return known ? scalar(*known, dtype) : cast(term, dtype);
}

Lowered Lowering::unchanged(std::size_t position)
{
    const Operand *operand = ops::givenArgument(m_node, m_signature, position);
    Lowered made = operand ? lowered(*operand) : Lowered();
    if (!made.items && made.operand.as<ir::None>())
        refuse("nothing was made of its argument");
    return made;
}

Lowered Lowering::sequence(const Lowered &list, DType dtype)
{
    if (!list.isSequence && !list.items)
        refuse("the items of the list are not known");
    if (list.isSequence && list.dtype != dtype)
        refuse("the items of the list are of another dtype");
    if (list.isSequence || isRefused())
        return list;
    std::vector<Term> items;
    for (const Lowered &item : *list.items) {
        if (item.items || item.isSequence || item.operand.as<ir::None>())
            refuse("an item of the list is no tensor");
        items.push_back(cast(term(item), dtype));
    }
    const Attributes empty{{"dtype", ir::numberOf(dtype, ir::Numbering::Onnx).value_or(0)}};
    Lowered made =
        items.empty() ? make("SequenceEmpty", {}, empty, dtype) : make("SequenceConstruct", items, {}, dtype);
    made.isSequence = true;
    return made;
}

Results Lowering::listed(const std::vector<Term> &items) const
{
    if (resultCount() == 1 && m_values.fact(m_node.output(0).id()).as<ops::SequenceFact>())
        return {std::vector<Lowered>(items.begin(), items.end())};
    return {items.begin(), items.end()};
}

std::vector<Lowering::Tensor> Lowering::resultParts()
{
    std::vector<Tensor> parts;
    const ops::Fact first = m_values.fact(m_node.output(0).id());
    if (const auto *list = first.as<ops::SequenceFact>(); list && list->items())
        for (const ops::Fact &item : list->each())
            parts.push_back(tensorOf(item, "a part"));
    else
        for (std::size_t i = 0; i < resultCount(); ++i)
            parts.push_back(result(i));
    return parts;
}

DType Lowering::resultDType(std::size_t position)
{
    const DType dtype = result(position).dtype;
    return dtype == DType::BFloat16 ? DType::Float32 : dtype;
}

std::vector<Term> Lowering::items(std::string_view parameter)
{
    const Operand *operand = operandOf(parameter);
    const Lowered made = operand ? lowered(*operand) : Lowered();
    if (!made.items)
        refuse(formatted("the items of '{}' are not known", parameter));
    std::vector<Term> terms;
    for (const Lowered &item : made.items.value_or(std::vector<Lowered>{})) {
        if (item.operand.as<ir::None>())
            refuse(formatted("nothing was made of an item of '{}'", parameter));
        terms.push_back(term(item));
    }
    return terms;
}

Term Lowering::sizes(std::string_view parameter)
{
    if (const auto known = m_call.sizes(parameter); known && areNumbers(*known))
        return ints(numbersOf(*known, parameter));
    std::vector<Term> parts;
    if (m_call[parameter].as<ops::NumberFact>())
        return vectorOf(as(parameter, DType::Int64));
    for (const Term &item : items(parameter))
        parts.push_back(vectorOf(cast(item, DType::Int64)));
    if (parts.empty())
        return ints({});
    return concat(parts, 0);
}

/// A number is a tensor without dimensions.
Lowering::Tensor Lowering::tensorOf(const ops::Fact &fact, std::string_view what)
{
    if (const auto *number = fact.as<ops::NumberFact>())
        return {number->kind == ops::NumberFact::Kind::Bool        ? DType::Bool
                    : number->kind == ops::NumberFact::Kind::Float ? DType::Float64
                                                                   : DType::Int64,
                {}};
    const ops::TensorFact *known = ops::asTensor(fact);
    if (!known || !known->dtype || !known->shape) {
        refuse(formatted("the {} of {} is not known", known && known->dtype ? "rank" : "dtype", what));
        return {DType::Float32, {}};
    }
    return {*known->dtype, *known->shape};
}

Lowering::Tensor Lowering::tensor(std::string_view parameter)
{
    return tensorOf(m_call[parameter], formatted("'{}'", parameter));
}

Lowering::Tensor Lowering::tensor(ops::Position position) { return tensorOf(m_call[position], "an argument"); }

Lowering::Tensor Lowering::result(std::size_t position)
{
    return tensorOf(m_values.fact(m_node.output(position).id()), "the result");
}

std::int64_t Lowering::integer(std::string_view parameter)
{
    return known(m_call.integer(parameter), formatted("'{}' is", parameter));
}

double Lowering::number(std::string_view parameter)
{
    return known(m_call.floating(parameter), formatted("'{}' is", parameter));
}

bool Lowering::flag(std::string_view parameter)
{
    return known(m_call.flag(parameter), formatted("'{}' is", parameter));
}

bool Lowering::areNumbers(std::span<const ir::Dim> dims)
{
    return std::ranges::all_of(dims, [](const ir::Dim &dim) { return ops::number(dim).has_value(); });
}

std::vector<std::int64_t> Lowering::numbersOf(std::span<const ir::Dim> dims, std::string_view what)
{
    std::vector<std::int64_t> numbers;
    for (const ir::Dim &dim : dims)
        numbers.push_back(known(ops::number(dim), formatted("'{}' is", what)));
    return numbers;
}

std::vector<std::int64_t> Lowering::integers(std::string_view parameter)
{
    if (m_call[parameter].as<ops::NumberFact>())
        return {integer(parameter)};
    return numbersOf(known(m_call.sizes(parameter), formatted("'{}' is", parameter)), parameter);
}

std::int64_t Lowering::axis(std::string_view parameter, std::size_t rank)
{
    const auto found = ops::dimension(integer(parameter), std::max<std::size_t>(rank, 1));
    if (!found)
        refuse(formatted("'{}' is no dimension", parameter));
    return static_cast<std::int64_t>(found.value_or(0));
}

// ---- sizes

/// Where a tensor argument has such a dimension.
std::optional<Term> Lowering::sizeAmongArguments(const ir::Dim &dim)
{
    std::optional<Term> found;
    const auto look = [&](ir::ValueId value) {
        const ops::Fact fact = m_values.fact(value);
        const ops::TensorFact *tensor = ops::asTensor(fact);
        const Lowered *made = m_values.of(value);
        if (found || !made || made->items || !tensor || !tensor->shape)
            return;
        const auto place = std::ranges::find_if(*tensor->shape, [&](const ir::Dim &d) { return ops::isSame(d, dim); });
        if (place != tensor->shape->end())
            found = sizeOf({this, made->operand, made->dtype}, place - tensor->shape->begin());
    };
    for (const ir::Argument &argument : m_node->arguments)
        ir::forEachValue(argument.value, look);
    return found;
}

std::optional<Term> Lowering::computedSize(const symbolic::Expr &expr)
{
    if (expr.kind() == symbolic::Kind::Integer)
        return scalar(expr.integerValue());
    if (expr.kind() != symbolic::Kind::Add && expr.kind() != symbolic::Kind::Multiply)
        return std::nullopt;
    std::optional<Term> made;
    for (const symbolic::Expr &operand : expr.operands()) {
        const Term next = size(operand);
        if (isRefused())
            return std::nullopt;
        made = !made ? next : expr.kind() == symbolic::Kind::Add ? *made + next : *made * next;
    }
    return made;
}

Term Lowering::size(const ir::Dim &dim)
{
    if (const auto number = ops::number(dim))
        return scalar(*number);
    auto made = ops::isKnown(dim) ? sizeAmongArguments(dim) : std::nullopt;
    if (const auto *expr = std::get_if<symbolic::Expr>(&dim); expr && !made)
        made = computedSize(*expr);
    if (!made)
        refuse(formatted("no tensor at hand has the size {}", ir::print(dim)));
    return made.value_or(scalar(std::int64_t{1}));
}

Term Lowering::shapeTerm(std::span<const ir::Dim> dims)
{
    std::vector<std::int64_t> numbers;
    for (const ir::Dim &dim : dims)
        numbers.push_back(ops::number(dim).value_or(-1));
    const bool hasZero = std::ranges::contains(numbers, 0);
    const auto open = std::ranges::count(numbers, -1);
    if (open == 0 || (open == 1 && !hasZero))
        return ints(numbers);
    std::vector<Term> parts;
    for (const ir::Dim &dim : dims)
        parts.push_back(vectorOf(size(dim)));
    return concat(parts, 0);
}

} // namespace cutaway::rules::to_onnx
