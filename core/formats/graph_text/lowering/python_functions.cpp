// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/lowering/python_functions.h"

#include <algorithm>

namespace cutaway::formats::graph_text {

namespace {

constexpr PythonFunction functions[] = {
    {"alpha_dropout", "input p train=training -inplace"},
    {"batch_norm", "input running_mean running_var weight bias training momentum eps"},
    {"binary_cross_entropy", "self=input target weight -size_average -reduce reduction"},
    {"binary_cross_entropy_with_logits", "self=input target weight -size_average -reduce reduction pos_weight"},
    {"celu", "self=input alpha -inplace"},
    {"cross_entropy", "self=input target weight -size_average ignore_index -reduce reduction label_smoothing",
     "cross_entropy_loss"},
    {"dropout", "input p train=training -inplace"},
    {"dropout1d", "input p training inplace", "-"},
    {"dropout2d", "input p training inplace", "-"},
    {"dropout3d", "input p training inplace", "-"},
    {"elu", "self=input alpha -inplace"},
    {"embedding", "indices=input weight padding_idx -max_norm ~norm_type scale_grad_by_freq sparse"},
    {"feature_alpha_dropout", "input p train=training -inplace"},
    {"hardsigmoid", "self=input -inplace"},
    {"hardswish", "self=input -inplace"},
    {"hardtanh", "self=input min_val max_val -inplace"},
    {"huber_loss", "self=input target reduction delta"},
    {"instance_norm", "input running_mean running_var weight bias use_input_stats momentum eps"},
    {"interpolate", "input size scale_factor mode align_corners recompute_scale_factor antialias", "-"},
    {"kl_div", "self=input target -size_average -reduce reduction log_target"},
    {"l1_loss", "self=input target -size_average -reduce reduction"},
    {"leaky_relu", "self=input negative_slope -inplace"},
    {"log_softmax", "self=input dim ~_stacklevel dtype"},
    {"max_pool1d", "self=input kernel_size stride padding dilation ceil_mode -return_indices"},
    {"max_pool2d", "self=input kernel_size stride padding dilation ceil_mode -return_indices"},
    {"max_pool3d", "self=input kernel_size stride padding dilation ceil_mode -return_indices"},
    {"mish", "self=input -inplace"},
    {"mse_loss", "self=input target -size_average -reduce reduction"},
    {"nll_loss", "self=input target weight -size_average ignore_index -reduce reduction"},
    {"normalize", "input p dim eps", "-"},
    {"relu", "self=input -inplace"},
    {"relu6", "self=input -inplace"},
    {"rrelu", "self=input lower upper training -inplace"},
    {"selu", "self=input -inplace"},
    {"silu", "self=input -inplace"},
    {"smooth_l1_loss", "self=input target -size_average -reduce reduction beta"},
    {"soft_margin_loss", "self=input target -size_average -reduce reduction"},
    {"softmax", "self=input dim ~_stacklevel dtype"},
    {"softmin", "input dim", "-"},
    {"softsign", "input", "-"},
    {"tanhshrink", "input", "-"},
    {"threshold", "self=input threshold value -inplace"},
    {"upsample", "input size scale_factor mode align_corners", "-"},
};

} // namespace

const PythonFunction *pythonFunction(std::string_view fullName)
{
    constexpr std::string_view module = "torch.nn.functional.";
    if (!fullName.starts_with(module))
        return nullptr;
    const auto *const row = std::ranges::find(functions, fullName.substr(module.size()), &PythonFunction::name);
    return row == std::end(functions) ? nullptr : row;
}

} // namespace cutaway::formats::graph_text
