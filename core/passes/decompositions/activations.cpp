// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition.h"

#include <limits>

// The formulas are those of torch/_decomp/decompositions.py and torch/_refs; halves are computed in float32, as there.

namespace cutaway::passes {

namespace {

using D = Decomposition;

/// The function of one tensor, in float32 where it is of halves.
template <class Function>
Parts activation(D &d, std::string_view parameter, const Function &function)
{
    const Term x = d[parameter];
    const Term made = function(d.widened(x));
    return {d.cast(made, d.dtype(x))};
}

Term clampedSix(const Term &x) { return x.made->make("clamp", {x, 0, 6}); }

/// log(1 + exp(beta·x)) / beta, and x where that is the same.
Term softPlus(const Term &x, double beta, double threshold)
{
    D &d = *x.made;
    const Term scaled = beta == 1 ? x : x * beta;
    const Term soft = applied("log1p", applied("exp", scaled));
    return where(compared("gt", scaled, d.term(threshold)), x, beta == 1 ? soft : soft / beta);
}

Term exponentialUnit(const Term &x, double alpha, double scale, double inputScale)
{
    D &d = *x.made;
    const Term negative = applied("expm1", inputScale == 1 ? x : x * inputScale) * (alpha * scale);
    return where(compared("gt", x, d.term(0.0)), scale == 1 ? x : x * scale, negative);
}

Parts elu(D &d)
{
    const auto alpha = d.number("alpha"), scale = d.number("scale"), input = d.number("input_scale");
    if (!alpha || !scale || !input)
        return {};
    return activation(d, "self", [&](const Term &x) { return exponentialUnit(x, *alpha, *scale, *input); });
}

Parts selu(D &d)
{
    return activation(d, "self",
                      [](const Term &x) { return exponentialUnit(x, 1.6732632423543772, 1.0507009873554805, 1); });
}

Parts celu(D &d)
{
    const auto alpha = d.number("alpha");
    if (!alpha || *alpha == 0)
        return {};
    return activation(d, "self", [&](const Term &x) { return exponentialUnit(x, *alpha, 1, 1 / *alpha); });
}

Parts softplus(D &d)
{
    const auto beta = d.number("beta"), threshold = d.number("threshold");
    if (!beta || !threshold || *beta == 0)
        return {};
    return activation(d, "self", [&](const Term &x) { return softPlus(x, *beta, *threshold); });
}

Term logSigmoid(const Term &x)
{
    const Term zero = x.made->scalar(0.0, x.made->dtype(x));
    return x.made->make("minimum", {x, zero}) - applied("log1p", applied("exp", -applied("abs", x)));
}

Parts hardShrink(D &d)
{
    const Term x = d["self"];
    return {where(compared("le", applied("abs", x), d["lambd"]), d.scalar(0.0, d.dtype(x)), x)};
}

Parts softShrink(D &d)
{
    const Term x = d["self"];
    const auto lambda = d.number("lambd");
    if (!lambda)
        return {};
    return {where(compared("gt", applied("abs", x), d.term(*lambda)), x - applied("sign", x) * *lambda, x * 0.0)};
}

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

Parts glu(D &d)
{
    const Term x = d["self"];
    const auto shape = d.tensor(x);
    const auto given = d.integer("dim");
    const auto dim = shape && given ? ops::dimension(*given, shape->rank()) : std::nullopt;
    const auto size = dim ? ops::number(shape->shape[*dim]) : std::nullopt;
    if (!size || *size % 2 != 0)
        return {};
    return {d.slice(x, *dim, std::int64_t{0}, *size / 2) * applied("sigmoid", d.slice(x, *dim, *size / 2, *size))};
}

Parts threshold(D &d)
{
    const Term x = d["self"];
    return {where(compared("le", x, d["threshold"]), d.scalar(d["value"], d.dtype(x)), x)};
}

/// Out of training the slope is the middle of both.
Parts rrelu(D &d)
{
    const auto lower = d.number("lower"), upper = d.number("upper");
    if (d.flag("training") != false || !lower || !upper)
        return {};
    return {d.make("leaky_relu", {d["self"], (*lower + *upper) / 2})};
}

Parts logit(D &d)
{
    const Term eps = d["eps"];
    const auto margin = d.number("eps");
    if (!eps.isNone() && !margin)
        return {};
    return activation(d, "self", [&](const Term &x) {
        const Term inside = margin && *margin >= 0 ? d.make("clamp", {x, *margin, 1 - *margin}) : x;
        return applied("log", inside / (1.0 - inside));
    });
}

constexpr DecompositionRule activationRules[] = {
    {"aten::celu", celu},
    {"aten::elu", elu},
    {"aten::glu", glu},
    {"aten::hardshrink", hardShrink},
    {"aten::hardsigmoid",
     [](D &d) { return activation(d, "self", [](const Term &x) { return clampedSix(x + 3) / 6; }); }},
    {"aten::hardswish",
     [](D &d) { return activation(d, "self", [](const Term &x) { return x * clampedSix(x + 3) / 6; }); }},
    {"aten::log_sigmoid", [](D &d) { return activation(d, "self", logSigmoid); }},
    {"aten::logit", logit},
    {"aten::mish",
     [](D &d) { return activation(d, "self", [](const Term &x) { return x * applied("tanh", softPlus(x, 1, 20)); }); }},
    {"aten::prelu", prelu},
    {"aten::_prelu_kernel",
     [](D &d) -> Parts {
         const Term x = d["self"];
         return {where(compared("gt", x, d.term(0.0)), x, d["weight"] * x)};
     }},
    {"aten::relu6", [](D &d) -> Parts { return {clampedSix(d["self"])}; }},
    {"aten::rrelu", rrelu},
    {"aten::selu", selu},
    {"aten::silu", [](D &d) { return activation(d, "self", [](const Term &x) { return x * applied("sigmoid", x); }); }},
    {"aten::softplus", softplus},
    {"aten::softshrink", softShrink},
    {"aten::special_logit", logit},
    {"aten::threshold", threshold},
};

} // namespace

std::span<const DecompositionRule> activationDecompositions() { return activationRules; }

} // namespace cutaway::passes
