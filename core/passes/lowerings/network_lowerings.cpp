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
#include "core/passes/lowerings/onnx_node.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cutaway::passes {

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

/// Windows of one to three dimensions whose sizes are known: kernel, stride, dilation, padding before and behind.
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

/// Padding that differs before and behind, as an operator of its own: torch's pad begins with the last dimension.
Term padded(const Term &x, const KnownWindows &windows, double value)
{
    Numbers pads;
    for (std::size_t i = windows.before.size(); i-- > 0;)
        std::ranges::copy(std::array{windows.before[i], windows.after[i]}, std::back_inserter(pads));
    return x.made->make("constant_pad_nd", {x, Decomposition::list(pads), ir::Operand(value)});
}

Parts convolution(N &n)
{
    const auto given = ops::convolutionArguments(n.call());
    const auto x = n.tensor(0), y = n.result();
    const auto windows = given && x && y ? knownWindows(given->windows, *x, *y) : std::nullopt;
    const auto groups = given ? ops::number(given->groups) : std::nullopt;
    if (!windows || !groups || given->channelsLast)
        return {};
    const bool isSymmetric = windows->isSymmetric();
    const Term data = isSymmetric ? n.input(0) : padded(n.input(0), *windows, 0);
    const Numbers padding = isSymmetric ? windows->before : Numbers(windows->before.size());
    return {n.d.make(formatted("conv{}d", windows->kernel.size()),
                     {data, n.input(1), n.input(2), Decomposition::list(windows->stride), Decomposition::list(padding),
                      Decomposition::list(windows->dilation), *groups})};
}

