// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/arguments/softmax_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"
#include "core/rules/windowed.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

constexpr std::string_view unknownWindows = "its windows are not known, or of more than three dimensions";
constexpr std::string_view trains = "it normalizes by the statistics of its input, as in training";

/// Windows of one to three dimensions whose sizes are known: kernel, stride, dilation, padding before and after.
struct KnownWindows {
    Numbers kernel, stride, dilation, before, after;

    bool isSymmetric() const { return before == after; }
};

std::optional<KnownWindows> knownWindows(const std::optional<ops::Windows> &windows, const N::Tensor &x,
                                         const N::Tensor &y)
{
    if (!windows || windows->empty() || windows->size() > 3 || windows->size() + 2 != x.rank() || y.rank() != x.rank())
        return std::nullopt;
    KnownWindows known;
    for (std::size_t i = 0; i < windows->size(); ++i) {
        const ops::Window window = ops::paddedExplicitly((*windows)[i], x.shape[i + 2], y.shape[i + 2]);
        const std::array dims{window.kernel, window.stride, window.dilation, window.before, window.after};
        const std::array<Numbers *, 5> into{&known.kernel, &known.stride, &known.dilation, &known.before, &known.after};
        for (std::size_t k = 0; k < dims.size(); ++k) {
            const auto number = ops::number(dims[k]);
            if (!number)
                return std::nullopt;
            into[k]->push_back(*number);
        }
    }
    return known;
}

/// Padding as an operator of its own: torch's pad begins with the last dimension.
Term padded(const Term &x, const KnownWindows &windows, double value)
{
    Numbers pads;
    for (std::size_t i = windows.before.size(); i-- > 0;)
        std::ranges::copy(std::array{windows.before[i], windows.after[i]}, std::back_inserter(pads));
    if (std::ranges::all_of(pads, [](std::int64_t pad) { return pad == 0; }))
        return x;
    return x.made->make("constant_pad_nd", {x, AtenMaker::list(pads), ir::Operand(value)});
}

Parts convolution(N &n)
{
    const auto made = convolved(n, n.input(0), n.input(1), n.input(2));
    return made ? Parts{*made} : Parts{};
}

/// torch takes the same padding off both sides; where ONNX's differ, nothing is taken off and the result is cut.
Parts transposedConvolution(N &n)
{
    const auto given = ops::convolutionArguments(n.call());
    const auto x = n.tensor(0), y = n.result();
    const auto groups = given ? ops::number(given->groups) : std::nullopt;
    if (!given || !x || !y || !groups || !given->windows || !given->outputPadding)
        return n.refuse(std::string(unknownWindows));
    if (given->outputSize || std::ranges::any_of(*given->windows, [](const ops::Window &window) {
            return window.autoPad != ops::AutoPad::NotSet;
        }))
        return n.refuse("its padding follows from the size of its result");
    const auto windows = knownWindows(given->windows, *x, *y);
    Numbers more;
    for (const ir::Dim &dim : *given->outputPadding)
        more.push_back(ops::number(dim).value_or(-1));
    if (!windows || std::ranges::contains(more, -1))
        return n.refuse(std::string(unknownWindows));
    const std::size_t count = windows->kernel.size();
    const bool isSymmetric = windows->isSymmetric();
    for (std::size_t i = 0; i < count; ++i)
        if (more[i] >= std::max(windows->stride[i], windows->dilation[i]))
            return n.refuse("torch's output padding is below the stride or the dilation");
    static constexpr std::array targets{"conv_transpose1d", "conv_transpose2d.input", "conv_transpose3d.input"};
    Term made = n.d.make(targets[count - 1],
                         {n.input(0), n.input(1), n.input(2), AtenMaker::list(windows->stride),
                          AtenMaker::list(isSymmetric ? windows->before : Numbers(count)), AtenMaker::list(more),
                          *groups, AtenMaker::list(windows->dilation)});
    for (std::size_t i = 0; i < count && !isSymmetric; ++i)
        made =
            n.d.make("narrow", {made, static_cast<std::int64_t>(i + 2), windows->before[i], n.d.size(y->shape[i + 2])});
    return {made};
}

