// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <numbers>
#include <numeric>

// Operators that came with a later version of ONNX, as ONNX's own definitions make them of older ones.

namespace cutaway::rules::to_onnx { // between versions

namespace {

using ir::Operand;
using Whole = VersionChange::Whole;
using Fault = std::optional<std::string>;

constexpr std::string_view dtypeUnknown = "its dtype is not known";

/// Makes nodes of the dtype of the first input, one after the other.
class Formula {
public:
    explicit Formula(VersionChange &change) : m_change(change), m_type(ops::tensorFact(change.dtype(0))) { }

    bool isKnown() const { return m_type.dtype.has_value(); }
    Operand x() const { return m_change.input(0); }
    Operand number(double value) const { return m_change.scalar(*m_type.dtype, value); }
    Operand of(OnnxName op, std::vector<Operand> inputs, std::vector<VersionChange::Attribute> attributes = {}) const
    {
        return m_change.make(op, std::move(inputs), std::move(attributes), m_type);
    }
    Fault is(const Operand &made) const
    {
        m_change.replaceBy(made);
        return std::nullopt;
    }

private:
    VersionChange &m_change;
    ops::TensorFact m_type;
};

/// x >= y is not x < y but for NaN, where both are false: so it is x > y or x = y.
Fault strictOrSame(VersionChange &change, OnnxName strict)
{
    const auto boolean = ops::tensorFact(ir::DType::Bool);
    const std::vector<Operand> inputs = change.inputs();
    const Operand isStrict = change.make(strict, inputs, {}, boolean),
                  isSame = change.make("Equal", inputs, {}, boolean);
    change.replaceBy(change.make("Or", {isStrict, isSame}, {}, change.result()));
    return std::nullopt;
}

Fault greaterOrEqual(VersionChange &change) { return strictOrSame(change, "Greater"); }
Fault lessOrEqual(VersionChange &change) { return strictOrSame(change, "Less"); }

Fault hardSwish(VersionChange &change)
{
    const Formula f(change);
    return f.is(f.of("Mul", {f.x(), f.of("HardSigmoid", {f.x()}, {{"alpha", 1.0 / 6}, {"beta", 0.5}})}));
}

Fault mish(VersionChange &change)
{
    const Formula f(change);
    return f.is(f.of("Mul", {f.x(), f.of("Tanh", {f.of("Softplus", {f.x()})})}));
}

Fault gelu(VersionChange &change)
{
    const Formula f(change);
    if (!f.isKnown())
        return std::string(dtypeUnknown);
    const auto times = [&](const Operand &a, const Operand &b) { return f.of("Mul", {a, b}); };
    const Operand half = times(f.number(0.5), f.x());
    if (change.text("approximate", "none") != "tanh") {
        const Operand erf = f.of("Erf", {times(f.x(), f.number(1 / std::numbers::sqrt2))});
        return f.is(times(half, f.of("Add", {f.number(1), erf})));
    }
    const Operand cube = times(f.number(0.044715), f.of("Pow", {f.x(), f.number(3)}));
    const Operand inner = times(f.number(std::numbers::sqrt2 * std::numbers::inv_sqrtpi), f.of("Add", {f.x(), cube}));
    return f.is(times(half, f.of("Add", {f.number(1), f.of("Tanh", {inner})})));
}

/// Celu is max(0, x) + min(0, alpha * (exp(x / alpha) - 1)), as Elu of x / alpha times alpha.
Fault celu(VersionChange &change)
{
    const Formula f(change);
    const double alpha = change.real("alpha").value_or(1);
    if (!f.isKnown())
        return std::string(dtypeUnknown);
    if (!(alpha > 0))
        return "its alpha is not above 0";
    const Operand elu = f.of("Elu", {f.of("Div", {f.x(), f.number(alpha)})}, {{"alpha", 1.0}});
    return f.is(f.of("Mul", {elu, f.number(alpha)}));
}

Fault castLike(VersionChange &change)
{
    const auto to = change.dtype(1);
    const auto number = to ? ir::numberOf(*to, ir::Numbering::Onnx) : std::nullopt;
    if (!number)
        return std::string(dtypeUnknown);
    change.replaceBy(change.make("Cast", {change.input(0)}, {{"to", *number}}, change.result()));
    return std::nullopt;
}

/// Opset 17 brought it, so it is of opset 16 what it is made of.
Fault layerNormalization(VersionChange &change)
{
    const auto rank = change.rank(0);
    const auto dtype = change.dtype(0);
    if (!rank || (dtype != ir::DType::Float32 && dtype != ir::DType::Float64))
        return "its rank is not known, or it is computed in another precision";
    if (change.isRead(1) || change.isRead(2))
        return "its mean or deviation is read";
    const auto first = ops::dimension(change.integer("axis").value_or(-1), *rank);
    if (!first)
        return "its axis is out of range";
    Whole axes(*rank - *first);
    std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(*first));
    const Formula f(change);
    const auto mean = [&](const Operand &of) {
        return f.of("ReduceMean", {of}, {{"axes", VersionChange::list(axes)}, {"keepdims", std::int64_t{1}}});
    };
    const Operand centered = f.of("Sub", {f.x(), mean(f.x())});
    const Operand variance = mean(f.of("Mul", {centered, centered}));
    const Operand deviation = f.of("Sqrt", {f.of("Add", {variance, f.number(change.real("epsilon").value_or(1e-5))})});
    Operand made = f.of("Mul", {f.of("Div", {centered, deviation}), change.input(1)});
    if (change.has(2))
        made = f.of("Add", {made, change.input(2)});
    return f.is(made);
}

/// Each group is an instance; then groups are scaled and shifted.
Fault groupNormalization(VersionChange &change)
{
    const auto rank = change.rank(0);
    const auto groups = change.integer("num_groups");
    const auto dtype = change.dtype(0);
    if (!rank || *rank < 2 || !groups || (dtype != ir::DType::Float32 && dtype != ir::DType::Float64))
        return "its rank is not known, or it is computed in another precision";
    const Formula f(change);
    const Operand grouped = f.of("Reshape", {f.x(), change.constant({0, *groups, -1})});
    const Operand normal = f.of("InstanceNormalization", {grouped, change.input(1), change.input(2)},
                                {{"epsilon", change.real("epsilon").value_or(1e-5)}});
    const Operand shape = change.make("Shape", {f.x()}, {}, ops::tensorFact(ir::DType::Int64));
    return f.is(f.of("Reshape", {normal, shape}));
}

/// A tensor of the shape with one element everywhere is that element, expanded.
Fault constantOfShape(VersionChange &change)
{
    const Operand *value = change.node().argument("value");
    if (value)
        return "its value is a tensor of its own";
    change.replaceBy(
        change.make("Expand", {change.scalar(ir::DType::Float32, 0), change.input(0)}, {}, change.result()));
    return std::nullopt;
}

constexpr VersionRow laterVersions[] = {
    {"onnx::GreaterOrEqual", 12, nullptr, greaterOrEqual},
    {"onnx::LessOrEqual", 12, nullptr, lessOrEqual},
    {"onnx::HardSwish", 14, nullptr, hardSwish},
    {"onnx::Mish", 18, nullptr, mish},
    {"onnx::Gelu", 20, nullptr, gelu},
    {"onnx::Celu", 12, nullptr, celu},
    {"onnx::CastLike", 15, nullptr, castLike},
    {"onnx::LayerNormalization", 17, nullptr, layerNormalization},
    {"onnx::GroupNormalization", 18, nullptr, groupNormalization},
    {"onnx::ConstantOfShape", 9, nullptr, constantOfShape},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family laterOperators() { return {.versions = to_onnx::laterVersions}; }

} // namespace cutaway::rules
