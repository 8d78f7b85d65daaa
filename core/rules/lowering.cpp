// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/lowering.h"

#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/torch/signatures.h"

#include <algorithm>
#include <array>

// A number of the source whose value is known becomes a constant. Other sizes are read from tensors of the region, so
// that the model follows the sizes of its inputs.

namespace cutaway::rules::to_onnx {

using ir::DType;
using ir::Operand;

// ---- reading

Term Lowering::term(const Lowered &lowered)
{
    Term made{this, lowered.operand, lowered.dtype};
    if (m_operandType && !made.isNone() && ir::isFloating(made.dtype) && made.dtype != DType::Float64)
        made = cast(made, *m_operandType);
    return made.dtype == DType::BFloat16 && !made.isNone() ? cast(made, DType::Float32) : made;
}

/// Returns a constant for a number that is known before the model runs; None for other facts.
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
        return Lowered::list(std::move(items));
    }
    if (const Term known = constantOf(fact(operand)); !known.isNone())
        return known;
    if (const auto *tensor = operand.as<ir::TensorId>()) {
        const ir::ValueRef weight(graph().graph(), graph().weight(*tensor));
        return Term{this, weight.id(), *weight.tensorType()->dtype};
    }
    const auto *value = operand.as<ir::ValueId>();
    const Lowered *made = value ? m_values.of(*value) : nullptr;
    return made ? *made : Lowered();
}

Term Lowering::operator[](Where where)
{
    if (const Term known = constantOf(at(where)); !known.isNone())
        return known;
    const Operand *given = operand(where);
    const Lowered made = given ? lowered(*given) : Lowered();
    if (made.operand.as<ir::None>())
        refuse(formatted("nothing was made of {}", spoken(where)));
    if (made.isSequence)
        refuse(formatted("how long {} is, is known only when the model runs", spoken(where)));
    return term(made);
}

/// Returns an argument in a dtype; a number that is known becomes a constant of that dtype.
Term Lowering::as(Where where, DType dtype)
{
    const bool isNumber = at(where).as<ops::NumberFact>() && dtype != DType::Int64;
    const auto known = isNumber ? ops::asFloat(at(where)) : std::nullopt;
    return known ? scalar(*known, dtype) : cast((*this)[where], dtype);
}

Lowered Lowering::unchanged(std::size_t position)
{
    const Operand *given = operand(position);
    Lowered made = given ? lowered(*given) : Lowered();
    if (!made.items && made.operand.as<ir::None>())
        refuse(formatted("nothing was made of {}", spoken(position)));
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
    if (resultCount() == 1 && fact(node().output(0).id()).as<ops::SequenceFact>())
        return {Lowered::list({items.begin(), items.end()})};
    return {items.begin(), items.end()};
}

std::vector<Node::Tensor> Lowering::resultParts()
{
    std::vector<Tensor> parts;
    const ops::Fact first = fact(node().output(0).id());
    if (const auto *list = first.as<ops::SequenceFact>(); list && list->items())
        for (const ops::Fact &item : list->each())
            parts.push_back(neededTensor(item, "a part"));
    else
        for (std::size_t i = 0; i < resultCount(); ++i)
            parts.push_back(result(i));
    return parts;
}

DType Lowering::resultDType(std::size_t position)
{
    const DType dtype = declaredDType(position);
    return dtype == DType::BFloat16 ? DType::Float32 : dtype;
}

std::vector<Term> Lowering::items(std::string_view parameter)
{
    const Operand *given = operand(parameter);
    const Lowered made = given ? lowered(*given) : Lowered();
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
    if (const auto known = call().sizes(parameter); known && ops::numbers(*known))
        return ints(numbersOf(*known, parameter));
    std::vector<Term> parts;
    if (call()[parameter].as<ops::NumberFact>())
        return vectorOf(as(parameter, DType::Int64));
    for (const Term &item : items(parameter))
        parts.push_back(vectorOf(cast(item, DType::Int64)));
    if (parts.empty())
        return ints({});
    return concat(parts, 0);
}

/// Returns the fact of a tensor without dimensions for a number, and other facts unchanged.
ops::Fact Lowering::asTensor(const ops::Fact &fact) const
{
    const auto *number = fact.as<ops::NumberFact>();
    if (!number)
        return fact;
    const DType dtype = number->kind == ops::NumberFact::Kind::Bool ? DType::Bool
        : number->kind == ops::NumberFact::Kind::Float              ? DType::Float64
                                                                    : DType::Int64;
    return ops::tensorFact(dtype, ir::Shape());
}

// ---- sizes

/// Returns a size of a tensor argument that equals `dim`; nothing if there is none.
std::optional<Term> Lowering::sizeAmongArguments(const ir::Dim &dim)
{
    std::optional<Term> found;
    const auto look = [&](ir::ValueId value) {
        const ops::Fact known = fact(value);
        const ops::TensorFact *tensor = ops::asTensor(known);
        const Lowered *made = m_values.of(value);
        if (found || !made || made->items || !tensor || !tensor->shape)
            return;
        const auto place = std::ranges::find_if(*tensor->shape, [&](const ir::Dim &d) { return ops::isSame(d, dim); });
        if (place != tensor->shape->end())
            found = sizeOf({this, made->operand, made->dtype}, place - tensor->shape->begin());
    };
    for (const ir::Argument &argument : node()->arguments)
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