/// torch pads by half a kernel at most.
bool canPad(const KnownWindows &windows)
{
    bool fits = windows.isSymmetric();
    for (std::size_t i = 0; i < windows.kernel.size(); ++i)
        fits = fits && windows.before[i] * 2 <= windows.kernel[i];
    return fits;
}

/// torch's places are those in a plane, ONNX's those in the whole tensor.
Parts placedMaxPool(N &n, const KnownWindows &windows, bool ceilMode)
{
    const N::Tensor x = *n.tensor(0);
    const auto batch = ops::number(x.shape[0]), channels = ops::number(x.shape[1]);
    const auto count = batch && channels ? checkedMultiply(*batch, *channels) : std::nullopt;
    if (windows.kernel.size() != 2 || !canPad(windows) || n.integer("storage_order", 0) != 0 || !count)
        return n.refuse("torch has no such places of the largest elements");
    const auto made = n.d.makeAll("max_pool2d_with_indices",
                                  {n.input(0), AtenMaker::list(windows.kernel), AtenMaker::list(windows.stride),
                                   AtenMaker::list(windows.before), AtenMaker::list(windows.dilation), ceilMode},
                                  2);
    const Term planes = n.d.reshape(n.d.arange(*count), {*batch, *channels, std::int64_t{1}, std::int64_t{1}});
    const Term plane = n.d.make("mul.Scalar", {planes, n.d.size(ops::times(x.shape[2], x.shape[3]))});
    return {made[0], made[1] + plane};
}

Parts maxPool(N &n)
{
    const ops::PoolArguments given = ops::poolArguments(n.call());
    const auto x = n.tensor(0), y = n.result();
    const auto windows = x && y ? knownWindows(given.windows, *x, *y) : std::nullopt;
    if (!windows || !given.ceilMode)
        return n.refuse(std::string(unknownWindows));
    if (!ir::isFloating(x->dtype))
        return n.refuse("torch pools floats alone");
    if (n.resultCount() > 1)
        return placedMaxPool(n, *windows, *given.ceilMode);
    const bool fits = canPad(*windows);
    const Term data = fits ? n.input(0) : padded(n.input(0), *windows, -std::numeric_limits<double>::infinity());
    const Numbers padding = fits ? windows->before : Numbers(windows->before.size());
    return {n.d.make(formatted("max_pool{}d", windows->kernel.size()),
                     {data, AtenMaker::list(windows->kernel), AtenMaker::list(windows->stride),
                      AtenMaker::list(padding), AtenMaker::list(windows->dilation), *given.ceilMode})};
}

Parts averagePool(N &n)
{
    const auto made = averagePooled(n, n.input(0));
    return made ? Parts{*made} : Parts{};
}

/// (Σ |x|^p)^(1/p), from the average of so many.
Term rootOfPowers(const Term &average, double count, double p)
{
    const Term sum = average * count;
    return p == 1 ? sum
        : p == 2  ? applied("sqrt", sum)
                  : sum.made->make("pow.Tensor_Scalar", {sum, ir::Operand(1 / p)});
}

Term powerOf(const Term &x, double p)
{
    return p == 2 ? x * x : x.made->make("pow.Tensor_Scalar", {applied("abs", x), ir::Operand(p)});
}

/// Before operator set 2 p is no whole number.
double exponentOf(const N &n) { return n.opset() < 2 ? n.real("p", 2) : static_cast<double>(n.integer("p", 2)); }

