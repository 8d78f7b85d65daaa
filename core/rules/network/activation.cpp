// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/softmax_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/pointwise.h"
#include "core/rules/rules.h"

#include <cmath>
#include <numbers>

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

Parts prelu(D &d)
{
    const auto shape = d.tensor("self"), slopes = d.tensor("weight");
    if (shape.dtype != slopes.dtype || slopes.rank() > 1)
        return d.refuse("its slopes are of another dtype, or no vector");
    const Term x = d["self"];
    Term slope = d["weight"];
    if (slopes.rank() == 1 && shape.rank() != 1) {
        ir::Shape wide(shape.rank(), ops::one);
        if (shape.rank() > 1)
            wide[1] = slopes.shape.front();
        slope = reshape(slope, wide);
    }
    const Term isAbove = compared("gt", x, d.term(0.0));
    return {where(isAbove, x, slope * x)};
}

constexpr DecompositionRule activationDecompositions[] = {
    {"aten::prelu", prelu},
};

// ---- from ONNX

using N = OnnxNode;

Parts identity(N &n) { return {n[0]}; }

/// Returns the input, and a mask of ones. Refuses a dropout in training, which draws random numbers.
Parts dropout(N &n)
{
    const bool isOldTraining = n.opset() < 7 && n.integer("is_test", 0) == 0;
    if (isOldTraining || (n.has(2) && n.constantNumber(2) != 0.0))
        return n.refuse("it is in training, or may be");
    if (n.resultCount() == 1)
        return {n[0]};
    const auto mask = n.result(1);
    const ir::Operand one = mask.dtype == ir::DType::Bool ? ir::Operand(true) : ir::Operand(1.0);
    return {n[0], n.full(mask.shape, one, mask.dtype)};
}

/// Makes a clamp; before operator set 11, its limits are attributes.
Parts clip(N &n)
{
    const bool isOld = n.opset() < 11 && !n.has(1) && !n.has(2);
    const Term low = isOld ? n["min"] : n[1], high = isOld ? n["max"] : n[2];
    if (low.isNone() && high.isNone())
        return {n[0]};
    if (isOld)
        return {n.make("clamp", {n[0], low, high})};
    // torch's clamp takes two numbers or two tensors.
    const auto from = n.constantNumber(1), to = n.constantNumber(2);
    if (!isFloatInput(n) || (n.has(1) && !from) || (n.has(2) && !to))
        return {n.make("clamp.Tensor", {n[0], low, high})};
    return {n.make("clamp", {n[0], from ? ir::Operand(*from) : ir::Operand(), to ? ir::Operand(*to) : ir::Operand()})};
}

Parts leakyRelu(N &n) { return {n.make("leaky_relu", {n[0], ir::Operand(n.number("alpha", 0.01))})}; }

Parts elu(N &n) { return {n.make("elu", {n[0], ir::Operand(n.number("alpha", 1.0))})}; }

Parts celu(N &n) { return {n.make("celu", {n[0], ir::Operand(n.number("alpha", 1.0))})}; }

Parts hardSigmoid(N &n)
{
    const double alpha = n.number("alpha", 0.2), beta = n.number("beta", 0.5);
    constexpr double sixth = 1.0 / 6;
    if (std::abs(alpha - sixth) < 1e-6 && beta == 0.5)
        return {n.make("hardsigmoid", {n[0]})};
    return {n.make("clamp", {n[0] * alpha + beta, ir::Operand(0.0), ir::Operand(1.0)})};
}

/// Makes torch's softplus, which returns x above a threshold; that makes no difference in float32. Other dtypes are
/// computed as max(x, 0) + log1p(exp(-|x|)).
Parts softplus(N &n)
{
    if (n.dtype(0) == ir::DType::Float32)
        return {n.make("softplus", {n[0]})};
    const Term rest = applied("log1p", applied("exp", -applied("abs", n[0])));
    return {applied("relu", n[0]) + rest};
}

Parts softsign(N &n) { return {n[0] / (applied("abs", n[0]) + 1.0)}; }

Parts gelu(N &n)
{
    const std::string_view kind = n.text("approximate", "none");
    return {kind == "none" ? n.make("gelu", {n[0]}) : n.make("gelu", {n[0], {"approximate", n.word(kind)}})};
}

