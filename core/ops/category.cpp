// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ops/category.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace cutaway::ops {

namespace {

struct Row {
    Category category;
    std::string_view names; ///< separated by blanks; "onnx:max" is for one dialect only and wins over "max"
};

// Names as in PyTorch or, in lower case, ONNX. They are compared by letters and digits alone, so that `batch_norm`
// would be found as `BatchNorm` and `__and__` as `and`.
constexpr Row rows[] = {
    {Category::Convolution,
     "conv conv1d conv2d conv3d convolution convolution_overrideable convolution_mode conv_transpose conv_tbc "
     "conv_transpose1d conv_transpose2d conv_transpose3d conv_relu conv1d_relu conv2d_relu conv3d_relu conv2d_add "
     "conv_integer qlinear_conv fused_conv nhwc_conv deform_conv deform_conv2d thnn_conv2d slow_conv3d "
     "slow_conv_transpose2d conv_depthwise2d conv_depthwise3d cudnn_convolution mkldnn_convolution miopen_convolution "
     "cudnn_convolution_relu"},

    {Category::MatrixProduct,
     "matmul mm bmm mv dot vdot inner ger outer addmm addbmm baddbmm addmv addr sparse_mm linear linear_relu "
     "linear_dynamic linear_dynamic_fp16 linear_relu_dynamic bilinear einsum tensordot chain_matmul kron gemm "
     "fused_gemm fused_mat_mul matmul_integer matmul_n_bits matmul_integer_to_float qlinear_matmul qgemm gemm_float8 "
     "linalg_multi_dot linalg_matmul linalg_matrix_power matrix_power matrix_exp int_mm scaled_mm weight_int4pack_mm "
     "weight_int8pack_mm dyn_quant_matmul_4bit cdist euclidean_dist pairwise_distance cosine_similarity pdist "
     "linalg_cholesky linalg_cholesky_ex cholesky cholesky_inverse cholesky_solve linalg_det det linalg_slogdet "
     "slogdet logdet linalg_eigh linalg_eig linalg_eigvals linalg_eigvalsh linalg_inv linalg_inv_ex inverse pinverse "
     "linalg_pinv linalg_qr qr linalg_solve linalg_solve_ex linalg_svd linalg_svdvals svd linalg_lu linalg_lu_factor "
     "linalg_lu_solve lu_unpack linalg_lstsq linalg_householder_product linalg_solve_triangular triangular_solve "
     "linalg_matrix_rank linalg_cond lobpcg linear_classifier linear_regressor svm_classifier svm_regressor "
     "tree_ensemble tree_ensemble_classifier tree_ensemble_regressor"},

    {Category::Attention,
     "attention multi_head_attention native_multi_head_attention multi_head_attention_forward qattention "
     "scaled_dot_product_attention scaled_dot_product_flash_attention scaled_dot_product_attention_math "
     "scaled_dot_product_efficient_attention scaled_dot_product_cudnn_attention flash_attention_forward "
     "scaled_dot_product_flash_attention_for_cpu efficient_attention_forward flex_attention flex_attention_backward "
     "fused_sdp_choice transformer_encoder_layer_fwd transform_bias_rescale_qkv decoder_masked_multi_head_attention "
     "group_query_attention packed_attention packed_multi_head_attention sparse_attention longformer_attention "
     "gated_relative_position_bias relative_position_bias rotary_embedding decoder_attention paged_attention "
     "local_attention linear_attention causal_attention"},

    {Category::Normalization,
     "batch_norm native_batch_norm native_batch_norm_legit native_batch_norm_legit_no_training batch_norm_impl_index "
     "cudnn_batch_norm batch_norm_with_update batch_normalization batch_norm_gather_stats batch_norm_elemt "
     "layer_norm native_layer_norm layer_normalization simplified_layer_normalization skip_layer_normalization "
     "skip_simplified_layer_normalization embed_layer_normalization group_norm native_group_norm group_normalization "
     "skip_group_norm instance_norm instance_normalization rms_norm fused_rms_norm rms_normalization "
     "local_response_norm "
     "lrn lp_normalization mean_variance_normalization weight_norm weight_norm_interface normalize normalizer "
     "scaler spectral_norm renorm embedding_renorm batch_norm_relu"},

    {Category::Activation,
     "relu relu6 leaky_relu prelu prelu_kernel rrelu rrelu_with_noise thresholded_relu elu selu celu gelu bias_gelu "
     "fast_gelu quick_gelu silu swish mish hardswish hardsigmoid hardtanh hardshrink softshrink shrink softplus "
     "softsign sigmoid log_sigmoid log_sigmoid_forward tanh tanhshrink threshold glu glu_jvp swiglu softmax "
     "softmax_data "
     "log_softmax log_softmax_data safe_softmax softmin hardmax gumbel_softmax masked_softmax sparse_softmax dropout "
     "native_dropout alpha_dropout feature_dropout feature_alpha_dropout dropout1d dropout2d dropout3d "
     "bias_dropout fused_dropout bitmask_dropout bias_add bias_split_gelu sigmoid_focal_loss logit"},

    {Category::Elementwise,
     "add sub subtract rsub mul multiply div divide true_divide truediv floor_divide floordiv neg negative pos abs "
     "absolute sign sgn signbit pow float_power sqrt rsqrt square reciprocal exp exp2 expm1 log log2 log10 log1p "
     "logaddexp logaddexp2 xlogy sin cos tan asin acos atan atan2 arctan2 sinh cosh asinh acosh atanh sinc erf erfc "
     "erfinv erfcx lgamma digamma polygamma mvlgamma i0 i0e i1 i1e special_i0 special_i0e special_i1 special_i1e "
     "special_erfcx special_ndtr special_ndtri special_log_ndtr special_entr special_zeta special_xlog1py "
     "special_expit "
     "special_bessel_j0 special_bessel_j1 bessel_j0 bessel_j1 ceil floor round trunc frac fix fmod remainder mod lerp "
     "addcmul addcdiv maximum minimum fmax fmin clamp clamp_min clamp_max clip hypot gcd lcm copysign nextafter "
     "heaviside ldexp frexp nan_to_num deg2rad rad2deg angle real imag conj conj_physical resolve_conj resolve_neg "
     "complex polar view_as_real view_as_complex eq ne lt le gt ge equal less greater less_or_equal greater_or_equal "
     "less_equal greater_equal not_equal isclose isnan isinf isfinite isposinf isneginf isreal logical_and "
     "logical_or logical_not logical_xor and or xor not bitwise_and bitwise_or bitwise_not bitwise_xor "
     "bitwise_left_shift "
     "bitwise_right_shift bit_shift lshift rshift shift_left shift_right where is isnot contains cast castlike to "
     "to_copy type_as convert_element_type float int bool int_implicit float_implicit scalar_implicit "
     "complex_implicit item local_scalar_dense num_to_tensor bitcast dtype fma iand ior "
     "sym_not sym_max sym_min sym_float sym_int sym_ite sym_sum sym_sqrt onnx:max onnx:min onnx:sum onnx:mean prim:max "
     "prim:min prim:abs max_binary min_binary binarizer imputer string_concat string_normalizer "
     "cross"},

    {Category::Reduction,
     "sum mean prod max min amax amin aminmax argmax argmin argsort all any nansum nanmean nanmedian nanquantile "
     "quantile "
     "median mode std var std_mean var_mean norm linalg_norm linalg_vector_norm linalg_matrix_norm frobenius_norm "
     "nuclear_norm logsumexp logcumsumexp cumsum cumprod cummax cummin cumulative_trapezoid trapz trapezoid dist trace "
     "count_nonzero unique unique2 unique_dim unique_consecutive histc histogram histogramdd bincount sort msort topk "
     "kthvalue reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_l1 reduce_l2 reduce_log_sum "
     "reduce_log_sum_exp reduce_sum_square lp_pool global_lp_pool max_pool max_pool1d "
     "max_pool2d max_pool3d max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices "
     "quantized_max_pool2d "
     "max_unpool max_unpool2d max_unpool3d avg_pool avg_pool1d avg_pool2d avg_pool3d average_pool adaptive_avg_pool "
     "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d "
     "adaptive_max_pool3d fractional_max_pool2d fractional_max_pool3d global_average_pool global_max_pool max_roi_pool "
     "roi_align roi_pool ps_roi_align ps_roi_pool nms non_max_suppression mse_loss l1_loss smooth_l1_loss huber_loss "
     "kl_div nll_loss nll_loss2d nll_loss_nd nll_loss_forward nll_loss2d_forward cross_entropy_loss cross_entropy "
     "binary_cross_entropy binary_cross_entropy_with_logits ctc_loss bce_loss poisson_nll_loss gaussian_nll_loss "
     "triplet_margin_loss margin_ranking_loss hinge_embedding_loss cosine_embedding_loss soft_margin_loss "
     "multi_margin_loss multilabel_margin_loss negative_log_likelihood_loss softmax_cross_entropy_loss "
     "segment_reduce fft_fft fft_ifft fft_fft2 fft_ifft2 fft_fftn fft_ifftn fft_rfft fft_irfft fft_rfft2 fft_irfft2 "
     "fft_rfftn fft_irfftn fft_hfft fft_ihfft fft_c2c fft_c2r fft_r2c stft istft dft xsum feature_vectorizer corrcoef "
     "cov"},

    {Category::ShapeView,
     "view view_as reshape reshape_as alias flatten unflatten squeeze unsqueeze transpose permute t numpy_t mt mh h "
     "adjoint "
     "matrix_h swapaxes swapdims movedim moveaxis expand expand_as broadcast_to broadcast_tensors broadcast_in_dim "
     "contiguous clone copy lift lift_fresh lift_fresh_copy detach identity cat concat concatenate stack hstack vstack "
     "dstack column_stack row_stack block_diag split split_with_sizes split_to_sequence tensor_split hsplit vsplit "
     "dsplit "
     "chunk unsafe_split unsafe_chunk unsafe_split_with_sizes unbind repeat tile flip fliplr flipud rot90 roll "
     "as_strided "
     "diagonal diag diagflat diag_embed tril triu trilu pad constant_pad_nd reflection_pad1d reflection_pad2d "
     "reflection_pad3d replication_pad1d replication_pad2d replication_pad3d circular_pad zero_pad2d fft_fftshift "
     "fft_ifftshift pixel_shuffle pixel_unshuffle channel_shuffle native_channel_shuffle depth_to_space space_to_depth "
     "im2col col2im unfold fold size shape numel dim ndim ndimension sym_size sym_stride sym_numel sym_storage_offset "
     "stride "
     "storage_offset len unsafe_view collapse collapse_view split_dim meshgrid cartesian_prod combinations "
     "atleast_1d atleast_2d atleast_3d ravel squeeze_multiple concat_from_sequence affine_grid affine_grid_generator "
     "grid_sample grid_sampler grid_sampler_2d grid_sampler_3d resize resize_as upsample upsample_nearest1d "
     "upsample_nearest2d upsample_nearest3d upsample_nearest_exact1d upsample_nearest_exact2d upsample_nearest_exact3d "
     "upsample_linear1d upsample_bilinear2d upsample_bilinear2d_aa upsample_bicubic2d upsample_bicubic2d_aa "
     "upsample_trilinear3d interpolate center_crop_pad crop "
     "sequence_construct sequence_empty sequence_insert sequence_erase sequence_at sequence_length optional "
     "optional_get_element optional_has_element list list_construct list_unpack tuple_construct tuple_unpack "
     "tuple_index "
     "tuple_slice dict_construct dict append insert extend pop reverse items keys values get "
     "delitem del zip_map dict_vectorizer array_feature_extractor nested_tensor_from_mask to_padded_tensor"},

    {Category::Indexing,
     "index index_select index_add index_copy index_fill index_put index_put_impl unsafe_index unsafe_index_put "
     "unsafe_masked_index index_reduce select slice narrow narrow_copy select_scatter slice_scatter diagonal_scatter "
     "as_strided_scatter gather gather_elements gather_nd scatter scatter_add scatter_reduce scatter_elements "
     "scatter_nd tensor_scatter masked_fill masked_select masked_scatter take take_along_dim put embedding "
     "embedding_bag "
     "embedding_bag_forward_only embedding_bag_byte embedding_bag_4bit nonzero nonzero_static nonzero_numpy "
     "argwhere bucketize searchsorted one_hot compress repeat_interleave gather_block_quantized getitem setitem "
     "label_encoder category_mapper one_hot_encoder reverse_sequence tf_idf_vectorizer vocab_mapping"},

    {Category::Creation,
     "zeros ones full empty eye arange range linspace logspace zeros_like ones_like full_like empty_like new_zeros "
     "new_ones new_full new_empty new_empty_strided empty_strided empty_permuted scalar_tensor tensor constant "
     "constant_of_shape eye_like rand rand_like randn randn_like randint randint_like randperm normal "
     "normal_functional "
     "bernoulli multinomial uniform exponential poisson geometric cauchy log_normal random random_normal "
     "random_normal_like random_uniform random_uniform_like binomial zero fill tril_indices triu_indices hann_window "
     "hamming_window blackman_window bartlett_window kaiser_window mel_weight_matrix fft_fftfreq fft_rfftfreq vander "
     "iota "
     "get_attr create_object enum_value uninitialized str string format percent_format join upper lower strip "
     "inductor_seeds inductor_random rng_prims as_tensor from_file"},

    {Category::ControlFlow,
     "if loop scan while while_loop cond map map_impl associative_scan sequence_map fork wait awaitable call_method "
     "call_function wrap wrap_with_autocast wrap_with_set_grad_enabled wrap_activation_checkpoint "
     "tag_activation_checkpoint checkpoint run_with_rng_state invoke_subgraph hints_wrapper strict_mode out_dtype "
     "auto_functionalized auto_functionalized_v2 with_effects triton_kernel_wrapper_mutation call_torchbind "
     "triton_kernel_wrapper_functional autograd_function_apply executorch_call_delegate flat_apply "
     "add_batch_dim remove_batch_dim vmap_decrement_nesting vmap_increment_nesting lazy_load_decompositions "
     "set_grad_enabled enter_autocast exit_autocast is_grad_enabled is_autocast_enabled enter exit "
     "raise_exception print warn assert assert_async assert_scalar assert_tensor_metadata sym_constrain_range "
     "sym_constrain_range_for_size check functional_assert_scalar functional_assert_async constrain_as_size "
     "profiler_record_function_enter record_function set_attr unchecked_cast unchecked_unwrap_optional device "
     "prim:dtype prim:type layout requires_grad is_cuda is_nested is_cpu is_quantized is_sparse is_floating_point "
     "is_complex "
     "is_scripting is_contiguous all_reduce all_gather_into_tensor all_gather reduce_scatter_tensor wait_tensor "
     "all_to_all_single broadcast barrier send recv"},

    {Category::Quantization,
     "quantize_linear dequantize_linear dynamic_quantize_linear quantize_per_tensor quantize_per_channel "
     "quantize_per_tensor_dynamic quantize_per_token dequantize dequantize_per_tensor dequantize_per_channel "
     "dequantize_per_token fake_quantize_per_tensor_affine fake_quantize_per_channel_affine choose_qparams "
     "fake_quantize_per_tensor_affine_cachemask fake_quantize_per_channel_affine_cachemask "
     "fused_moving_avg_obs_fake_quant "
     "choose_qparams_symmetric choose_qparams_per_token choose_qparams_optimized q_scale q_zero_point "
     "q_per_channel_scales q_per_channel_zero_points int_repr qscheme make_per_tensor_quantized_tensor "
     "make_per_channel_quantized_tensor convert_weight qlinear_add qlinear_mul qlinear_sigmoid qlinear_concat "
     "qlinear_average_pool qlinear_global_average_pool qlinear_leaky_relu qlinear_softmax quantize_b_float_16 "
     "add_relu mul_relu linear_prepack linear_unpack conv2d_prepack conv2d_unpack quantize dequantize_affine "
     "quantize_affine choose_qparams_affine dequantize_bnb4"},

    {Category::Recurrent,
     "lstm gru rnn rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell quantized_lstm quantized_gru "
     "quantized_lstm_cell dynamic_quantize_lstm thnn_fused_lstm_cell thnn_fused_gru_cell mkldnn_rnn_layer cudnn_rnn "
     "thnn_differentiable_lstm_cell_backward pack_padded_sequence pad_packed_sequence attn_lstm quantized_lstm_dynamic "
     "quantized_gru_dynamic dynamic_quantize_rnn"},
};

/// Namespaces whose operators the rows above speak of; every other one is somebody's own.
constexpr std::array knownDialects = {
    "aten",
    "prim",
    "prims",
    "prim_ops",
    "onnx",
    "ai.onnx",
    "ai.onnx.ml",
    "ai.onnx.preview",
    "ai.onnx.preview.training",
    "ai.onnx.training",
    "com.microsoft",
    "com.microsoft.nchwc",
    "com.ms.internal.nhwc",
    "higher_order",
    "_operator",
    "operator",
    "math",
    "torch",
    "_functorch",
    "functorch",
    "builtin",
    "builtins",
    "quantized",
    "quantized_decomposed",
    "torchao",
    "torchvision",
    "torchaudio",
    "mkldnn",
    "cuda",
    "_c10d_functional",
    "c10d_functional",
    "rngprims",
    "inductor",
};

std::string lettersAndDigits(std::string_view name)
{
    std::string out;
    for (const char c : name) {
        if (c >= 'A' && c <= 'Z')
            out += static_cast<char>(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ':')
            out += c;
    }
    return out;
}

using Table = std::unordered_map<std::string, Category>;

Table makeTable()
{
    Table table;
    for (const Row &row : rows) {
        std::string_view rest = row.names;
        while (!rest.empty()) {
            const std::string_view word = rest.substr(0, rest.find(' '));
            table.emplace(lettersAndDigits(word), row.category);
            rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        }
    }
    return table;
}

std::optional<Category> find(const std::string &name)
{
    static const Table table = makeTable();
    const auto found = table.find(name);
    return found == table.end() ? std::nullopt : std::optional(found->second);
}

/// What an operator derives from: `view_copy` is a view, `tanh_backward` as colourful as `tanh`.
std::optional<Category> findDerived(std::string_view name)
{
    constexpr std::array endings = {"backward", "copy", "out", "functional", "forward"};
    for (const std::string_view ending : endings)
        if (name.size() > ending.size() && name.ends_with(ending))
            return find(std::string(name.substr(0, name.size() - ending.size())));
    constexpr std::string_view each = "foreach";
    return name.starts_with(each) ? find(std::string(name.substr(each.size()))) : std::nullopt;
}

} // namespace

std::string_view name(Category category)
{
    constexpr std::array<std::string_view, categoryCount> names = {
        "convolution",  "matrix product", "attention", "normalization", "activation",
        "elementwise",  "reduction",      "shape",     "indexing",      "creation",
        "control flow", "quantization",   "recurrent", "custom",        "unknown",
    };
    return names[static_cast<std::size_t>(category)];
}

Category categoryOf(const ir::Context &context, ir::OpId op)
{
    const ir::Operator &parts = context.at(op);
    const std::string_view dialect = context.text(parts.dialect);
    const bool isPython =
        dialect.starts_with("torch."); // a function of a Python module ("torch._functorch.predispatch")
    if (!isPython && std::ranges::find(knownDialects, dialect) == knownDialects.end())
        return dialect.empty() ? Category::Unknown : Category::Custom;
    const std::string name = lettersAndDigits(context.text(parts.name));
    if (const auto own = find(lettersAndDigits(dialect) + ':' + name))
        return *own;
    if (const auto shared = find(name))
        return *shared;
    return findDerived(name).value_or(Category::Unknown);
}

} // namespace cutaway::ops