Parts lpPool(N &n)
{
    const ops::PoolArguments given = ops::poolArguments(n.call());
    const auto x = n.tensor(0), y = n.result();
    const auto windows = x && y ? knownWindows(given.windows, *x, *y) : std::nullopt;
    if (!windows || !given.ceilMode)
        return n.refuse(std::string(unknownWindows));
    if (*given.ceilMode || std::ranges::any_of(windows->dilation, [](auto d) { return d != 1; }))
        return n.refuse("torch's average pools, of which it is made, have no dilation, nor such ends");
    const Term powers = padded(powerOf(n.input(0), exponentOf(n)), *windows, 0);
    const Term average = n.d.make(formatted("avg_pool{}d", windows->kernel.size()),
                                  {powers, AtenMaker::list(windows->kernel), AtenMaker::list(windows->stride)});
    double count = 1;
    for (const std::int64_t size : windows->kernel)
        count *= static_cast<double>(size);
    return {rootOfPowers(average, count, exponentOf(n))};
}

/// All dimensions after the channels.
Numbers placesOf(const N &n)
{
    Numbers dims = n.allDimensions();
    dims.erase(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(dims.size(), 2)));
    return dims;
}

Parts globalLpPool(N &n)
{
    const Numbers dims = placesOf(n);
    if (dims.empty())
        return {};
    return {rootOfPowers(n.d.sum(powerOf(n.input(0), exponentOf(n)), dims, true), 1, exponentOf(n))};
}

Parts globalAveragePool(N &n)
{
    const auto x = n.tensor(0);
    const Numbers dims = placesOf(n);
    if (!x || dims.empty())
        return {};
    if (dims.size() > 3)
        return {n.d.mean(n.input(0), dims, true)};
    return {n.d.make(formatted("adaptive_avg_pool{}d", dims.size()),
                     {n.input(0), AtenMaker::list(Numbers(dims.size(), 1))})};
}

Parts globalMaxPool(N &n)
{
    const Numbers dims = placesOf(n);
    return dims.empty() ? Parts{} : Parts{n.d.make("amax", {n.input(0), AtenMaker::list(dims), true})};
}

/// Before operator set 9 each place of a sample may have parameters of its own.
Parts batchNorm(N &n)
{
    const ops::NormalizationArguments given = ops::normalizationArguments(n.call());
    if (given.useInputStats != false || n.resultCount() > 1)
        return n.refuse(std::string(trains));
    if (!given.epsilon || !*given.epsilon)
        return {};
    if (given.isOfEachPlace) {
        const auto x = n.tensor(0), ofPlaces = n.tensor(4);
        if (x && ofPlaces && ofPlaces->rank() + 1 != x->rank())
            return n.refuse(formatted("spatial = 0 asks for parameters of each place of {}, and they are of {}",
                                      ir::print(x->shape), ir::print(ofPlaces->shape)));
        const Term deviation = applied("sqrt", n.input(4) + **given.epsilon);
        return {(n.input(0) - n.input(3)) / deviation * n.input(1) + n.input(2)};
    }
    return {n.d.make("batch_norm",
                     {n.input(0), n.input(1), n.input(2), n.input(3), n.input(4), false, ir::Operand(0.1),
                      ir::Operand(**given.epsilon), false})};
}

Parts instanceNorm(N &n)
{
    return {n.d.make("instance_norm",
                     {n.input(0), n.input(1), n.input(2), ir::Operand(), ir::Operand(), true, ir::Operand(0.1),
                      ir::Operand(n.real("epsilon", 1e-5)), false})};
}

/// From the mean of the square of what is taken off it, by dimensions that stay.
Term deviationOf(N &n, const Term &centred, const Numbers &axes)
{
    return applied("sqrt", n.d.mean(centred * centred, axes, true));
}

/// (x - mean) / (deviation + 1e-9)
Parts meanVarianceNorm(N &n)
{
    const auto axes = n.hasAttribute("axes") ? n.integers("axes") : std::optional(Numbers{0, 2, 3});
    if (!axes)
        return {};
    const Term centred = n.input(0) - n.d.mean(n.input(0), *axes, true);
    return {centred / (deviationOf(n, centred, *axes) + 1e-9)};
}

