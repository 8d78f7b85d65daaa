// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"
#include "core/rules/windowed.h"
#include <algorithm>

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

Parts convolution(N &n) { return {convolved(n, n[0], n[1], n[2])}; }

/// torch removes the same padding from both sides; if ONNX's paddings differ, none is removed and the result is sliced.
Parts transposedConvolution(N &n)
{
    const auto given = ops::convolutionArguments(n.call());
    const auto y = n.result();
    const auto windows = given ? knownWindows(given->windows, n.tensor(0), y) : std::nullopt;
    const auto more = given && given->outputPadding ? ops::numbers(*given->outputPadding) : std::nullopt;
    const auto groups = given ? ops::number(given->groups) : std::nullopt;
    if (!windows || !more || !groups)
        return n.refuse(std::string(unknownWindows));
    const auto isPadded = [](const ops::Window &window) { return window.autoPad != ops::AutoPad::NotSet; };
    if (given->outputSize || std::ranges::any_of(*given->windows, isPadded))
        return n.refuse("its padding follows from the size of its result");
    const std::size_t count = windows->kernel.size();
    for (std::size_t i = 0; i < count; ++i)
        if ((*more)[i] >= std::max(windows->stride[i], windows->dilation[i]))
            return n.refuse("torch's output padding is below the stride or the dilation");
    static constexpr AtenName targets[] = {"conv_transpose1d", "conv_transpose2d.input", "conv_transpose3d.input"};
    const bool isSymmetric = windows->isSymmetric();
    Term made =
        n.make(targets[count - 1],
               {n[0], n[1], n[2], N::list(windows->stride), N::list(isSymmetric ? windows->before : Numbers(count)),
                N::list(*more), *groups, N::list(windows->dilation)});
    for (std::size_t i = 0; i < count && !isSymmetric; ++i)
        made = n.make("narrow", {made, static_cast<std::int64_t>(i + 2), windows->before[i], n.size(y.shape[i + 2])});
    return {made};
}

constexpr OnnxLowering convolutionLowerings[] = {
    {"onnx::Conv", convolution},
    {"onnx::ConvTranspose", transposedConvolution},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;

struct WindowAttributes {
    std::vector<std::int64_t> strides, dilations, pads;
};

/// Returns the attributes of windows whose padding consists of numbers.
WindowAttributes attributesOf(L &l, const ops::Windows &windows, const ops::ConvolutionArguments &given,
                              std::span<const ir::Dim> sizes)
{
    ops::Windows explicitly;
    for (std::size_t i = 0; i < windows.size(); ++i)
        explicitly.push_back(windows[i].autoPad == ops::AutoPad::NotSet
                                 ? windows[i]
                                 : ops::paddedExplicitly(windows[i], sizes[i], given.outputSizeOf(i, sizes[i])));
    WindowAttributes made;
    for (const ops::Window &window : explicitly) {
        made.strides.push_back(l.known(ops::number(window.stride), "the stride is"));
        made.dilations.push_back(l.known(ops::number(window.dilation), "the dilation is"));
        made.pads.push_back(l.known(ops::number(window.before), "the padding is"));
    }
    for (const ops::Window &window : explicitly)
        made.pads.push_back(l.known(ops::number(window.after), "the padding is"));
    return made;
}

Results convolutionRule(L &l)
{
    const auto given = ops::convolutionArguments(l.call());
    if (!given || !given->windows || !given->transposed || (*given->transposed && !given->outputPadding))
        return l.refuse("its windows are not known");
    const auto x = l.tensor(given->input);
    const std::size_t spatial = given->windows->size();
    if (x.rank() <= spatial)
        return l.refuse("its input has too few dimensions");
    const bool isUnbatched = x.rank() == spatial + 1;
    const auto window = attributesOf(l, *given->windows, *given, std::span(x.shape).last(spatial));
    if (l.isRefused())
        return {};
    const std::int64_t groups = l.known(ops::number(given->groups), "the number of groups is");
    L::Attributes attributes{{"strides", L::list(window.strides)},
                             {"dilations", L::list(window.dilations)},
                             {"pads", L::list(window.pads)},
                             {"group", groups}};
    if (*given->transposed)
        attributes.emplace_back("output_padding", L::list(l.numbersOf(*given->outputPadding, "output_padding")));
    const Term input = isUnbatched ? unsqueeze(l[given->input], {0}) : l[given->input];
    const Term made = l.make(*given->transposed ? OnnxName("ConvTranspose") : OnnxName("Conv"),
                             {input, l[given->weight], l.optional(given->bias)}, attributes);
    return {isUnbatched ? squeeze(made, {0}) : made};
}

constexpr LoweringRule convolutionRules[] = {
    {"aten::conv1d aten::conv2d aten::conv3d aten::convolution aten::_convolution aten::_convolution_mode "
     "aten::conv_transpose1d "
     "aten::conv_transpose2d aten::conv_transpose3d",
     convolutionRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family convolution() { return {.fromOnnx = to_aten::convolutionLowerings, .toOnnx = to_onnx::convolutionRules}; }

} // namespace cutaway::rules
