// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/comparison.h"

#include "core/ops/compute/rules.h"
#include "core/ops/elementwise.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/promotion.h"

#include <array>
#include <cmath>
#include <functional>

namespace cutaway::ops {

namespace {

using enum ResultType;

// Whether two values that are not tensors are equal by Python's rules; nothing if that is not known.

std::optional<bool> areEqual(const Fact &a, const Fact &b);

std::optional<bool> areEqualLists(const SequenceFact &a, const SequenceFact &b)
{
    const SequenceFact::Items *left = a.items(), *right = b.items();
    if (!left || !right)
        return std::nullopt;
    if (left->size() != right->size())
        return false;
    bool isCertain = true;
    for (std::size_t i = 0; i < left->size(); ++i) {
        const auto equal = areEqual((*left)[i], (*right)[i]);
        if (equal == false)
            return false;
        isCertain = isCertain && equal;
    }
    return isCertain ? std::optional(true) : std::nullopt;
}

/// Returns a dtype, which may also be given by its number in TorchScript.
std::optional<ir::DType> asDType(const Fact &fact)
{
    if (const auto *dtype = fact.as<ir::DType>())
        return *dtype;
    const auto whole = asInt(fact);
    const auto value = whole ? number(*whole) : std::nullopt;
    return value ? ir::dtypeFromNumber(*value, ir::Numbering::C10) : std::nullopt;
}

std::optional<bool> areEqual(const Fact &a, const Fact &b)
{
    const NumberFact *x = asNumber(a), *y = asNumber(b);
    if (x && y)
        return asBool(compute(Arithmetic::Equal, *x, *y, NumberFact::Kind::Bool));
    if (a.as<ir::DType>() || b.as<ir::DType>()) {
        const auto left = asDType(a), right = asDType(b);
        return left && right ? std::optional(left == right) : std::nullopt;
    }
    if (a.as<SequenceFact>() && b.as<SequenceFact>())
        return areEqualLists(*a.as<SequenceFact>(), *b.as<SequenceFact>());
    const bool isWhole = a.as<TextFact>() || a.as<ir::Layout>() || a.as<ir::MemoryFormat>() || a.as<NoneFact>();
    return isWhole && a.v.index() == b.v.index() ? std::optional(a == b) : std::nullopt;
}

template <bool wanted>
Answer equality(const Call &call)
{
    const Operands operands{&call[0u], &call[1u]};
    if (isOfTensors(call, operands) || isOfAnything(call, operands))
        return binaryOf(call, wanted ? Arithmetic::Equal : Arithmetic::NotEqual, Boolean);
    const auto equal = areEqual(call[0u], call[1u]);
    return {boolFact(equal ? std::optional(*equal == wanted) : std::nullopt)};
}

bool areDifferent(const TensorFact &a, const TensorFact &b)
{
    if (a.dtype && b.dtype && *a.dtype != *b.dtype)
        return true;
    if (!a.shape || !b.shape)
        return false;
    const auto mayBeOne = [](const ir::Dim &x, const ir::Dim &y) { return !isDifferent(x, y); };
    return !std::ranges::equal(*a.shape, *b.shape, mayBeOne);
}

/// `is` is asked about None, or about one value that is given under two names.
template <bool wanted>
Answer sameness(const Call &call)
{
    const Fact &a = call[0u], &b = call[1u];
    const bool isNoneA = a.as<NoneFact>(), isNoneB = b.as<NoneFact>();
    if ((isNoneA && isNoneB) || &a == &b)
        return {boolFact(wanted)};
    const TensorFact *x = asTensor(a), *y = asTensor(b);
    if (x && y && areDifferent(*x, *y))
        return {boolFact(!wanted)};
    const Fact &other = isNoneA ? b : a;
    const bool isOpen = (!isNoneA && !isNoneB) || other.as<AnyFact>() || other.as<MaybeFact>();
    return {isOpen ? boolFact() : boolFact(!wanted)};
}

/// Whether a value is of a type; nothing if it is not known to be a tensor, a number, a text or None.
std::optional<bool> isOf(const Fact &fact, const ir::Type &type)
{
    using Plain = ir::PlainType::Kind;
    const auto *number = std::get_if<ir::NumberType>(&type);
    const auto *plain = std::get_if<ir::PlainType>(&type);
    if (plain && plain->kind == Plain::Any)
        return true;
    if (const auto *known = fact.as<NumberFact>(); known && known->kind != NumberFact::Kind::Number)
        return number && (number->kind == known->kind || number->kind == ir::NumberType::Kind::Number);
    if (fact.as<TensorFact>())
        return std::holds_alternative<ir::TensorType>(type);
    if (fact.as<NoneFact>())
        return plain && plain->kind == Plain::None;
    if (fact.as<TextFact>())
        return plain && plain->kind == Plain::String;
    return std::nullopt;
}

Answer isInstance(const Call &call)
{
    std::optional<bool> found = false;
    for (const ir::Type *type : call.types("types")) {
        const auto one = isOf(call[0u], *type);
        if (one == true)
            return {boolFact(true)};
        if (!one)
            found.reset();
    }
    return {boolFact(found)};
}

/// A boolean tensor without dimensions.
Answer booleanScalar(const Call &) { return {tensorFact(ir::DType::Bool, ir::Shape{})}; }

/// Returns for each element of the first tensor whether it is in the second one.
Answer membership(const Call &call)
{
    const std::array operands{&call[0u]};
    return elementwise(call, operands, ir::DType::Bool);
}

// The operators that are called where.

/// Without values to choose from, the result is one index vector per dimension.
Answer indicesWhere(const Call &call)
{
    const ir::Shape *shape = call.shape(0u);
    if (!shape)
        return {manyOf(tensorFact(ir::DType::Int64, ir::Shape{ir::UnknownDim{}}))};
    const ir::Dim count = call.freshSize(elementsOf(*shape));
    return listed(
        call,
        std::vector<Fact>(std::max<std::size_t>(shape->size(), 1), tensorFact(ir::DType::Int64, ir::Shape{count})));
}

ir::Dim chosenElement(std::span<const ir::Dim> row)
{
    const auto condition = number(row[0]);
    if (condition)
        return row[*condition != 0 ? 1 : 2];
    return isSame(row[1], row[2]) ? row[1] : ir::Dim(ir::UnknownDim{});
}

Answer where(const Call &call)
{
    if (!call.isOnnx() && call.inputCount() == 1)
        return indicesWhere(call);
    const Operands operands = operandsOf(call, 3);
    if (operands.size() < 3)
        return unknown("an operand is missing");
    return elementwise(call, operands, dtypeOf(call, std::span(operands).last(2), Promoted), chosenElement);
}

Answer numberWhere(const Call &call)
{
    if (const auto condition = call.flag(0u))
        return {call[*condition ? 1u : 2u]};
    return {join(call[1u], call[2u])};
}

// Operators that return the largest or the smallest value.

Answer extremeOfNumbers(const Call &call, Arithmetic op)
{
    const auto *list = call[0u].as<SequenceFact>();
    if (!list)
        return binaryOf(call, op, Promoted);
    if (const auto *other = call[1u].as<SequenceFact>())
        return {join(*list, *other)};
    if (list->each().empty())
        return unknown("list's items unknown");
    Fact extreme = list->each().front();
    for (const Fact &item : list->each()) {
        const NumberFact *a = asNumber(extreme), *b = asNumber(item);
        if (!a || !b)
            return unknown("an item is not known to be a number");
        extreme = compute(op, *a, *b, commonKind(a->kind, b->kind));
    }
    if (!list->items())
        return {NumberFact{asNumber(extreme)->kind, {}}};
    return {extreme};
}

template <Arithmetic op>
Answer extremeOfTwo(const Call &call)
{
    if (!call.isOnnx())
        return extremeOfNumbers(call, op);
    const Operands operands = operandsOf(call, 0);
    return elementwise(call, operands, dtypeOf(call, operands, Promoted), [](std::span<const ir::Dim> row) {
        ir::Dim result = row[0];
        for (const ir::Dim &element : row.subspan(1))
            result = compute(op, result, element);
        return result;
    });
}

using enum Arithmetic;

constexpr Operator comparisonRows[] = {
    Operator("aten::eq onnx::Equal _operator::eq prims::eq", Category::Elementwise, Pattern::Pointwise, equality<true>,
             onePerResult,
             {.kind = kind::eq,
              .compute = compute::comparison<std::equal_to{}>,
              .commutes = true,
              .writesDifferently = true}),
    Operator("aten::ne=not_equal _operator::ne prims::ne", Category::Elementwise, Pattern::Pointwise, equality<false>,
             onePerResult,
             {.kind = kind::ne,
              .compute = compute::comparison<std::not_equal_to{}>,
              .commutes = true,
              .writesDifferently = true}),
    Operator("aten::lt=less onnx::Less _operator::lt prims::lt", Category::Elementwise, Pattern::Pointwise,
             binary<Less, Boolean>, onePerResult,
             {.kind = kind::lt, .compute = compute::comparison<std::less{}>, .writesDifferently = true}),
    Operator("aten::le=less_equal onnx::LessOrEqual _operator::le prims::le", Category::Elementwise, Pattern::Pointwise,
             binary<LessEqual, Boolean>, onePerResult,
             {.kind = kind::le, .compute = compute::comparison<std::less_equal{}>, .writesDifferently = true}),
    Operator("aten::gt=greater onnx::Greater _operator::gt prims::gt", Category::Elementwise, Pattern::Pointwise,
             binary<Greater, Boolean>, onePerResult,
             {.kind = kind::gt, .compute = compute::comparison<std::greater{}>, .writesDifferently = true}),
    Operator("aten::ge=greater_equal onnx::GreaterOrEqual _operator::ge prims::ge", Category::Elementwise,
             Pattern::Pointwise, binary<GreaterEqual, Boolean>, onePerResult,
             {.kind = kind::ge, .compute = compute::comparison<std::greater_equal{}>, .writesDifferently = true}),
    Operator("aten::isclose", Category::Elementwise, Pattern::Pointwise, pointwise<2, Boolean>, onePerResult,
             {.compute = compute::isClose,
              .formula =
                  "same = logical_or(self == other, logical_and(self != self, other != other)) if equal_nan else "
                  "self == other; distance = abs(self - other); logical_or(same, logical_and(isfinite(distance), "
                  "distance <= abs(other * rtol) + atol)) if isFloating(self) and dtype(self) == dtype(other)"}),
    Operator("aten::isin", Category::Elementwise, Pattern::Pointwise, membership, onePerResult,
             {.compute = compute::isIn}),

    Operator("aten::logical_and onnx::And", Category::Elementwise, Pattern::Pointwise, binary<LogicalAnd, Boolean>,
             onePerResult,
             {.kind = kind::logicalAnd,
              .compute = compute::comparison<std::logical_and{}>,
              .commutes = true,
              .writesDifferently = true}),
    Operator("aten::logical_or onnx::Or", Category::Elementwise, Pattern::Pointwise, binary<LogicalOr, Boolean>,
             onePerResult,
             {.kind = kind::logicalOr,
              .compute = compute::comparison<std::logical_or{}>,
              .commutes = true,
              .writesDifferently = true}),
    Operator("aten::logical_xor onnx::Xor", Category::Elementwise, Pattern::Pointwise, binary<LogicalXor, Boolean>,
             onePerResult,
             {.kind = kind::logicalXor,
              .compute = compute::comparison<compute::logicalXor>,
              .commutes = true,
              .writesDifferently = true}),
    Operator("aten::logical_not onnx::Not", Category::Elementwise, Pattern::Pointwise,
             unary<Function::LogicalNot, Boolean>, onePerResult,
             {.kind = kind::logicalNot, .compute = compute::predicate<compute::isZero>, .writesDifferently = true}),
    Operator("aten::__not__ _operator::not_ torch::sym_not", Category::Elementwise, Pattern::Pointwise,
             unary<Function::LogicalNot, Boolean>, onePerResult),
    Operator("aten::isnan onnx::IsNaN math::isnan", Category::Elementwise, Pattern::Pointwise,
             unary<Function::Nothing, Boolean>, onePerResult, {.compute = compute::predicate<std::isnan>}),
    Operator("aten::isfinite prims::isfinite math::isfinite", Category::Elementwise, Pattern::Pointwise,
             unary<Function::Nothing, Boolean>, onePerResult,
             {.compute = compute::predicate<std::isfinite>,
              .formula = "(logical_not(logical_or(isinf(self), isnan(self))) if isFloating(self) else self == self) if "
                         "not isComplex(self)"}),
    Operator("aten::isinf math::isinf", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Boolean>,
             onePerResult, {.compute = compute::predicate<compute::isInfinite>}),
    Operator("aten::isposinf", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Boolean>,
             onePerResult, {.compute = compute::predicate<compute::isPositiveInfinity>, .formula = "self == inf"}),
    Operator("aten::isneginf", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Boolean>,
             onePerResult, {.compute = compute::predicate<compute::isNegativeInfinity>, .formula = "self == -inf"}),
    Operator("aten::signbit prims::signbit", Category::Elementwise, Pattern::Pointwise,
             unary<Function::Nothing, Boolean>, onePerResult, {.compute = compute::predicate<compute::hasSignBit>}),
    Operator("onnx::IsInf", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Boolean>, onePerResult,
             {.compute = compute::isInfiniteAsAsked}),
    Operator("aten::isreal", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Boolean>,
             onePerResult),
    Operator("com.microsoft::IsAllFinite", Category::Elementwise, Pattern::Pointwise, booleanScalar, onePerArgument),

    Operator("aten::__is__ _operator::is_", Category::Elementwise, Pattern::Pointwise, sameness<true>, nullptr,
             {.compute = compute::sameness<true>}),
    Operator("aten::__isnot__ _operator::is_not", Category::Elementwise, Pattern::Pointwise, sameness<false>, nullptr,
             {.compute = compute::sameness<false>}),
    Operator("prim::isinstance", Category::Elementwise, Pattern::Pointwise, isInstance),
    Operator("aten::is_same_size aten::is_set_to", Category::Elementwise, Pattern::Pointwise, someBool),
    Operator("aten::equal aten::allclose", Category::Elementwise, Pattern::Pointwise, someBool, onePerArgument),

    Operator("aten::where onnx::Where prims::where", Category::Elementwise, Pattern::Pointwise, where, onePerResult,
             {.compute = compute::where,
              .formula =
                  "where(condition, cast(self, dtype(result)), cast(other, dtype(result))) if not (self is None) "
                  "else refused('it gives places, whose number the data decides')",
              .roundsOnce = true}),
    Operator("torch::sym_ite", Category::Elementwise, Pattern::Pointwise, numberWhere),

    Operator(
        "aten::maximum prims::maximum", Category::Elementwise, Pattern::Pointwise, binary<Maximum>, onePerResult,
        {.kind = kind::maximum, .compute = compute::binary<compute::maximum>, .commutes = true, .roundsOnce = true}),
    Operator("aten::fmax prims::fmax", Category::Elementwise, Pattern::Pointwise, binary<Maximum>, onePerResult,
             {.compute = compute::binary<compute::numberMaximum>,
              .formula = "where(logical_or(isnan(other), self >= other), self, other) if isFloating(result) else "
                         "maximum(self, other)",
              .commutes = true}),
    Operator(
        "aten::minimum prims::minimum", Category::Elementwise, Pattern::Pointwise, binary<Minimum>, onePerResult,
        {.kind = kind::minimum, .compute = compute::binary<compute::minimum>, .commutes = true, .roundsOnce = true}),
    Operator("aten::fmin prims::fmin", Category::Elementwise, Pattern::Pointwise, binary<Minimum>, onePerResult,
             {.compute = compute::binary<compute::numberMinimum>,
              .formula = "where(logical_or(isnan(other), self <= other), self, other) if isFloating(result) else "
                         "minimum(self, other)",
              .commutes = true}),
    Operator("prim::max torch::sym_max builtins::max", Category::Elementwise, Pattern::Pointwise, extremeOfTwo<Maximum>,
             onePerResult),
    Operator("onnx::Max", Category::Elementwise, Pattern::Pointwise, extremeOfTwo<Maximum>, onePerResult,
             {.kind = kind::maximum,
              .compute = compute::accumulated<compute::maximum>,
              .commutes = true,
              .roundsOnce = true}),
    Operator("prim::min torch::sym_min builtins::min", Category::Elementwise, Pattern::Pointwise, extremeOfTwo<Minimum>,
             onePerResult),
    Operator("onnx::Min", Category::Elementwise, Pattern::Pointwise, extremeOfTwo<Minimum>, onePerResult,
             {.kind = kind::minimum,
              .compute = compute::accumulated<compute::minimum>,
              .commutes = true,
              .roundsOnce = true}),
};

} // namespace

std::span<const Operator> comparisonOperators() { return comparisonRows; }

} // namespace cutaway::ops