/// Makes torch's selu if the constants are ONNX's defaults, and elu for other constants.
Parts selu(N &n)
{
    if (!n.has("alpha") && !n.has("gamma") && n.opset() >= 6)
        return {n.make("selu", {n[0]})};
    const bool isOld = n.opset() < 6; // old operator sets define the constants with fewer digits
    return {n.make("elu",
                   {n[0], ir::Operand(n.number("alpha", isOld ? 1.6732 : 1.67326319217681884765625)),
                    ir::Operand(n.number("gamma", isOld ? 1.0507 : 1.05070102214813232421875))})};
}

/// Multiplies negative elements by a slope. Before operator set 7, a vector of slopes is one slope for each channel,
/// and gets the dimensions that let it broadcast.
Parts prelu(N &n)
{
    const auto data = n.tensor(0), given = n.tensor(1);
    Term slope = n[1];
    if (n.opset() < 7 && given.rank() == 1 && data.rank() > 2) {
        ir::Shape shape(data.rank() - 1, ops::one);
        shape[0] = given.shape[0];
        slope = reshape(slope, shape);
    }
    const Term isAbove = compared("ge", n[0], n.term(std::int64_t{0}));
    return {where(isAbove, n[0], n[0] * slope)};
}

/// Returns x moved towards 0 by a bias if it is farther from 0 than a limit, else 0.
Parts shrink(N &n)
{
    const ir::DType dtype = n.dtype(0);
    if (!ir::isFloating(dtype))
        return n.refuse("it is of no floats");
    const double limit = n.number("lambd", 0.5), bias = n.number("bias", 0);
    const Term above = compared("gt", n[0], n.term(limit)), below = compared("lt", n[0], n.term(-limit));
    return {where(above, n[0] - bias, where(below, n[0] + bias, n.scalar(0.0, dtype)))};
}

Parts thresholdedRelu(N &n)
{
    return {n.make("threshold", {n[0], ir::Operand(n.number("alpha", 1.0)), ir::Operand(0.0)})};
}

Parts swish(N &n)
{
    const double alpha = n.number("alpha", 1.0);
    return {n[0] * applied("sigmoid", alpha == 1 ? n[0] : n[0] * alpha)};
}

/// Refuses casts to floats of 8 bits, as ONNX saturates too large numbers and torch makes them NaN.
Parts cast(N &n)
{
    const ir::DType dtype = n.declaredDType();
    const bool isWideFloat = ir::isFloating(dtype) && *ir::bitWidth(dtype) > 8;
    if (!isWideFloat && !ir::isInteger(dtype) && dtype != ir::DType::Bool)
        return n.refuse("torch converts to such a dtype in another way, or has none");
    return {cast(n[0], dtype)};
}

/// Applies a function along an axis. Before operator set 13, the function runs over the axis and all dimensions after
/// it as if they were one.
template <class Make>
Parts alongAxis(N &n, const Make &make)
{
    const ops::SoftmaxArguments given = ops::softmaxArguments(n.call());
    const auto x = n.tensor(0);
    const auto axis = given.axis ? ops::dimension(*given.axis, x.rank()) : std::nullopt;
    if (!axis)
        return n.refuse("its axis is none of its input");
    const auto dim = static_cast<std::int64_t>(*axis);
    if (!given.flattens || *axis + 1 == x.rank())
        return {make(n[0], *axis + 1 == x.rank() ? -1 : dim)};
    return {reshape(make(n.make("flatten.using_ints", {n[0], dim, -1}), -1), x.shape)};
}

Parts softmax(N &n, AtenName target)
{
    return alongAxis(n, [&](const Term &x, std::int64_t dim) { return n.make(target, {x, dim}); });
}

/// Returns 1 at the first of the largest elements along the axis, and 0 elsewhere.
Parts hardmax(N &n)
{
    return alongAxis(n, [&](const Term &x, std::int64_t dim) {
        const Term places = n.make("argmax", {x, dim, true});
        return n.make("scatter.value", {n.make("zeros_like", {x}), dim, places, ir::Operand(1.0)});
    });
}

