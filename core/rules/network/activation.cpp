// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/arguments/reduce_arguments.h"
#include "core/ops/arguments/softmax_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/pointwise.h"
#include "core/rules/rules.h"
#include "core/rules/windowed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <ranges>

namespace cutaway::rules::to_aten { // core ATen

namespace {

using D = Decomposition;

Parts prelu(D &d)
{
    const Term x = d["self"], weight = d["weight"];
    const auto shape = d.tensor(x), slopes = d.tensor(weight);
    if (!shape || !slopes || shape->dtype != slopes->dtype || slopes->rank() > 1)
        return {};
    Term slope = weight;
    if (slopes->rank() == 1 && shape->rank() != 1) {
        ir::Shape wide(shape->rank(), ops::one);
        if (shape->rank() > 1)
            wide[1] = slopes->shape.front();
        slope = d.reshape(weight, wide);
    }
    return {where(compared("gt", x, d.term(0.0)), x, slope * x)};
}

constexpr DecompositionRule activationDecompositions[] = {
    {"aten::prelu", prelu},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;

Parts identity(N &n) { return {n.input(0)}; }

/// In training it draws; else it hands on, and a mask of ones.
Parts dropout(N &n)
{
    const bool isOldTraining = n.opset() < 7 && n.integer("is_test", 0) == 0;
    if (isOldTraining || (n.has(2) && n.number(2) != 0.0))
        return n.refuse("it is in training, or may be");
    Parts parts{n.input(0)};
    if (const auto mask = n.result(1); n.resultCount() > 1 && mask)
        parts.push_back(
            n.d.full(mask->shape, mask->dtype == ir::DType::Bool ? ir::Operand(true) : ir::Operand(1.0), mask->dtype));
    return parts;
}

/// Before operator set 11 the limits were attributes.
Parts clip(N &n)
{
    if (n.opset() < 11 && !n.has(1) && !n.has(2)) {
        if (!n.hasAttribute("min") && !n.hasAttribute("max"))
            return {n.input(0)};
        const ir::Operand low = n.hasAttribute("min") ? ir::Operand(n.real("min", 0)) : ir::Operand();
        const ir::Operand high = n.hasAttribute("max") ? ir::Operand(n.real("max", 0)) : ir::Operand();
        return {n.d.make("clamp", {n.input(0), low, high})};
    }
    if (!n.has(1) && !n.has(2))
        return {n.input(0)};
    // torch takes two numbers or two tensors.
    const auto low = n.number(1), high = n.number(2);
    if (!isFloatInput(n) || (n.has(1) && !low) || (n.has(2) && !high))
        return {n.d.make("clamp.Tensor", {n.input(0), n.input(1), n.input(2)})};
    return {n.d.make("clamp",
                     {n.input(0), low ? ir::Operand(*low) : ir::Operand(), high ? ir::Operand(*high) : ir::Operand()})};
}

Parts leakyRelu(N &n) { return {n.d.make("leaky_relu", {n.input(0), ir::Operand(n.real("alpha", 0.01))})}; }

Parts elu(N &n) { return {n.d.make("elu", {n.input(0), ir::Operand(n.real("alpha", 1.0))})}; }

Parts celu(N &n) { return {n.d.make("celu", {n.input(0), ir::Operand(n.real("alpha", 1.0))})}; }

Parts hardSigmoid(N &n)
{
    const double alpha = n.real("alpha", 0.2), beta = n.real("beta", 0.5);
    constexpr double sixth = 1.0 / 6;
    if (std::abs(alpha - sixth) < 1e-6 && beta == 0.5)
        return {n.d.make("hardsigmoid", {n.input(0)})};
    return {n.d.make("clamp", {n.input(0) * alpha + beta, ir::Operand(0.0), ir::Operand(1.0)})};
}

/// torch returns x itself above a threshold, which float32 does not tell apart; else as max(x, 0) + log1p(exp(-|x|)).
Parts softplus(N &n)
{
    const auto x = n.tensor(0);
    if (x && x->dtype == ir::DType::Float32)
        return {n.d.make("softplus", {n.input(0)})};
    return {applied("relu", n.input(0)) + applied("log1p", applied("exp", -applied("abs", n.input(0))))};
}

Parts softsign(N &n) { return {n.input(0) / (applied("abs", n.input(0)) + 1.0)}; }

Parts gelu(N &n)
{
    const std::string_view kind = n.text("approximate", "none");
    return {kind == "none" ? n.d.make("gelu", {n.input(0)})
                           : n.d.make("gelu", {n.input(0), {"approximate", n.d.word(kind)}})};
}

/// torch has the factors that ONNX has by default; its elu takes others.
Parts selu(N &n)
{
    if (!n.hasAttribute("alpha") && !n.hasAttribute("gamma") && n.opset() >= 6)
        return {n.d.make("selu", {n.input(0)})};
    const bool isOld = n.opset() < 6; // with fewer digits
    return {n.d.make("elu",
                     {n.input(0), ir::Operand(n.real("alpha", isOld ? 1.6732 : 1.67326319217681884765625)),
                      ir::Operand(n.real("gamma", isOld ? 1.0507 : 1.05070102214813232421875))})};
}

/// Before operator set 7 a slope for each channel stands in its place without dimensions after it.
Parts prelu(N &n)
{
    const Term x = n.input(0);
    const auto data = n.tensor(0), given = n.tensor(1);
    Term slope = n.input(1);
    if (n.opset() < 7 && data && given && given->rank() == 1 && data->rank() > 2) {
        ir::Shape shape(data->rank() - 1, ir::Dim(std::int64_t{1}));
        shape[0] = given->shape[0];
        slope = n.d.reshape(slope, shape);
    }
    return {where(compared("ge", x, n.d.term(std::int64_t{0})), x, x * slope)};
}

/// x, moved towards 0 by a bias, where it is farther from 0 than a limit, else 0.
Parts shrink(N &n)
{
    const auto x = n.tensor(0);
    if (!x || !ir::isFloating(x->dtype))
        return {};
    const double limit = n.real("lambd", 0.5), bias = n.real("bias", 0);
    const Term zero = n.d.scalar(0.0, x->dtype);
    const Term above = compared("gt", n.input(0), n.d.term(limit)),
               below = compared("lt", n.input(0), n.d.term(-limit));
    return {where(above, n.input(0) - bias, where(below, n.input(0) + bias, zero))};
}

Parts thresholdedRelu(N &n)
{
    return {n.d.make("threshold", {n.input(0), ir::Operand(n.real("alpha", 1.0)), ir::Operand(0.0)})};
}

Parts swish(N &n)
{
    const double alpha = n.real("alpha", 1.0);
    return {n.input(0) * applied("sigmoid", alpha == 1 ? n.input(0) : n.input(0) * alpha)};
}

std::optional<ir::DType> castTo(const N &n)
{
    const auto result = n.result();
    const bool isPlain =
        result && (ir::isFloating(result->dtype) || ir::isInteger(result->dtype) || result->dtype == ir::DType::Bool);
    return isPlain ? std::optional(result->dtype) : std::nullopt;
}

Parts cast(N &n)
{
    const auto dtype = castTo(n);
    const auto x = n.tensor(0);
    // Small floats hold the largest number where ONNX saturates, and torch makes what is no number of larger ones.
    const bool isSmall = dtype && ir::isFloating(*dtype) && *ir::bitWidth(*dtype) <= 8;
    if (!dtype || !x || isSmall)
        return n.refuse("torch converts to such a dtype in another way, or has none");
    return {n.d.cast(n.input(0), *dtype)};
}

/// Before operator set 13 the axis and all after it are one dimension.
template <class Make>
Parts alongAxis(N &n, const Make &make)
{
    const ops::SoftmaxArguments given = ops::softmaxArguments(n.call());
    const auto x = n.tensor(0);
    const auto axis = given.axis ? n.dimension(*given.axis) : std::nullopt;
    if (!x || !axis)
        return n.refuse("its axis is none of its input");
    const auto dim = static_cast<std::int64_t>(*axis);
    if (!given.flattens || *axis + 1 == x->rank())
        return {make(n.input(0), *axis + 1 == x->rank() ? -1 : dim)};
    return {n.d.reshape(make(n.d.make("flatten.using_ints", {n.input(0), dim, -1}), -1), x->shape)};
}

Parts softmax(N &n, AtenName target)
{
    return alongAxis(n, [&](const Term &x, std::int64_t dim) { return n.d.make(target, {x, dim}); });
}

/// 1 in the place of the first largest element, else 0.
Parts hardmax(N &n)
{
    return alongAxis(n, [&](const Term &x, std::int64_t dim) {
        const Term places = n.d.make("argmax", {x, dim, true});
        return n.d.make("scatter.value", {n.d.make("zeros_like", {x}), dim, places, ir::Operand(1.0)});
    });
}

constexpr OnnxLowering activationLowerings[] = {
    {"onnx::Acos", unaryOfFloats<"acos">},
    {"onnx::Acosh", unaryOfFloats<"acosh">},
    {"onnx::Asin", unaryOfFloats<"asin">},
    {"onnx::Asinh", unaryOfFloats<"asinh">},
    {"onnx::Atan", unaryOfFloats<"atan">},
    {"onnx::Atanh", unaryOfFloats<"atanh">},
    {"onnx::Cast", cast},
    {"onnx::CastLike", cast},
    {"onnx::Celu", celu},
    {"onnx::Clip", clip},
    {"onnx::Cos", unaryOfFloats<"cos">},
    {"onnx::Cosh", unaryOfFloats<"cosh">},
    {"onnx::Dropout", dropout},
    {"onnx::Elu", elu},
    {"onnx::Erf", unaryOfFloats<"erf">},
    {"onnx::Exp", unaryOfFloats<"exp">},
    {"onnx::Gelu", gelu},
    {"onnx::HardSigmoid", hardSigmoid},
    {"onnx::HardSwish", unary<"hardswish">},
    {"onnx::Hardmax", hardmax},
    {"onnx::Identity", identity},
    {"onnx::LeakyRelu", leakyRelu},
    {"onnx::Log", unaryOfFloats<"log">},
    {"onnx::LogSoftmax", [](N &n) { return softmax(n, "log_softmax.int"); }},
    {"onnx::Mish", unary<"mish">},
    {"onnx::PRelu", prelu},
    {"onnx::Relu", unary<"relu">},
    {"onnx::Selu", selu},
    {"onnx::Shrink", shrink},
    {"onnx::Sigmoid", unaryOfFloats<"sigmoid">},
    {"onnx::Sin", unaryOfFloats<"sin">},
    {"onnx::Sinh", unaryOfFloats<"sinh">},
    {"onnx::Softmax", [](N &n) { return softmax(n, "softmax.int"); }},
    {"onnx::Softplus", softplus},
    {"onnx::Softsign", softsign},
    {"onnx::Sqrt", unaryOfFloats<"sqrt">},
    {"onnx::Swish", swish},
    {"onnx::Tan", unaryOfFloats<"tan">},
    {"onnx::Tanh", unaryOfFloats<"tanh">},
    {"onnx::ThresholdedRelu", thresholdedRelu},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;

/// An operator of one float tensor: what is no float is converted to the result's dtype.
Term floatInput(L &l)
{
    const Term x = l[0];
    return ir::isFloating(x.dtype) ? x : l.cast(x, l.resultDType());
}

Results floatFunction(L &l, OnnxName op) { return {applied(op, floatInput(l))}; }

Results sameFunction(L &l, OnnxName op) { return {applied(op, l[0])}; }

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

/// One node, which runtimes fuse.
Results relu6Rule(L &l) { return {l.make("Clip", {l[0], l.scalar(0, l[0].dtype), l.scalar(6, l[0].dtype)})}; }

Results clampRule(L &l)
{
    const ir::DType dtype = l.resultDType();
    Term x = l.cast(l[0], dtype);
    if (l.has("min"))
        x = l.make("Max", {x, l.as("min", dtype)});
    if (l.has("max"))
        x = l.make("Min", {x, l.as("max", dtype)});
    return {l.has("min") || l.has("max") ? x : applied("Identity", x)};
}

Results siluRule(L &l)
{
    const Term x = l[0];
    return {x * applied("Sigmoid", x)};
}

Results hardsigmoidRule(L &l) { return {l.make("HardSigmoid", {l[0]}, {{"alpha", 1.0 / 6}, {"beta", 0.5}})}; }

Results geluNode(L &l)
{
    const std::string_view kind = l.has("approximate") ? l.text("approximate") : "none";
    return {l.make("Gelu", {l[0]}, {{"approximate", ir::String{l.graph().context().name(kind)}}})};
}

Results geluParts(L &l)
{
    const Term x = l[0];
    if (l.text("approximate") == "tanh") {
        const Term inner = (x + x * x * x * 0.044715) * std::sqrt(2 / std::numbers::pi);
        return {x * 0.5 * (applied("Tanh", inner) + 1)};
    }
    return {x * 0.5 * (applied("Erf", x / std::numbers::sqrt2) + 1)};
}

Results leakyReluRule(L &l) { return {l.make("LeakyRelu", {l[0]}, {{"alpha", l.number("negative_slope")}})}; }

/// scale·input_scale may differ from ONNX's one slope.
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
    return {l.make("Max", {x, zero}) + l.make("Min", {zero, (applied("Exp", x / alpha) - 1) * alpha})};
}

Results seluRule(L &l) { return {applied("Selu", l[0])}; }

Results softplusRule(L &l)
{
    const double beta = l.number("beta"), threshold = l.number("threshold");
    const Term x = l[0], scaled = x * beta;
    const Term bent = applied("Softplus", scaled) / beta;
    return {l.make("Where", {l.make("Greater", {scaled, l.scalar(threshold, x.dtype)}, {}, ir::DType::Bool), x, bent},
                   {}, x.dtype)};
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
        slope = l.reshape(slope, sizes);
    }
    return {l.make("PRelu", {l["self"], slope})};
}

/// NaN, which is not below the threshold, stays.
Results thresholdRule(L &l)
{
    const Term x = l[0];
    const Term isBelow = l.make("LessOrEqual", {x, l.as("threshold", x.dtype)}, {}, ir::DType::Bool);
    return {l.make("Where", {isBelow, l.as("value", x.dtype), x}, {}, x.dtype)};
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
    const Term shape = l.sizeOf(l["self"], axis);
    const Term half = l.vectorOf(l.make("Div", {shape, l.scalar(std::int64_t{2})}));
    const auto parts = l.makeAll("Split", {l["self"], l.concat({half, half}, 0)}, {{"axis", axis}}, both);
    return {parts[0] * applied("Sigmoid", parts[1])};
}

Results softmaxRule(L &l, OnnxName op)
{
    const auto given = ops::softmaxArguments(l.call());
    const auto x = l.tensor(given.input);
    const std::int64_t axis = l.known(given.axis, "the dimension is");
    Term from = l[given.input];
    if (given.dtype && *given.dtype != ir::DType::BFloat16)
        from = l.cast(from, l.known(*given.dtype, "the dtype is"));
    else if (!ir::isFloating(from.dtype))
        from = l.cast(from, l.resultDType());
    if (x.rank() == 0)
        return {l.squeeze(l.make(op, {l.unsqueeze(from, {0})}, {{"axis", std::int64_t{0}}}), {0})};
    return {l.make(op, {from}, {{"axis", axis}})};
}

/// It does nothing outside of training.
Results dropoutRule(L &l)
{
    const bool isTraining = l.has("train") ? l.flag("train") : l.has("training") && l.flag("training");
    if (isTraining && l.number("p") != 0)
        return l.refuse("it draws random numbers in training");
    return {l.unchanged(), Lowered()};
}

Results rreluRule(L &l)
{
    if (l.flag("training"))
        return l.refuse("it draws random numbers in training");
    return {l.make("LeakyRelu", {l[0]}, {{"alpha", (l.number("lower") + l.number("upper")) / 2}})};
}

constexpr LoweringRule activationRules[] = {
    {"aten::relu", reluRule},
    {"aten::hardtanh", hardtanhRule},
    {"aten::relu6", relu6Rule},
    {"aten::clamp aten::clamp_min aten::clamp_max aten::clip", clampRule},
    {"aten::silu", siluRule},
    {"aten::sigmoid aten::special_expit", with<floatFunction, OnnxName("Sigmoid")>},
    {"aten::tanh", with<floatFunction, OnnxName("Tanh")>},
    {"aten::hardsigmoid", hardsigmoidRule},
    {"aten::hardswish", with<sameFunction, OnnxName("HardSwish")>},
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
    {"aten::threshold", thresholdRule},
    {"aten::hardshrink", hardshrinkRule},
    {"aten::softshrink", softshrinkRule},
    {"aten::glu", gluRule},
    {"aten::softmax aten::_softmax aten::special_softmax", with<softmaxRule, OnnxName("Softmax")>},
    {"aten::log_softmax aten::_log_softmax aten::special_log_softmax", with<softmaxRule, OnnxName("LogSoftmax")>},
    {"aten::dropout aten::native_dropout aten::feature_dropout aten::alpha_dropout aten::feature_alpha_dropout",
     dropoutRule},
    {"aten::rrelu", rreluRule},
    {"aten::sqrt", with<floatFunction, OnnxName("Sqrt")>},
    {"aten::exp", with<floatFunction, OnnxName("Exp")>},
    {"aten::log", with<floatFunction, OnnxName("Log")>},
    {"aten::sin", with<floatFunction, OnnxName("Sin")>},
    {"aten::cos", with<floatFunction, OnnxName("Cos")>},
    {"aten::tan", with<floatFunction, OnnxName("Tan")>},
    {"aten::asin", with<floatFunction, OnnxName("Asin")>},
    {"aten::acos", with<floatFunction, OnnxName("Acos")>},
    {"aten::atan", with<floatFunction, OnnxName("Atan")>},
    {"aten::sinh", with<floatFunction, OnnxName("Sinh")>},
    {"aten::cosh", with<floatFunction, OnnxName("Cosh")>},
    {"aten::asinh", with<floatFunction, OnnxName("Asinh")>},
    {"aten::acosh", with<floatFunction, OnnxName("Acosh")>},
    {"aten::atanh", with<floatFunction, OnnxName("Atanh")>},
    {"aten::erf aten::special_erf", with<floatFunction, OnnxName("Erf")>},
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
