// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/convolution_arguments.h"
#include "core/rules/rules.h"

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;

struct WindowAttributes {
    std::vector<std::int64_t> strides, dilations, pads;
};

/// The windows with their padding in numbers.
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
    const Term input = isUnbatched ? l.unsqueeze(l[given->input], {0}) : l[given->input];
    const Term made = l.make(*given->transposed ? "ConvTranspose" : "Conv",
                             {input, l[given->weight], l.optional(given->bias)}, attributes);
    return {isUnbatched ? l.squeeze(made, {0}) : made};
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

Family convolution() { return {.toOnnx = to_onnx::convolutionRules}; }

} // namespace cutaway::rules
