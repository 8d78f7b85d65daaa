// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/softmax_arguments.h"
#include "core/rules/rules.h"

#include <cmath>
#include <numbers>

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

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;

/// An operator of one float tensor: what is no float is converted to the result's dtype.
Term floatInput(L &l)
{
    const Term x = l[0];
    return ir::isFloating(x.dtype) ? x : l.cast(x, l.resultDType());
}

Results floatFunction(L &l, std::string_view op) { return {applied(op, floatInput(l))}; }

Results sameFunction(L &l, std::string_view op) { return {applied(op, l[0])}; }

Results reluRule(L &l)
{
    const Term x = l[0];
    return {ir::isFloating(x.dtype) ? applied("Relu", x) : l.make("Max", {x, l.scalar(0, x.dtype)})};
}

Results relu6Rule(L &l)
{
    const Term x = l[0];
    return {l.make("Clip", {x, l.scalar(0, x.dtype), l.scalar(6, x.dtype)})};
}

Results hardtanhRule(L &l)
{
    const Term x = l[0];
    return {l.make("Clip", {x, l.as("min_val", x.dtype), l.as("max_val", x.dtype)})};
}

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

Results thresholdRule(L &l)
{
    const Term x = l[0];
    const Term isAbove = l.make("Greater", {x, l.as("threshold", x.dtype)}, {}, ir::DType::Bool);
    return {l.make("Where", {isAbove, x, l.as("value", x.dtype)}, {}, x.dtype)};
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

Results softmaxRule(L &l, std::string_view op)
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
    {"aten::relu6", relu6Rule},
    {"aten::hardtanh", hardtanhRule},
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
    return {.decompositions = to_aten::activationDecompositions, .toOnnx = to_onnx::activationRules};
}

} // namespace cutaway::rules