Parts transposedConvolution(N &n)
{
    const auto given = ops::convolutionArguments(n.call());
    const auto x = n.tensor(0), y = n.result();
    const auto groups = given ? ops::number(given->groups) : std::nullopt;
    if (!given || !x || !y || !groups || !given->windows || given->outputSize || !given->outputPadding
        || std::ranges::any_of(*given->windows,
                               [](const ops::Window &window) { return window.autoPad != ops::AutoPad::NotSet; }))
        return {};
    const auto windows = knownWindows(given->windows, *x, *y);
    Numbers more;
    for (const ir::Dim &dim : *given->outputPadding)
        more.push_back(ops::number(dim).value_or(-1));
    if (!windows || !windows->isSymmetric() || std::ranges::contains(more, -1))
        return {};
    static constexpr std::array targets{"conv_transpose1d", "conv_transpose2d.input", "conv_transpose3d.input"};
    return {n.d.make(targets[windows->kernel.size() - 1],
                     {n.input(0), n.input(1), n.input(2), Decomposition::list(windows->stride),
                      Decomposition::list(windows->before), Decomposition::list(more), *groups,
                      Decomposition::list(windows->dilation)})};
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
        return {};
    const auto made =
        n.d.makeAll("max_pool2d_with_indices",
                    {n.input(0), Decomposition::list(windows.kernel), Decomposition::list(windows.stride),
                     Decomposition::list(windows.before), Decomposition::list(windows.dilation), ceilMode},
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
    if (!windows || !given.ceilMode || !ir::isFloating(x->dtype))
        return {};
    if (n.resultCount() > 1)
        return placedMaxPool(n, *windows, *given.ceilMode);
    const bool fits = canPad(*windows);
    const Term data = fits ? n.input(0) : padded(n.input(0), *windows, -std::numeric_limits<double>::infinity());
    const Numbers padding = fits ? windows->before : Numbers(windows->before.size());
    return {n.d.make(formatted("max_pool{}d", windows->kernel.size()),
                     {data, Decomposition::list(windows->kernel), Decomposition::list(windows->stride),
                      Decomposition::list(padding), Decomposition::list(windows->dilation), *given.ceilMode})};
}

Parts averagePool(N &n)
{
    const ops::PoolArguments given = ops::poolArguments(n.call());
    const auto x = n.tensor(0), y = n.result();
    const auto windows = x && y ? knownWindows(given.windows, *x, *y) : std::nullopt;
    const bool isDilated = windows && std::ranges::any_of(windows->dilation, [](auto d) { return d != 1; });
    if (!windows || !given.ceilMode || !given.countIncludePad || isDilated)
        return {};
    if (!canPad(*windows) && (!*given.countIncludePad || *given.ceilMode))
        return {};
    const bool fits = canPad(*windows);
    const Term data = fits ? n.input(0) : padded(n.input(0), *windows, 0);
    const Numbers padding = fits ? windows->before : Numbers(windows->before.size());
    return {n.d.make(formatted("avg_pool{}d", windows->kernel.size()),
                     {data, Decomposition::list(windows->kernel), Decomposition::list(windows->stride),
                      Decomposition::list(padding), *given.ceilMode, *given.countIncludePad})};
}

Parts globalAveragePool(N &n)
{
    const auto x = n.tensor(0);
    if (!x || x->rank() < 3 || x->rank() > 5)
        return {};
    return {n.d.make(formatted("adaptive_avg_pool{}d", x->rank() - 2),
                     {n.input(0), Decomposition::list(Numbers(x->rank() - 2, 1))})};
}

Parts globalMaxPool(N &n)
{
    Numbers dims = n.allDimensions();
    if (dims.size() < 3)
        return {};
    dims.erase(dims.begin(), dims.begin() + 2);
    return {n.d.make("amax", {n.input(0), Decomposition::list(dims), true})};
}

Parts batchNorm(N &n)
{
    const ops::NormalizationArguments given = ops::normalizationArguments(n.call());
    if (given.useInputStats != false || !given.epsilon || !*given.epsilon || n.resultCount() > 1)
        return {};
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

/// torch wants scale and bias of the shape that is normalized.
Parts layerNorm(N &n)
{
    const auto x = n.tensor(0), scale = n.tensor(1);
    const auto axis = n.dimension(n.integer("axis", -1));
    if (!x || !scale || !axis || n.reads(1) || n.reads(2) || n.resultCount() > 1)
        return {};
    const ir::Shape normalized(x->shape.begin() + static_cast<std::ptrdiff_t>(*axis), x->shape.end());
    const auto bias = n.tensor(2);
    if (scale->shape != normalized || (bias && bias->shape != normalized))
        return {};
    return {
        n.d.make("layer_norm",
                 {n.input(0), n.d.sizes(normalized), n.input(1), n.input(2), ir::Operand(n.real("epsilon", 1e-5))})};
}

Parts groupNorm(N &n)
{
    const auto x = n.tensor(0);
    const auto scale = n.tensor(1);
    if (!x || !scale || x->rank() < 2 || scale->shape.size() != 1 || scale->shape[0] != x->shape[1])
        return {};
    return {n.d.make(
        "group_norm",
        {n.input(0), n.integer("num_groups", 1), n.input(1), n.input(2), ir::Operand(n.real("epsilon", 1e-5))})};
}

/// What flattens, before operator set 13, is the same where the axis is the last.
template <const char *target>
Parts softmax(N &n)
{
    const ops::SoftmaxArguments given = ops::softmaxArguments(n.call());
    const auto x = n.tensor(0);
    const auto axis = given.axis ? n.dimension(*given.axis) : std::nullopt;
    if (!axis || (given.flattens && *axis + 1 != x->rank()))
        return {};
    const bool isLast = *axis + 1 == x->rank();
    return {n.d.make(target, {n.input(0), isLast ? std::int64_t{-1} : static_cast<std::int64_t>(*axis)})};
}

constexpr char softmaxTarget[] = "softmax.int", logSoftmaxTarget[] = "log_softmax.int";

Parts matmul(N &n) { return {n.d.matmul(n.input(0), n.input(1))}; }

/// With a transposed weight it is what torch calls a linear layer.
Parts gemm(N &n)
{
    const ops::MatrixProductArguments given = ops::matrixProductArguments(n.call());
    const auto a = n.tensor(0), b = n.tensor(1);
    if (!a || !b || a->rank() != 2 || b->rank() != 2 || !given.transposeA || !given.transposeB || !given.alpha
        || !given.beta)
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
    return {n.d.make("einsum", {n.d.word(n.text("equation", "")), Decomposition::list(operands)})};
}

constexpr std::array networkRules{
    OnnxLowering{"AveragePool", averagePool},
    OnnxLowering{"BatchNormalization", batchNorm},
    OnnxLowering{"Conv", convolution},
    OnnxLowering{"ConvTranspose", transposedConvolution},
    OnnxLowering{"Einsum", einsum},
    OnnxLowering{"Gemm", gemm},
    OnnxLowering{"GlobalAveragePool", globalAveragePool},
    OnnxLowering{"GlobalMaxPool", globalMaxPool},
    OnnxLowering{"GroupNormalization", groupNorm},
    OnnxLowering{"InstanceNormalization", instanceNorm},
    OnnxLowering{"LayerNormalization", layerNorm},
    OnnxLowering{"LogSoftmax", softmax<logSoftmaxTarget>},
    OnnxLowering{"MatMul", matmul},
    OnnxLowering{"MaxPool", maxPool},
    OnnxLowering{"Softmax", softmax<softmaxTarget>},
};

} // namespace

std::span<const OnnxLowering> networkLowerings() { return networkRules; }

} // namespace cutaway::passes
