// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/autocast.h"

#include "core/ops/enum_numbers.h"
#include "core/ops/promotion.h"

#include <algorithm>
#include <ranges>

namespace cutaway::ops {

namespace {

// PyTorch's lists for both kinds of device, and what it makes of operators that are made of others, where one of those
// is listed.

struct Lists {
    std::string_view lower;
    std::string_view full;       ///< float32
    std::string_view fullUnless; ///< float32, if no dtype is asked for
    std::string_view widest;
    std::string_view unknown; ///< made of others in ways that are not followed
};

constexpr Lists cpu{
    "conv1d conv2d conv3d bmm mm linalg_vecdot baddbmm addmm _addmm_activation addbmm linear _convolution matmul "
    "conv_tbc mkldnn_rnn_layer conv_transpose1d conv_transpose2d conv_transpose3d prelu scaled_dot_product_attention "
    "_native_multi_head_attention einsum inner tensordot chain_matmul linalg_multi_dot",
    "avg_pool3d binary_cross_entropy grid_sampler polar prod quantile nanquantile stft cdist grid_sampler_2d "
    "_grid_sampler_2d_cpu_fallback grid_sampler_3d trace view_as_complex cholesky cholesky_inverse cholesky_solve "
    "inverse lu_solve orgqr ormqr pinverse max_pool3d max_unpool2d max_unpool3d adaptive_avg_pool3d reflection_pad1d "
    "reflection_pad2d replication_pad1d replication_pad2d replication_pad3d mse_loss cosine_embedding_loss nll_loss "
    "nll_loss2d hinge_embedding_loss poisson_nll_loss smooth_l1_loss cross_entropy_loss l1_loss huber_loss "
    "margin_ranking_loss soft_margin_loss triplet_margin_loss multi_margin_loss ctc_loss kl_div multilabel_margin_loss "
    "binary_cross_entropy_with_logits fft_fft fft_ifft fft_fft2 fft_ifft2 fft_fftn fft_ifftn fft_rfft fft_irfft "
    "fft_rfft2 fft_irfft2 fft_rfftn fft_irfftn fft_hfft fft_ihfft linalg_cond linalg_matrix_rank linalg_solve "
    "linalg_cholesky linalg_svdvals linalg_eigvals linalg_eigvalsh linalg_inv linalg_householder_product "
    "linalg_tensorinv linalg_tensorsolve fake_quantize_per_tensor_affine geqrf _lu_with_info qr svd triangular_solve "
    "fractional_max_pool2d fractional_max_pool3d adaptive_max_pool3d multilabel_margin_loss_forward linalg_qr "
    "linalg_cholesky_ex linalg_svd linalg_eig linalg_eigh linalg_lstsq linalg_inv_ex nll_loss_nd",
    "", "stack cat index_copy",
    "lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell cov corrcoef matrix_power "
    "linalg_matrix_power linalg_pinv"};

constexpr Lists cuda{
    "_convolution conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution "
    "cudnn_convolution cudnn_convolution_transpose prelu addmm addmv addr matmul einsum mm mv linalg_vecdot linear "
    "addbmm baddbmm bmm chain_matmul linalg_multi_dot _thnn_fused_lstm_cell _thnn_fused_gru_cell lstm_cell gru_cell "
    "rnn_tanh_cell rnn_relu_cell _scaled_dot_product_flash_attention scaled_dot_product_attention",
    "acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow softplus layer_norm "
    "native_layer_norm group_norm frobenius_norm nuclear_norm cosine_similarity poisson_nll_loss "
    "cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss kl_div l1_loss smooth_l1_loss huber_loss mse_loss "
    "margin_ranking_loss multilabel_margin_loss soft_margin_loss triplet_margin_loss multi_margin_loss "
    "binary_cross_entropy_with_logits cross_entropy_loss nll_loss_nd dist pdist cdist renorm logsumexp "
    "upsample_nearest1d _upsample_nearest_exact1d "
    "upsample_nearest2d _upsample_nearest_exact2d upsample_nearest3d _upsample_nearest_exact3d upsample_linear1d "
    "upsample_bilinear2d _upsample_bilinear2d_aa upsample_trilinear3d upsample_bicubic2d _upsample_bicubic2d_aa",
    "prod softmax log_softmax cumprod cumsum linalg_vector_norm linalg_matrix_norm sum norm linalg_norm",
    "addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put tensordot scatter_add",
    "lstm gru rnn_tanh rnn_relu inner cov corrcoef matrix_power linalg_matrix_power linalg_pinv"};

bool isListed(std::string_view list, std::string_view name)
{
    return std::ranges::any_of(std::views::split(list, ' '),
                               [name](const auto &word) { return std::string_view(word) == name; });
}

bool isCast(const TensorFact &tensor)
{
    return tensor.dtype && isFloating(*tensor.dtype) && *tensor.dtype != ir::DType::Float64;
}

} // namespace

Autocast::Autocast(const Fact &kind, const Fact &dtype, const Fact &enabled)
    : device(kind.as<TextFact>() ? kind.as<TextFact>()->text : ""),
      isEnabled(asBool(enabled))
{
    const auto whole = asInt(dtype);
    const auto asked = whole ? number(*whole) : std::nullopt;
    const auto numbered = asked ? dtypeFromNumber(*asked) : std::nullopt;
    const auto *named = dtype.as<ir::DType>();
    const bool isHalf = device != "cpu" && device != "xla" && device != "hpu";
    lower = named ? *named : numbered.value_or(isHalf ? ir::DType::Float16 : ir::DType::BFloat16);
}

/// Operators that write to an argument are left alone.
CastTo castOf(const Autocast &autocast, const Call &call)
{
    if (autocast.isEnabled == false || call.dialect() != "aten" || call.overload().ends_with("out"))
        return CastTo::Nothing;
    std::string_view name = call.fullName();
    const Lists &lists = autocast.device == "cpu" ? cpu : cuda;
    if (name == "pad") // made of one of three
        name = call.text("mode") == "reflect"  ? "reflection_pad2d"
            : call.text("mode") == "replicate" ? "replication_pad2d"
                                               : "constant_pad_nd";
    if (isListed(lists.lower, name))
        return CastTo::Lower;
    if (isListed(lists.full, name))
        return CastTo::Float32;
    if (isListed(lists.fullUnless, name))
        return call.has("dtype") ? CastTo::Nothing : CastTo::Float32;
    if (isListed(lists.widest, name))
        return CastTo::Widest;
    return isListed(lists.unknown, name) ? CastTo::Unknown : CastTo::Nothing;
}

Fact cast(const Fact &fact, CastTo to, ir::DType lower, bool wide)
{
    if (const auto *list = fact.as<SequenceFact>()) {
        SequenceFact made = *list;
        for (Fact &item : made.items)
            item = cast(item, to, lower, wide);
        return made;
    }
    const TensorFact *tensor = asTensor(fact);
    if (!tensor || !isCast(*tensor) || to == CastTo::Nothing)
        return fact;
    TensorFact made = *tensor;
    if (to == CastTo::Unknown)
        made.dtype.reset();
    else
        made.dtype = to == CastTo::Float32 || (to == CastTo::Widest && wide) ? ir::DType::Float32 : lower;
    return made;
}

bool holdsFloat32(const Fact &fact)
{
    if (const auto *list = fact.as<SequenceFact>())
        return std::ranges::any_of(list->items, holdsFloat32);
    const TensorFact *tensor = asTensor(fact);
    return tensor && tensor->dtype == ir::DType::Float32;
}

} // namespace cutaway::ops