constexpr OnnxLowering activationLowerings[] = {
    {"onnx::Cast", cast},           {"onnx::CastLike", cast},
    {"onnx::Celu", celu},           {"onnx::Clip", clip},
    {"onnx::Dropout", dropout},     {"onnx::Elu", elu},
    {"onnx::Gelu", gelu},           {"onnx::HardSigmoid", hardSigmoid},
    {"onnx::Hardmax", hardmax},     {"onnx::Identity", identity},
    {"onnx::LeakyRelu", leakyRelu}, {"onnx::LogSoftmax", [](N &n) { return softmax(n, "log_softmax.int"); }},
    {"onnx::PRelu", prelu},         {"onnx::Selu", selu},
    {"onnx::Shrink", shrink},       {"onnx::Softmax", [](N &n) { return softmax(n, "softmax.int"); }},
    {"onnx::Softplus", softplus},   {"onnx::Softsign", softsign},
    {"onnx::Swish", swish},         {"onnx::ThresholdedRelu", thresholdedRelu},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;

Results reluRule(L &l)
{
    const Term x = l[0];
    return {ir::isFloating(x.dtype) ? applied("Relu", x) : l.make("Max", {x, l.scalar(0, x.dtype)})};
}

Results hardtanhRule(L &l)
{
    const Term x = l[0];
    return {l.make("Clip", {x, l.as("min_val", x.dtype), l.as("max_val", x.dtype)})};
}

/// Makes a single node, which runtimes fuse.
Results relu6Rule(L &l) { return {l.make("Clip", {l[0], l.scalar(0, l[0].dtype), l.scalar(6, l[0].dtype)})}; }

Results clampRule(L &l)
{
    const ir::DType dtype = l.resultDType();
    Term x = cast(l[0], dtype);
    if (l.has("min"))
        x = l.make("Max", {x, l.as("min", dtype)});
    if (l.has("max"))
        x = l.make("Min", {x, l.as("max", dtype)});
    return {l.has("min") || l.has("max") ? x : applied("Identity", x)};
}

Results hardsigmoidRule(L &l) { return {l.make("HardSigmoid", {l[0]}, {{"alpha", 1.0 / 6}, {"beta", 0.5}})}; }

Results geluNode(L &l)
{
    const std::string_view kind = l.has("approximate") ? l.text("approximate") : "none";
    return {l.make("Gelu", {l[0]}, {{"approximate", ir::String{l.graph().context().name(kind)}}})};
}

Results geluParts(L &l)
{
    const Term x = l[0], half = x * 0.5;
    if (l.text("approximate") == "tanh") {
        const Term inner = (x + x * x * x * 0.044715) * std::sqrt(2 / std::numbers::pi);
        return {half * (applied("Tanh", inner) + 1)};
    }
    return {half * (applied("Erf", x / std::numbers::sqrt2) + 1)};
}

Results leakyReluRule(L &l) { return {l.make("LeakyRelu", {l[0]}, {{"alpha", l.number("negative_slope")}})}; }

/// Refuses scales other than 1: Elu of ONNX has one slope.
Results eluRule(L &l)
{
    if (l.number("scale") != 1 || l.number("input_scale") != 1)
        return l.refuse("a scale other than 1");
    return {l.make("Elu", {l[0]}, {{"alpha", l.number("alpha")}})};
}

Results celuRule(L &l)
{
    const Term x = l[0];
    const double alpha = l.number("alpha");
    const Term zero = l.scalar(0, x.dtype);
    const Term below = l.make("Min", {zero, (applied("Exp", x / alpha) - 1) * alpha});
    return {l.make("Max", {x, zero}) + below};
}

Results seluRule(L &l) { return {applied("Selu", l[0])}; }

Results softplusRule(L &l)
{
    const double beta = l.number("beta"), threshold = l.number("threshold");
    const Term x = l[0], scaled = x * beta;
    const Term bent = applied("Softplus", scaled) / beta;
    return {where(compared("Greater", scaled, l.scalar(threshold, x.dtype)), x, bent)};
}

Results logSigmoidRule(L &l)
{
    const Term x = l[0];
    return {applied("Neg", applied("Softplus", applied("Neg", x)))};
}

Results mishRule(L &l)
{
    const Term x = l[0];
    return {x * applied("Tanh", applied("Softplus", x))};
}

Results preluRule(L &l)
{
    const auto x = l.tensor("self"), weight = l.tensor("weight");
    Term slope = l["weight"];
    if (weight.rank() == 1 && x.rank() > 1 && !ops::isOne(weight.shape.front())) {
        std::vector<std::int64_t> sizes(x.rank() - 1, 1);
        sizes.front() = -1;
        slope = reshape(slope, sizes);
    }
    return {l.make("PRelu", {l["self"], slope})};
}

Results hardshrinkRule(L &l)
{
    const Term x = l[0];
    return {l.make("Shrink", {x}, {{"lambd", l.number("lambd")}, {"bias", 0.0}})};
}

Results softshrinkRule(L &l)
{
    const double lambd = l.number("lambd");
    return {l.make("Shrink", {l[0]}, {{"lambd", lambd}, {"bias", lambd}})};
}

Results gluRule(L &l)
{
    const auto x = l.tensor("self");
    const auto axis = l.axis("dim", x.rank());
    const std::vector<ir::DType> both(2, l["self"].dtype);
    const Term shape = sizeOf(l["self"], axis);
    const Term half = vectorOf(l.make("Div", {shape, l.scalar(std::int64_t{2})}));
    const auto parts = l.makeAll("Split", {l["self"], concat({half, half}, 0)}, {{"axis", axis}}, both);
    return {parts[0] * applied("Sigmoid", parts[1])};
}

Results softmaxRule(L &l, OnnxName op)
{
    const auto given = ops::softmaxArguments(l.call());
    const auto x = l.tensor(given.input);
    const std::int64_t axis = l.known(given.axis, "the dimension is");
    Term from = l[given.input];
    if (given.dtype && *given.dtype != ir::DType::BFloat16)
        from = cast(from, l.known(*given.dtype, "the dtype is"));
    else if (!ir::isFloating(from.dtype))
        from = cast(from, l.resultDType());
    if (x.rank() == 0)
        return {squeeze(l.make(op, {unsqueeze(from, {0})}, {{"axis", std::int64_t{0}}}), {0})};
    return {l.make(op, {from}, {{"axis", axis}})};
}

/// Returns the input: the node does nothing outside of training.
Results dropoutRule(L &l)
{
    const bool isTraining = l.has("train") ? l.flag("train") : l.has("training") && l.flag("training");
    if (isTraining && l.number("p") != 0)
        return l.refuse("it draws random numbers in training");
    return {l.unchanged(), Lowered()};
}

constexpr LoweringRule activationRules[] = {
    {"aten::relu", reluRule},
    {"aten::hardtanh", hardtanhRule},
    {"aten::relu6", relu6Rule},
    {"aten::clamp aten::clamp_min aten::clamp_max aten::clip", clampRule},
    {"aten::hardsigmoid", hardsigmoidRule},
    {"aten::gelu", geluNode, 20},
    {"aten::gelu", geluParts},
    {"aten::leaky_relu", leakyReluRule},
    {"aten::elu", eluRule},
    {"aten::celu", celuRule},
    {"aten::selu", seluRule},
    {"aten::softplus", softplusRule},
    {"aten::log_sigmoid", logSigmoidRule},
    {"aten::mish", mishRule},
    {"aten::prelu aten::_prelu_kernel", preluRule},
    {"aten::hardshrink", hardshrinkRule},
    {"aten::softshrink", softshrinkRule},
    {"aten::glu", gluRule},
    {"aten::softmax aten::_softmax aten::special_softmax", with<softmaxRule, OnnxName("Softmax")>},
    {"aten::log_softmax aten::_log_softmax aten::special_log_softmax", with<softmaxRule, OnnxName("LogSoftmax")>},
    {"aten::dropout aten::native_dropout aten::feature_dropout aten::alpha_dropout aten::feature_alpha_dropout",
     dropoutRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family activation()
{
    return {.decompositions = to_aten::activationDecompositions,
            .fromOnnx = to_aten::activationLowerings,
            .toOnnx = to_onnx::activationRules};
}

} // namespace cutaway::rules