/// Divides vectors by their length; one without a length stays as it is.
Parts lpNorm(N &n)
{
    const auto axis = n.dimension(n.integer("axis", -1));
    if (!axis)
        return {};
    const Numbers dims{static_cast<std::int64_t>(*axis)};
    const Term x = n.input(0);
    const Term length =
        n.integer("p", 2) == 1 ? n.d.sum(applied("abs", x), dims, true) : applied("sqrt", n.d.sum(x * x, dims, true));
    const Term zero = n.d.term(std::int64_t{0});
    return {where(compared("eq", length, zero), n.d.make("zeros_like", {x}), x / length)};
}

/// Channels are averaged together with those beside them, of which there is one more after them where the number is
/// even.
Parts localResponse(N &n)
{
    const auto x = n.tensor(0);
    const std::int64_t size = n.integer("size", 0);
    if (!x || x->rank() < 2 || size < 1)
        return {};
    const Term squares = n.input(0) * n.input(0);
    const bool isImage = x->rank() == 4; // else all that is after the channels is one dimension
    const ir::Dim one = std::int64_t{1};
    const ir::Shape behind(x->shape.begin() + 2, x->shape.end());
    const Term apart = isImage ? n.d.unsqueeze(squares, 1)
                               : n.d.reshape(squares, {x->shape[0], one, x->shape[1], ops::product(behind)});
    Numbers pads(isImage ? 4 : 2);
    pads.push_back((size - 1) / 2);
    pads.push_back(size / 2);
    const Term wide = n.d.make("constant_pad_nd", {apart, AtenMaker::list(pads), ir::Operand(0.0)});
    const Numbers kernel = isImage ? Numbers{size, 1, 1} : Numbers{size, 1};
    const Term average = n.d.make(isImage ? "avg_pool3d" : "avg_pool2d",
                                  {wide, AtenMaker::list(kernel), AtenMaker::list(Numbers(kernel.size(), 1))});
    const Term mean = isImage ? n.d.make("squeeze.dim", {average, 1}) : n.d.reshape(average, x->shape);
    const Term base = mean * n.real("alpha", 1e-4) + n.real("bias", 1);
    return {n.input(0) / n.d.make("pow.Tensor_Scalar", {base, ir::Operand(n.real("beta", 0.75))})};
}

/// torch wants scale and bias of the shape that is normalized; what broadcasts to it comes afterwards.
Parts layerNorm(N &n)
{
    const auto x = n.tensor(0), scale = n.tensor(1);
    const auto axis = n.dimension(n.integer("axis", -1));
    if (!x || !scale || !axis)
        return {};
    const ir::Shape normalized(x->shape.begin() + static_cast<std::ptrdiff_t>(*axis), x->shape.end());
    const auto bias = n.tensor(2);
    const bool fits = scale->shape == normalized && (!bias || bias->shape == normalized);
    const std::vector<AtenMaker::With> arguments{n.input(0), n.d.sizes(normalized), fits ? n.input(1) : n.d.term({}),
                                                 fits ? n.input(2) : n.d.term({}),
                                                 ir::Operand(n.real("epsilon", 1e-5))};
    std::vector<Term> made = n.resultCount() > 1 ? n.d.makeAll("native_layer_norm", arguments, 3)
                                                 : std::vector{n.d.make("layer_norm", arguments)};
    if (!fits)
        made[0] = n.has(2) ? made[0] * n.input(1) + n.input(2) : made[0] * n.input(1);
    made.resize(n.resultCount(), n.d.term({}));
    return {made.begin(), made.end()};
}

/// Before operator set 21 each group has a scale and a bias, then each channel.
Term ofEachChannel(N &n, std::size_t position, std::int64_t groups)
{
    const auto given = n.tensor(position);
    const auto x = n.tensor(0);
    const auto channels = ops::number(x->shape[1]);
    if (!given || given->rank() != 1 || ops::number(given->shape[0]) != groups || channels == groups)
        return n.input(position);
    if (!channels) {
        n.d.fail();
        return n.input(position);
    }
    const Term column = n.d.unsqueeze(n.input(position), 1);
    return n.d.reshape(n.d.expand(column, {groups, *channels / groups}), {*channels});
}

