// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/windowed.h"

#include "core/base/formatted.h"
#include "core/ops/arguments/convolution_arguments.h"

#include <algorithm>
#include <array>

namespace cutaway::rules::to_aten {

using N = OnnxNode;
using Numbers = N::Numbers;

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

/// Pads `x` by a separate node. The list of paddings begins with the last dimension, as torch wants it.
Term padded(const Term &x, const KnownWindows &windows, double value)
{
    Numbers pads;
    for (std::size_t i = windows.before.size(); i-- > 0;)
        std::ranges::copy(std::array{windows.before[i], windows.after[i]}, std::back_inserter(pads));
    if (std::ranges::all_of(pads, [](std::int64_t pad) { return pad == 0; }))
        return x;
    return x.made->make("constant_pad_nd", {x, N::list(pads), ir::Operand(value)});
}

/// Whether torch's pools can pad as the windows say: on both sides alike, and by half a kernel at most.
bool canPad(const KnownWindows &windows)
{
    bool fits = windows.isSymmetric();
    for (std::size_t i = 0; i < windows.kernel.size(); ++i)
        fits = fits && windows.before[i] * 2 <= windows.kernel[i];
    return fits;
}

namespace {

/// Returns the shape with the channels as the second dimension instead of the last one, or the other way round.
ir::Shape channelsSecond(ir::Shape shape, bool areLast)
{
    if (areLast && shape.size() > 2)
        std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
    return shape;
}

Term withChannelsSecond(const Term &x, bool areLast) { return areLast ? x.made->make("movedim.int", {x, -1, 1}) : x; }

Term withChannelsBack(const Term &x, bool areLast) { return areLast ? x.made->make("movedim.int", {x, 1, -1}) : x; }

/// Returns the windows over the node's first input; refuses the rule if they are not known.
KnownWindows windowsOf(N &n, const std::optional<ops::Windows> &given, bool areChannelsLast)
{
    N::Tensor x = n.tensor(0), y = n.result();
    x.shape = channelsSecond(std::move(x.shape), areChannelsLast);
    y.shape = channelsSecond(std::move(y.shape), areChannelsLast);
    auto windows = knownWindows(given, x, y);
    if (!windows)
        n.refuse(std::string(unknownWindows));
    return std::move(windows).value_or(KnownWindows());
}

} // namespace

Term convolved(OnnxNode &n, const Term &x, const Term &weight, const Term &bias)
{
    const auto given = ops::convolutionArguments(n.call());
    const bool areChannelsLast = given && given->channelsLast;
    const KnownWindows windows = windowsOf(n, given ? given->windows : std::nullopt, areChannelsLast);
    const std::int64_t groups = n.known(given ? ops::number(given->groups) : std::nullopt, "its number of groups is");
    if (n.isRefused())
        return x;
    const bool isSymmetric = windows.isSymmetric();
    const Term seen = withChannelsSecond(x, areChannelsLast);
    const Term data = isSymmetric ? seen : padded(seen, windows, 0);
    const Numbers padding = isSymmetric ? windows.before : Numbers(windows.before.size());
    const Term made =
        n.make(AtenName::computed(formatted("conv{}d", windows.kernel.size())),
               {data, weight, bias, N::list(windows.stride), N::list(padding), N::list(windows.dilation), groups});
    return withChannelsBack(made, areChannelsLast);
}

Term averagePooled(OnnxNode &n, const Term &x)
{
    const ops::PoolArguments given = ops::poolArguments(n.call());
    const KnownWindows windows = windowsOf(n, given.windows, given.channelsLast);
    const bool roundsUp = n.known(given.ceilMode, "whether it rounds up is");
    const bool countsPadding = n.known(given.countIncludePad, "whether it counts its padding is"),
               fits = canPad(windows);
    if (std::ranges::any_of(windows.dilation, [](auto d) { return d != 1; }))
        n.refuse("torch's average pools have no dilation");
    if (!fits && (!countsPadding || roundsUp))
        n.refuse("torch pads an average pool by half a kernel at most, on both sides alike");
    if (n.isRefused())
        return x;
    const Term seen = withChannelsSecond(x, given.channelsLast);
    const Term data = fits ? seen : padded(seen, windows, 0);
    const Numbers padding = fits ? windows.before : Numbers(windows.before.size());
    const Term made =
        n.make(AtenName::computed(formatted("avg_pool{}d", windows.kernel.size())),
               {data, N::list(windows.kernel), N::list(windows.stride), N::list(padding), roundsUp, countsPadding});
    return withChannelsBack(made, given.channelsLast);
}

} // namespace cutaway::rules::to_aten
