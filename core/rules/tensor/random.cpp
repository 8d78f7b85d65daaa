// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/rules/rules.h"

// torch draws different numbers from the same distribution; a seed of ONNX has no meaning in torch.

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;

/// Draws a tensor of the result's shape, which is an argument or the shape of another tensor.
Term drawn(N &n, AtenName target)
{
    const auto y = n.result();
    if (!ir::isFloating(y.dtype))
        n.refuse("it draws no floats");
    return n.make(target, {n.sizes(y.shape), {"dtype", y.dtype}});
}

Parts uniform(N &n)
{
    const double low = n.number("low", 0), high = n.number("high", 1);
    return {drawn(n, "rand") * (high - low) + low};
}

Parts normal(N &n) { return {drawn(n, "randn") * n.number("scale", 1) + n.number("mean", 0)}; }

Parts bernoulli(N &n) { return {cast(n.make("bernoulli", {n[0]}), n.declaredDType())}; }

constexpr OnnxLowering randomLowerings[] = {
    {"onnx::Bernoulli", bernoulli},       {"onnx::RandomNormal", normal},
    {"onnx::RandomNormalLike", normal},   OnnxLowering{"onnx::RandomUniform", uniform},
    {"onnx::RandomUniformLike", uniform},
};

} // namespace

} // namespace cutaway::rules::to_aten

// ONNX's runtimes draw from the same distribution as PyTorch, but different numbers, whatever the seed.

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

DType drawnDType(DType dtype) { return dtype == DType::Float64 ? dtype : DType::Float32; }

void noteRandom(L &l)
{
    l.note(formatted("{}::{} draws random numbers, which are others than PyTorch's", l.node().dialect(),
                     l.node().opName()));
}

/// Draws numbers from [0, 1), or normally distributed ones, in a shape that is given as a vector or that is known.
Term drawn(L &l, bool isNormal, DType dtype, const Term &sizes)
{
    noteRandom(l);
    const L::Attributes attributes{{"dtype", ir::numberOf(dtype, ir::Numbering::Onnx).value()}};
    return l.make(isNormal ? OnnxName("RandomNormalLike") : OnnxName("RandomUniformLike"),
                  {expand(l.scalar(0, dtype), sizes)}, attributes, dtype);
}

/// Draws the node's result, whose sizes are an argument or those of another tensor.
Term drawnResult(L &l, bool isNormal, DType dtype)
{
    const auto made = l.result();
    if (made.rank() > 0 && ops::numbers(made.shape)) {
        noteRandom(l);
        return l.make(isNormal ? OnnxName("RandomNormal") : OnnxName("RandomUniform"), {},
                      {{"dtype", ir::numberOf(dtype, ir::Numbering::Onnx).value()},
                       {"shape", L::list(l.numbersOf(made.shape, "the result"))}},
                      dtype);
    }
    if (l.call().position({"size"}))
        return drawn(l, isNormal, dtype, l.sizes("size"));
    return drawn(l, isNormal, dtype, shapeOf(l["self"]));
}

Results uniformNumbersRule(L &l)
{
    const DType dtype = drawnDType(l.resultDType());
    const Term made = drawnResult(l, false, dtype);
    if (!l.call().position({"from"}))
        return {made};
    const double from = l.number("from"), to = l.number("to");
    return {made * (to - from) + from};
}

Results normalNumbersRule(L &l) { return {drawnResult(l, true, drawnDType(l.resultDType()))}; }

/// Draws numbers with a mean and a deviation; either may be a tensor.
Results scaledNormalRule(L &l)
{
    const DType dtype = drawnDType(l.resultDType());
    const auto made = l.result();
    const Term mean = l.as("mean", dtype), deviation = l.as("std", dtype);
    if (ops::numbers(made.shape) || l.call().position({"size"}) || l.call().position({"self"}))
        return {mean + deviation * drawnResult(l, true, dtype)};
    return {mean + deviation * drawn(l, true, dtype, shapeOf(mean + deviation * 0))};
}

/// Draws integers from [low, high).
Results wholeNumbersRule(L &l)
{
    const double low = l.call().position({"low"}) ? l.number("low") : 0, high = l.number("high");
    const Term made = applied("Floor", drawnResult(l, false, DType::Float64) * (high - low) + low);
    return {cast(l.make("Min", {made, l.scalar(high - 1, DType::Float64)}), DType::Int64)};
}

