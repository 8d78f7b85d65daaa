// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/promotion.h"
#include "core/rules/pointwise.h"
#include "core/rules/rules.h"

#include <array>

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;

Parts logical(N &n, AtenName target) { return {n.make(target, {n[0], alignedSecond(n)})}; }

Parts choice(N &n) { return {n.make("where.self", {n[0], n[1], n[2]})}; }

Parts isInfinite(N &n)
{
    const bool negative = n.integer("detect_negative", 1) != 0, positive = n.integer("detect_positive", 1) != 0;
    if (!negative && !positive)
        return {n.full(n.result().shape, ir::Operand(false), n.declaredDType())};
    return {n.make(negative && positive ? "isinf" : negative ? AtenName("isneginf") : AtenName("isposinf"), {n[0]})};
}

constexpr OnnxLowering comparisonLowerings[] = {
    {"onnx::And", [](N &n) { return logical(n, "logical_and"); }},
    {"onnx::BitwiseAnd", [](N &n) { return logical(n, "bitwise_and.Tensor"); }},
    {"onnx::BitwiseOr", [](N &n) { return logical(n, "bitwise_or.Tensor"); }},
    {"onnx::BitwiseXor", [](N &n) { return logical(n, "bitwise_xor.Tensor"); }},
    {"onnx::Equal", binary<"eq">},
    {"onnx::Greater", binary<"gt">},
    {"onnx::GreaterOrEqual", binary<"ge">},
    {"onnx::IsInf", isInfinite},
    {"onnx::Less", binary<"lt">},
    {"onnx::LessOrEqual", binary<"le">},
    {"onnx::Or", [](N &n) { return logical(n, "logical_or"); }},
    {"onnx::Where", choice},
    {"onnx::Xor", [](N &n) { return logical(n, "logical_xor"); }},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

/// Returns the dtype in which torch compares both operands.
std::optional<DType> commonType(const ops::Fact &a, const ops::Fact &b)
{
    const std::array<const ops::Fact *, 2> both{&a, &b};
    const auto *x = a.as<ops::NumberFact>(), *y = b.as<ops::NumberFact>();
    if (!x || !y)
        return ops::resultType(both);
    const bool isFloat = x->kind == ops::NumberFact::Kind::Float || y->kind == ops::NumberFact::Kind::Float;
    return isFloat ? DType::Float64 : DType::Int64;
}

/// Returns the two operands in a dtype that ONNX Runtime compares.
std::pair<Term, Term> comparable(L &l)
{
    DType dtype = l.known(commonType(l.call()[0u], l.call()[1u]), "the common dtype is");
    if (dtype == DType::BFloat16)
        dtype = DType::Float32;
    else if (!ir::isFloating(dtype) && dtype != DType::Int64)
        dtype = DType::Int32;
    return {l.as(0, dtype), l.as(1, dtype)};
}

Results comparisonRule(L &l, OnnxName op)
{
    const auto [a, b] = comparable(l);
    return {compared(op, a, b)};
}

Results notEqualRule(L &l)
{
    const auto [a, b] = comparable(l);
    return {applied("Not", compared("Equal", a, b))};
}

Results logicalRule(L &l, OnnxName op) { return {l.make(op, {l.as(0, DType::Bool), l.as(1, DType::Bool)})}; }

Results logicalNotRule(L &l) { return {applied("Not", l.as(0, DType::Bool))}; }

/// Makes And, Or, Xor for Booleans, or the bitwise operators for integers.
Results bitwiseRule(L &l, OnnxName op)
{
    const DType dtype = l.declaredDType();
    if (dtype == DType::Bool)
        return {l.make(op, {l.as(0, dtype), l.as(1, dtype)})};
    if (l.opset() < 18)
        return l.refuse("bitwise operators need opset 18");
    return {l.make(OnnxName::computed("Bitwise" + std::string(op)), {l.as(0, dtype), l.as(1, dtype)})};
}

Results bitwiseNotRule(L &l)
{
    const Term x = l[0];
    if (x.dtype == DType::Bool)
        return {applied("Not", x)};
    return {l.scalar(-1, x.dtype) - x};
}

/// Returns the positions of true elements, a vector for each dimension.
Results placesRule(L &l)
{
    const auto rank = static_cast<std::int64_t>(l.tensor("condition").rank());
    if (rank == 0)
        return l.refuse("of a scalar");
    const Term places = l.make("NonZero", {l.as("condition", DType::Bool)}, {}, DType::Int64);
    std::vector<Term> vectors;
    for (std::int64_t i = 0; i < rank; ++i)
        vectors.push_back(l.make("Gather", {places, l.scalar(i)}, {{"axis", std::int64_t{0}}}));
    return l.listed(vectors);
}

Results whereRule(L &l)
{
    if (!l.has("self"))
        return placesRule(l);
    const DType dtype = l.resultDType();
    const Term b = l.as("other", dtype);
    const Term a = l.as("self", dtype);
    return {where(l.as("condition", DType::Bool), a, b)};
}

Results isNanRule(L &l)
{
    const Term x = l[0];
    if (!ir::isFloating(x.dtype))
        return {applied("Not", compared("Equal", x, x))};
    return {l.make("IsNaN", {x}, {}, DType::Bool)};
}

Results isInfRule(L &l)
{
    const Term x = l[0];
    // No integer is infinite: the result is whether an element differs from itself, which is false everywhere.
    if (!ir::isFloating(x.dtype))
        return {applied("Not", compared("Equal", x, x))};
    return {l.make("IsInf", {cast(x, x.dtype == DType::Float64 ? x.dtype : DType::Float32)}, {}, DType::Bool)};
}

/// Computes whether each element of the first tensor equals any element of the second one.
Results isInRule(L &l)
{
    const auto [a, b] = comparable(l);
    const Term each = unsqueeze(a, {-1}), others = vectorOf(b);
    const Term equal = cast(compared("Equal", each, others), DType::Int64);
    const Term found = cast(reduce("ReduceSum", equal, {-1}, false), DType::Bool);
    return {l.flag("invert") ? applied("Not", found) : found};
}

constexpr LoweringRule comparisonRules[] = {
    {"aten::eq _operator::eq", with<comparisonRule, OnnxName("Equal")>},
    {"aten::ne aten::not_equal _operator::ne", notEqualRule},
    {"aten::lt aten::less _operator::lt", with<comparisonRule, OnnxName("Less")>},
    {"aten::gt aten::greater _operator::gt", with<comparisonRule, OnnxName("Greater")>},
    {"aten::le aten::less_equal _operator::le", with<comparisonRule, OnnxName("LessOrEqual")>},
    {"aten::ge aten::greater_equal _operator::ge", with<comparisonRule, OnnxName("GreaterOrEqual")>},
    {"aten::logical_and", with<logicalRule, OnnxName("And")>},
    {"aten::logical_or", with<logicalRule, OnnxName("Or")>},
    {"aten::logical_xor", with<logicalRule, OnnxName("Xor")>},
    {"aten::logical_not aten::__not__", logicalNotRule},
    {"aten::bitwise_and aten::__and__", with<bitwiseRule, OnnxName("And")>},
    {"aten::bitwise_or aten::__or__", with<bitwiseRule, OnnxName("Or")>},
    {"aten::bitwise_xor aten::__xor__", with<bitwiseRule, OnnxName("Xor")>},
    {"aten::bitwise_not", bitwiseNotRule},
    {"aten::where", whereRule},
    {"aten::isnan", isNanRule},
    {"aten::isinf", isInfRule},
    {"aten::isin", isInRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family comparison() { return {.fromOnnx = to_aten::comparisonLowerings, .toOnnx = to_onnx::comparisonRules}; }

} // namespace cutaway::rules