Parts groupNorm(N &n)
{
    const auto x = n.tensor(0);
    const auto scale = n.tensor(1);
    const std::int64_t groups = n.integer("num_groups", 1);
    if (!x || !scale || x->rank() < 2 || scale->shape.size() != 1 || groups < 1)
        return {};
    return {n.d.make("group_norm",
                     {n.input(0), groups, ofEachChannel(n, 1, groups), ofEachChannel(n, 2, groups),
                      ir::Operand(n.real("epsilon", 1e-5))})};
}

Parts rmsNorm(N &n)
{
    const auto x = n.tensor(0), scale = n.tensor(1);
    const auto axis = n.dimension(n.integer("axis", -1));
    if (!x || !scale || !axis || n.resultCount() > 1)
        return {};
    const ir::Shape normalized(x->shape.begin() + static_cast<std::ptrdiff_t>(*axis), x->shape.end());
    const bool fits = scale->shape == normalized;
    const Term made = n.d.make(
        "rms_norm",
        {n.input(0), n.d.sizes(normalized), fits ? n.input(1) : n.d.term({}), ir::Operand(n.real("epsilon", 1e-5))});
    return {fits ? made : made * n.input(1)};
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

template <const char *target>
Parts softmax(N &n)
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

constexpr char softmaxTarget[] = "softmax.int", logSoftmaxTarget[] = "log_softmax.int";

Parts matmul(N &n) { return {n.d.matmul(n.input(0), n.input(1))}; }

/// With a transposed weight it is what torch calls a linear layer.
Parts gemm(N &n)
{
    const ops::MatrixProductArguments given = ops::matrixProductArguments(n.call());
    const auto a = n.tensor(0), b = n.tensor(1);
    if (!a || !b || a->rank() != 2 || b->rank() != 2)
        return n.refuse("a factor is no matrix");
    if (!given.transposeA || !given.transposeB || !given.alpha || !given.beta)
        return {};
    const auto c = n.tensor(2);
    const bool isPlain = !*given.transposeA && *given.alpha == 1 && (!n.has(2) || *given.beta == 1);
    const bool isBias = !n.has(2) || (c && c->rank() == 1);
    if (isPlain && isBias && *given.transposeB)
        return {n.d.make("linear", {n.input(0), n.input(1), n.input(2)})};
    const Term left = *given.transposeA ? n.d.make("t", {n.input(0)}) : n.input(0);
    const Term right = *given.transposeB ? n.d.make("t", {n.input(1)}) : n.input(1);
    Term product = n.d.make("mm", {left, right});
    if (*given.alpha != 1)
        product = product * *given.alpha;
    if (!n.has(2))
        return {product};
    return {product + (*given.beta == 1 ? n.input(2) : n.input(2) * *given.beta)};
}

Parts einsum(N &n)
{
    std::vector<Term> operands;
    for (std::size_t i = 0; i < n.inputCount(); ++i)
        operands.push_back(n.input(i));
    return {n.d.make("einsum", {n.d.word(n.text("equation", "")), AtenMaker::list(operands)})};
}

constexpr OnnxLowering networkLowerings[] = {
    {"onnx::AveragePool", averagePool},
    {"onnx::BatchNormalization", batchNorm},
    {"onnx::Conv", convolution},
    {"onnx::ConvTranspose", transposedConvolution},
    {"onnx::Einsum", einsum},
    {"onnx::Gemm", gemm},
    {"onnx::GlobalAveragePool", globalAveragePool},
    {"onnx::GlobalLpPool", globalLpPool},
    {"onnx::GlobalMaxPool", globalMaxPool},
    {"onnx::GroupNormalization", groupNorm},
    {"onnx::Hardmax", hardmax},
    {"onnx::InstanceNormalization", instanceNorm},
    {"onnx::LRN", localResponse},
    {"onnx::LayerNormalization", layerNorm},
    {"onnx::LogSoftmax", softmax<logSoftmaxTarget>},
    {"onnx::LpNormalization", lpNorm},
    {"onnx::LpPool", lpPool},
    {"onnx::MatMul", matmul},
    {"onnx::MaxPool", maxPool},
    {"onnx::MeanVarianceNormalization", meanVarianceNorm},
    {"onnx::RMSNormalization", rmsNorm},
    {"onnx::SimplifiedLayerNormalization", rmsNorm},
    {"onnx::Softmax", softmax<softmaxTarget>},
};

} // namespace
namespace {

/// With the channels in the second dimension, where they are the last one; or back again.
ir::Shape channelsSecond(ir::Shape shape, bool areLast)
{
    if (areLast && shape.size() > 2)
        std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
    return shape;
}

Term withChannelsSecond(const Term &x, bool areLast) { return areLast ? x.made->make("movedim.int", {x, -1, 1}) : x; }

Term withChannelsBack(const Term &x, bool areLast) { return areLast ? x.made->make("movedim.int", {x, 1, -1}) : x; }

/// The windows over the node's first input.
std::optional<KnownWindows> windowsOf(N &n, const std::optional<ops::Windows> &given, bool areChannelsLast)
{
    auto x = n.tensor(0), y = n.result();
    if (!x || !y)
        return std::nullopt;
    x->shape = channelsSecond(x->shape, areChannelsLast);
    y->shape = channelsSecond(y->shape, areChannelsLast);
    auto windows = knownWindows(given, *x, *y);
    if (!windows)
        n.refuse(std::string(unknownWindows));
    return windows;
}

} // namespace

