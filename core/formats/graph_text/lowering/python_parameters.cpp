// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/lowering/calls.h"

#include <algorithm>

namespace cutaway::formats::graph_text {

namespace {

/// Functions of torch.nn.functional, by name.
constexpr std::pair<std::string_view, std::string_view> functional[] = {
    {"alpha_dropout", "input p train=training -inplace"},
    {"batch_norm", "input running_mean running_var weight bias training momentum eps"},
    {"binary_cross_entropy", "self=input target weight -size_average -reduce reduction"},
    {"binary_cross_entropy_with_logits", "self=input target weight -size_average -reduce reduction pos_weight"},
    {"celu", "self=input alpha -inplace"},
    {"dropout", "input p train=training -inplace"},
    {"elu", "self=input alpha -inplace"},
    {"embedding", "indices=input weight padding_idx -max_norm -norm_type scale_grad_by_freq sparse"},
    {"feature_alpha_dropout", "input p train=training -inplace"},
    {"hardsigmoid", "self=input -inplace"},
    {"hardswish", "self=input -inplace"},
    {"hardtanh", "self=input min_val max_val -inplace"},
    {"huber_loss", "self=input target reduction delta"},
    {"instance_norm", "input running_mean running_var weight bias use_input_stats momentum eps"},
    {"kl_div", "self=input target -size_average -reduce reduction log_target"},
    {"l1_loss", "self=input target -size_average -reduce reduction"},
    {"leaky_relu", "self=input negative_slope -inplace"},
    {"log_softmax", "self=input dim -_stacklevel dtype"},
    {"max_pool1d", "self=input kernel_size stride padding dilation ceil_mode -return_indices"},
    {"max_pool2d", "self=input kernel_size stride padding dilation ceil_mode -return_indices"},
    {"max_pool3d", "self=input kernel_size stride padding dilation ceil_mode -return_indices"},
    {"mish", "self=input -inplace"},
    {"mse_loss", "self=input target -size_average -reduce reduction"},
    {"nll_loss", "self=input target weight -size_average ignore_index -reduce reduction"},
    {"relu", "self=input -inplace"},
    {"relu6", "self=input -inplace"},
    {"rrelu", "self=input lower upper training -inplace"},
    {"selu", "self=input -inplace"},
    {"silu", "self=input -inplace"},
    {"smooth_l1_loss", "self=input target -size_average -reduce reduction beta"},
    {"soft_margin_loss", "self=input target -size_average -reduce reduction"},
    {"softmax", "self=input dim -_stacklevel dtype"},
    {"threshold", "self=input threshold value -inplace"},
};

} // namespace

std::optional<std::string_view> pythonParameters(std::string_view function)
{
    constexpr std::string_view module = "torch.nn.functional.";
    if (!function.starts_with(module))
        return std::nullopt;
    const auto *const row = std::ranges::find(functional, function.substr(module.size()),
                                              &std::pair<std::string_view, std::string_view>::first);
    return row == std::end(functional) ? std::nullopt : std::optional(row->second);
}

} // namespace cutaway::formats::graph_text
