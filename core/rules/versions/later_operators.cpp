// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <numbers>
#include <numeric>

// These rules replace operators that came with a later version of ONNX by older ones, as ONNX's own definitions do.

namespace cutaway::rules::to_onnx { // between versions

namespace {

using ir::Operand;
using Numbers = VersionChange::Numbers;

bool isWide(ir::DType dtype) { return dtype == ir::DType::Float32 || dtype == ir::DType::Float64; }

/// Makes a chain of nodes with the dtype of the first input.
class Formula {
public:
    explicit Formula(VersionChange &change) : m_change(change), m_type(ops::tensorFact(change.knownDType(0))) { }

    Operand x() const { return m_change.input(0); }
    /// Precondition: the dtype is known.
    Operand number(double value) const { return m_change.scalar(*m_type.dtype, value); }
    Operand of(OnnxName op, std::vector<Operand> inputs, std::vector<VersionChange::Attribute> attributes = {}) const
    {
        return m_change.make(op, std::move(inputs), std::move(attributes), m_type);
    }

private:
    VersionChange &m_change;
    ops::TensorFact m_type;
};

/// Makes x >= y as x > y or x = y, and x <= y likewise; `strict` is the comparison without equality. x >= y is not the
/// negation of x < y, since for NaN both are false.
void strictOrSame(VersionChange &change, OnnxName strict)
{
    const auto boolean = ops::tensorFact(ir::DType::Bool);
    const std::vector<Operand> inputs = change.inputs();
    const Operand isStrict = change.make(strict, inputs, {}, boolean),
                  isSame = change.make("Equal", inputs, {}, boolean);
    change.replaceBy(change.make("Or", {isStrict, isSame}, {}, change.result()));
}

void greaterOrEqual(VersionChange &change) { strictOrSame(change, "Greater"); }
void lessOrEqual(VersionChange &change) { strictOrSame(change, "Less"); }

void hardSwish(VersionChange &change)
{
    const Formula f(change);
    change.replaceBy(f.of("Mul", {f.x(), f.of("HardSigmoid", {f.x()}, {{"alpha", 1.0 / 6}, {"beta", 0.5}})}));
}

void mish(VersionChange &change)
{
    const Formula f(change);
    change.replaceBy(f.of("Mul", {f.x(), f.of("Tanh", {f.of("Softplus", {f.x()})})}));
}

void gelu(VersionChange &change)
{
    const Formula f(change);
    change.dtype(0);
    if (change.isRefused())
        return;
    const auto times = [&](const Operand &a, const Operand &b) { return f.of("Mul", {a, b}); };
    const Operand half = times(f.number(0.5), f.x());
    if (change.text("approximate", "none") != "tanh") {
        const Operand erf = f.of("Erf", {times(f.x(), f.number(1 / std::numbers::sqrt2))});
        return change.replaceBy(times(half, f.of("Add", {f.number(1), erf})));
    }
    const Operand cube = f.of("Pow", {f.x(), f.number(3)});
    const Operand bent = f.of("Add", {f.x(), times(f.number(0.044715), cube)});
    const Operand inner = times(f.number(std::numbers::sqrt2 * std::numbers::inv_sqrtpi), bent);
    change.replaceBy(times(half, f.of("Add", {f.number(1), f.of("Tanh", {inner})})));
}

/// Makes Celu, max(0, x) + min(0, alpha * (exp(x / alpha) - 1)), as Elu of x / alpha, times alpha.
void celu(VersionChange &change)
{
    const Formula f(change);
    const double alpha = change.number("alpha", 1);
    change.dtype(0);
    if (change.isRefused() || !(alpha > 0))
        return change.reject("its alpha is not above 0");
    const Operand elu = f.of("Elu", {f.of("Div", {f.x(), f.number(alpha)})}, {{"alpha", 1.0}});
    change.replaceBy(f.of("Mul", {elu, f.number(alpha)}));
}

void castLike(VersionChange &change)
{
    const auto number = ir::numberOf(change.dtype(1), ir::Numbering::Onnx);
    if (!number)
        return change.reject("its dtype is not one of ONNX");
    change.replaceBy(change.make("Cast", {change.input(0)}, {{"to", *number}}, change.result()));
}

/// Makes a layer normalization of operators of opset 16, as opset 17 introduced it.
void layerNormalization(VersionChange &change)
{
    const std::size_t rank = change.rank(0);
    if (!isWide(change.dtype(0)))
        return change.reject("it is computed in another precision");
    if (change.isRead(1) || change.isRead(2))
        return change.reject("its mean or deviation is read");
    const auto first = ops::dimension(change.integer("axis", -1), rank);
    if (change.isRefused() || !first)
        return change.reject("its axis is out of range");
    Numbers axes(rank - *first);
    std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(*first));
    const Formula f(change);
    const auto mean = [&](const Operand &of) {
        return f.of("ReduceMean", {of}, {{"axes", VersionChange::list(axes)}, {"keepdims", std::int64_t{1}}});
    };
    const Operand centered = f.of("Sub", {f.x(), mean(f.x())});
    const Operand variance = mean(f.of("Mul", {centered, centered}));
    const Operand deviation = f.of("Sqrt", {f.of("Add", {variance, f.number(change.number("epsilon", 1e-5))})});
    const Operand made = f.of("Mul", {f.of("Div", {centered, deviation}), change.input(1)});
    change.replaceBy(change.has(2) ? f.of("Add", {made, change.input(2)}) : made);
}

/// Normalizes each group as an instance, and scales and shifts the groups afterwards.
void groupNormalization(VersionChange &change)
{
    const std::int64_t groups = change.integer("num_groups");
    if (change.rank(0) < 2 || !isWide(change.dtype(0)))
        return change.reject("it is computed in another precision, or has no channels");
    if (change.isRefused())
        return;
    const Formula f(change);
    const Operand grouped = f.of("Reshape", {f.x(), change.constant({0, groups, -1})});
    const Operand normal = f.of("InstanceNormalization", {grouped, change.input(1), change.input(2)},
                                {{"epsilon", change.number("epsilon", 1e-5)}});
    const Operand shape = change.make("Shape", {f.x()}, {}, ops::tensorFact(ir::DType::Int64));
    change.replaceBy(f.of("Reshape", {normal, shape}));
}

/// Makes a tensor with one element everywhere, by expanding that element to the shape.
void constantOfShape(VersionChange &change)
{
    if (change.has("value"))
        return change.reject("its value is a tensor of its own");
    change.replaceBy(
        change.make("Expand", {change.scalar(ir::DType::Float32, 0), change.input(0)}, {}, change.result()));
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