/// Draws a permutation: the order of random numbers.
Results permutationRule(L &l)
{
    const Term count = l.as("n", DType::Int64);
    const Term numbers = drawn(l, false, DType::Float64, vectorOf(count));
    return {
        l.makeAll("TopK", {numbers, vectorOf(count)}, {{"axis", std::int64_t{0}}}, {DType::Float64, DType::Int64})[1]};
}

/// Draws ones with a probability, which is one number or one per element.
Results coinsRule(L &l)
{
    const bool hasNumber = l.call().position({"p"}) && l.has("p");
    const DType dtype = DType::Float64;
    const Term chance = hasNumber ? l.as("p", dtype) : l.as("self", dtype);
    return {compared("Less", drawnResult(l, false, dtype), chance)};
}

/// Returns exponentially distributed numbers -log(1 - u) for u from [0, 1).
Term waitingTimes(const Term &uniform) { return applied("Neg", applied("Log", 1.0 - uniform)); }

Results exponentialRule(L &l)
{
    return {waitingTimes(drawnResult(l, false, drawnDType(l.resultDType()))) / l.number("lambd")};
}

/// Draws classes by a race: each class waits for a random time that its rate determines. The class that ends first is
/// drawn with the probability of its share of all rates, the next class with that of its share of the remaining rates.
Results multinomialRule(L &l)
{
    const auto x = l.tensor("self");
    if (x.rank() == 0)
        return l.refuse("of a scalar");
    const DType dtype = drawnDType(x.dtype);
    const Term rates = l.as("self", dtype);
    const auto race = [&](const Term &shares) {
        const Term times = waitingTimes(drawn(l, false, dtype, shapeOf(shares)));
        return shares / l.make("Max", {times, l.scalar(1e-37, dtype)});
    };
    const std::int64_t count = l.integer("num_samples");
    if (!l.flag("replacement"))
        return {
            l.makeAll("TopK", {race(rates), l.ints({count})}, {{"axis", std::int64_t{-1}}}, {dtype, DType::Int64})[1]};
    std::vector<std::int64_t> times(x.rank() + 1, 1);
    times[x.rank() - 1] = count;
    const Term each = l.make("Tile", {unsqueeze(rates, {-2}), l.ints(times)});
    return {l.make("ArgMax", {race(each)}, {{"axis", std::int64_t{-1}}, {"keepdims", std::int64_t{0}}}, DType::Int64)};
}

/// Applies dropout in training: sets some elements to zero and scales the others up.
Results drawnDropoutRule(L &l)
{
    const bool isNative = l.call().position({"train"}).has_value() && l.resultCount() > 1;
    const double p = l.number("p");
    if (p >= 1 || !(l.has("train") ? l.flag("train") : l.flag("training")))
        return l.refuse("all elements are left out");
    const Term x = l[0];
    noteRandom(l);
    const Term isTraining = l.scalar(1, DType::Bool), ratio = l.scalar(p, DType::Float32);
    const auto made = l.makeAll("Dropout", {x, ratio, isTraining}, {}, {x.dtype, DType::Bool});
    return isNative ? Results{made[0], made[1]} : Results{made[0]};
}

/// Applies a leaky ReLU in training, whose slope below 0 is drawn for each element.
Results drawnSlopeRule(L &l)
{
    const Term x = l[0];
    const double lower = l.number("lower"), upper = l.number("upper");
    if (!l.flag("training"))
        return l.refuse("it is not in training");
    const Term slope = drawn(l, false, x.dtype, shapeOf(x)) * (upper - lower) + lower;
    const Term isAbove = compared("Greater", x, l.scalar(0, x.dtype));
    return {where(isAbove, x, x * slope)};
}

constexpr LoweringRule randomRules[] = {
    {"aten::rand aten::rand_like aten::uniform", uniformNumbersRule},
    {"aten::randn aten::randn_like", normalNumbersRule},
    {"aten::normal aten::normal_functional", scaledNormalRule},
    {"aten::randint aten::randint_like", wholeNumbersRule},
    {"aten::randperm", permutationRule},
    {"aten::bernoulli", coinsRule},
    {"aten::exponential", exponentialRule},
    {"aten::multinomial", multinomialRule},
    {"aten::dropout aten::native_dropout", drawnDropoutRule},
    {"aten::rrelu", drawnSlopeRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family random() { return {.fromOnnx = to_aten::randomLowerings, .toOnnx = to_onnx::randomRules}; }

} // namespace cutaway::rules