std::optional<Term> convolved(OnnxNode &n, const Term &x, const Term &weight, const Term &bias)
{
    const auto given = ops::convolutionArguments(n.call());
    const auto windows = given ? windowsOf(n, given->windows, given->channelsLast) : std::nullopt;
    const auto groups = given ? ops::number(given->groups) : std::nullopt;
    if (!windows || !groups)
        return std::nullopt;
    const bool isSymmetric = windows->isSymmetric();
    const Term seen = withChannelsSecond(x, given->channelsLast);
    const Term data = isSymmetric ? seen : padded(seen, *windows, 0);
    const Numbers padding = isSymmetric ? windows->before : Numbers(windows->before.size());
    const Term made = n.d.make(formatted("conv{}d", windows->kernel.size()),
                               {data, weight, bias, AtenMaker::list(windows->stride), AtenMaker::list(padding),
                                AtenMaker::list(windows->dilation), *groups});
    return withChannelsBack(made, given->channelsLast);
}

std::optional<Term> averagePooled(OnnxNode &n, const Term &x)
{
    const ops::PoolArguments given = ops::poolArguments(n.call());
    const auto windows = windowsOf(n, given.windows, given.channelsLast);
    if (!windows || !given.ceilMode || !given.countIncludePad)
        return std::nullopt;
    const bool fits = canPad(*windows);
    if (std::ranges::any_of(windows->dilation, [](auto d) { return d != 1; })) {
        n.refuse("torch's average pools have no dilation");
        return std::nullopt;
    }
    if (!fits && (!*given.countIncludePad || *given.ceilMode)) {
        n.refuse("torch pads an average pool by half a kernel at most, on both sides alike");
        return std::nullopt;
    }
    const Term seen = withChannelsSecond(x, given.channelsLast);
    const Term data = fits ? seen : padded(seen, *windows, 0);
    const Numbers padding = fits ? windows->before : Numbers(windows->before.size());
    const Term made = n.d.make(formatted("avg_pool{}d", windows->kernel.size()),
                               {data, AtenMaker::list(windows->kernel), AtenMaker::list(windows->stride),
                                AtenMaker::list(padding), *given.ceilMode, *given.countIncludePad});
    return withChannelsBack(made, given.channelsLast);
}

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family network() { return {.fromOnnx = to_aten::networkLowerings}; }

} // namespace cutaway::rules
