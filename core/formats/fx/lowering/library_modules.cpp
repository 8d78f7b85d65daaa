// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/library.h"

namespace cutaway::formats::fx {

// Modules of torch.nn whose code is not in the file, as calls of operators on the attributes that are in the file.
const std::string_view libraryOfModules = R"(
def torch.nn.modules.conv.Conv1d(self, input):
    padded = input if self.padding_mode == 'zeros' else aten.pad(input, self._reversed_padding_repeated_twice, self.padding_mode, None)
    return aten.conv1d(padded, self.weight, self.bias, self.stride, self.padding if self.padding_mode == 'zeros' else [0], self.dilation, self.groups)

def torch.nn.modules.conv.Conv2d(self, input):
    padded = input if self.padding_mode == 'zeros' else aten.pad(input, self._reversed_padding_repeated_twice, self.padding_mode, None)
    return aten.conv2d(padded, self.weight, self.bias, self.stride, self.padding if self.padding_mode == 'zeros' else [0, 0], self.dilation, self.groups)

def torch.nn.modules.conv.Conv3d(self, input):
    padded = input if self.padding_mode == 'zeros' else aten.pad(input, self._reversed_padding_repeated_twice, self.padding_mode, None)
    return aten.conv3d(padded, self.weight, self.bias, self.stride, self.padding if self.padding_mode == 'zeros' else [0, 0, 0], self.dilation, self.groups)

def torch.nn.modules.conv.ConvTranspose1d(self, input, output_size=None):
    require(output_size is None, 'an output size is given')
    return aten.conv_transpose1d(input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation)

def torch.nn.modules.conv.ConvTranspose2d(self, input, output_size=None):
    require(output_size is None, 'an output size is given')
    return aten.conv_transpose2d(input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation)

def torch.nn.modules.conv.ConvTranspose3d(self, input, output_size=None):
    require(output_size is None, 'an output size is given')
    return aten.conv_transpose3d(input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation)

def torch.nn.modules.linear.Linear|NonDynamicallyQuantizableLinear(self, input):
    return aten.linear(input, self.weight, self.bias)

def torch.nn.modules.linear.Bilinear(self, input1, input2):
    return aten.bilinear(input1, input2, self.weight, self.bias)

def torch.nn.modules.linear.Identity(self, input):
    return input

def torch.nn.modules.flatten.Flatten(self, input):
    return aten.flatten(input, self.start_dim, self.end_dim)

def torch.nn.modules.flatten.Unflatten(self, input):
    require(not self.dim == '', 'a dimension has a name')
    return aten.unflatten(input, self.dim, self.unflattened_size)

def torch.nn.modules.batchnorm.BatchNorm1d|BatchNorm2d|BatchNorm3d|SyncBatchNorm(self, input):
    isTrained = self.training or (self.running_mean is None and self.running_var is None)
    require(not self.training or not self.track_running_stats or self.momentum is not None, 'the average depends on how often it was called')
    isTracked = not self.training or self.track_running_stats
    return aten.batch_norm(input, self.weight, self.bias, self.running_mean if isTracked else None, self.running_var if isTracked else None, isTrained, 0.0 if self.momentum is None else self.momentum, self.eps, True)

def torch.nn.modules.instancenorm.InstanceNorm1d|InstanceNorm2d|InstanceNorm3d(self, input):
    return aten.instance_norm(input, self.weight, self.bias, self.running_mean, self.running_var, self.training or not self.track_running_stats, 0.0 if self.momentum is None else self.momentum, self.eps, True)

def torch.nn.modules.normalization.LayerNorm(self, input):
    return aten.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

def torch.nn.modules.normalization.GroupNorm(self, input):
    return aten.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

def torch.nn.modules.normalization.RMSNorm(self, input):
    return aten.rms_norm(input, self.normalized_shape, self.weight, self.eps)

def torch.nn.modules.sparse.Embedding(self, input):
    require(self.max_norm is None, 'rows of the table are scaled when they are read')
    return aten.embedding(self.weight, input, -1 if self.padding_idx is None else self.padding_idx, self.scale_grad_by_freq, self.sparse)

def torch.nn.modules.dropout.Dropout(self, input):
    return aten.dropout_(input, self.p, self.training) if self.inplace else aten.dropout(input, self.p, self.training)

def torch.nn.modules.dropout.Dropout1d|Dropout2d|Dropout3d(self, input):
    return aten.feature_dropout_(input, self.p, self.training) if self.inplace else aten.feature_dropout(input, self.p, self.training)

def torch.nn.modules.dropout.AlphaDropout(self, input):
    return aten.alpha_dropout(input, self.p, self.training)

def torch.nn.modules.activation.ReLU(self, input):
    return aten.relu_(input) if self.inplace else aten.relu(input)

def torch.nn.modules.activation.ReLU6(self, input):
    return aten.relu6_(input) if self.inplace else aten.relu6(input)

def torch.nn.modules.activation.SELU(self, input):
    return aten.selu_(input) if self.inplace else aten.selu(input)

def torch.nn.modules.activation.SiLU(self, input):
    return aten.silu_(input) if self.inplace else aten.silu(input)

def torch.nn.modules.activation.Mish(self, input):
    return aten.mish_(input) if self.inplace else aten.mish(input)

def torch.nn.modules.activation.Hardswish(self, input):
    return aten.hardswish_(input) if self.inplace else aten.hardswish(input)

def torch.nn.modules.activation.Hardsigmoid(self, input):
    return aten.hardsigmoid_(input) if self.inplace else aten.hardsigmoid(input)

def torch.nn.modules.activation.Sigmoid(self, input):
    return aten.sigmoid(input)

def torch.nn.modules.activation.Tanh(self, input):
    return aten.tanh(input)

def torch.nn.modules.activation.LogSigmoid(self, input):
    return aten.log_sigmoid(input)

def torch.nn.modules.activation.Softsign(self, input):
    return aten.div(input, aten.add(aten.abs(input), 1))

def torch.nn.modules.activation.Tanhshrink(self, input):
    return aten.sub(input, aten.tanh(input))

def torch.nn.modules.activation.GELU(self, input):
    return aten.gelu(input, approximate=self.approximate)

def torch.nn.modules.activation.LeakyReLU(self, input):
    return aten.leaky_relu_(input, self.negative_slope) if self.inplace else aten.leaky_relu(input, self.negative_slope)

def torch.nn.modules.activation.ELU(self, input):
    return aten.elu_(input, self.alpha) if self.inplace else aten.elu(input, self.alpha)

def torch.nn.modules.activation.CELU(self, input):
    return aten.celu_(input, self.alpha) if self.inplace else aten.celu(input, self.alpha)

def torch.nn.modules.activation.GLU(self, input):
    return aten.glu(input, self.dim)

def torch.nn.modules.activation.Hardtanh(self, input):
    return aten.hardtanh_(input, self.min_val, self.max_val) if self.inplace else aten.hardtanh(input, self.min_val, self.max_val)

def torch.nn.modules.activation.Hardshrink(self, input):
    return aten.hardshrink(input, self.lambd)

def torch.nn.modules.activation.Softshrink(self, input):
    return aten.softshrink(input, self.lambd)

def torch.nn.modules.activation.Softplus(self, input):
    return aten.softplus(input, self.beta, self.threshold)

def torch.nn.modules.activation.Threshold(self, input):
    return aten.threshold_(input, self.threshold, self.value) if self.inplace else aten.threshold(input, self.threshold, self.value)

def torch.nn.modules.activation.PReLU(self, input):
    return aten.prelu(input, self.weight)

def torch.nn.modules.activation.Softmax(self, input):
    require(self.dim is not None, 'its dimension follows from the rank')
    return aten.softmax(input, self.dim)

def torch.nn.modules.activation.LogSoftmax(self, input):
    require(self.dim is not None, 'its dimension follows from the rank')
    return aten.log_softmax(input, self.dim)

def torch.nn.modules.activation.Softmin(self, input):
    require(self.dim is not None, 'its dimension follows from the rank')
    return aten.softmax(aten.neg(input), self.dim)

def torch.nn.modules.activation.Softmax2d(self, input):
    return aten.softmax(input, -3)

def torch.nn.modules.activation.MultiheadAttention(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True, is_causal=False):
    require(key_padding_mask is None and attn_mask is None, 'it has a mask')
    require(self._qkv_same_embed_dim and self.bias_k is None and not self.add_zero_attn, 'it has keys of its own')
    require(not self.training or self.dropout == 0.0, 'it drops weights at random')
    dim = self.embed_dim
    bias = self.in_proj_bias
    q = aten.linear(query, self.in_proj_weight[:dim], None if bias is None else bias[:dim])
    k = aten.linear(key, self.in_proj_weight[dim:2 * dim], None if bias is None else bias[dim:2 * dim])
    v = aten.linear(value, self.in_proj_weight[2 * dim:], None if bias is None else bias[2 * dim:])
    order = [0, 2, 1, 3] if self.batch_first else [1, 2, 0, 3]
    q = aten.permute(aten.unflatten(q, 2, [self.num_heads, self.head_dim]), order)
    k = aten.permute(aten.unflatten(k, 2, [self.num_heads, self.head_dim]), order)
    v = aten.permute(aten.unflatten(v, 2, [self.num_heads, self.head_dim]), order)
    weights = aten.softmax(aten.matmul(aten.mul(q, 1.0 / cutaway.sqrt(self.head_dim)), aten.transpose(k, 2, 3)), -1) if need_weights else None
    mixed = aten.matmul(weights, v) if need_weights else aten.scaled_dot_product_attention(q, k, v)
    mixed = aten.flatten(aten.permute(mixed, [0, 2, 1, 3] if self.batch_first else [2, 0, 1, 3]), 2)
    shown = aten.mean(weights, [1]) if need_weights and average_attn_weights else weights
    return (aten.linear(mixed, self.out_proj.weight, self.out_proj.bias), shown)

def torch.nn.modules.pooling.MaxPool1d(self, input):
    return aten.max_pool1d_with_indices(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode) if self.return_indices else aten.max_pool1d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)

def torch.nn.modules.pooling.AvgPool1d(self, input):
    return aten.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

def torch.nn.modules.pooling.AdaptiveAvgPool1d(self, input):
    return aten.adaptive_avg_pool1d(input, self.output_size)

def torch.nn.modules.pooling.AdaptiveMaxPool1d(self, input):
    both = aten.adaptive_max_pool1d(input, self.output_size)
    return both if self.return_indices else both[0]

def torch.nn.modules.pooling.MaxPool2d(self, input):
    return aten.max_pool2d_with_indices(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode) if self.return_indices else aten.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)

def torch.nn.modules.pooling.AvgPool2d(self, input):
    return aten.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad, self.divisor_override)

def torch.nn.modules.pooling.AdaptiveAvgPool2d(self, input):
    return aten.adaptive_avg_pool2d(input, self.output_size)

def torch.nn.modules.pooling.AdaptiveMaxPool2d(self, input):
    both = aten.adaptive_max_pool2d(input, self.output_size)
    return both if self.return_indices else both[0]

def torch.nn.modules.pooling.MaxPool3d(self, input):
    return aten.max_pool3d_with_indices(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode) if self.return_indices else aten.max_pool3d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)

def torch.nn.modules.pooling.AvgPool3d(self, input):
    return aten.avg_pool3d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad, self.divisor_override)

def torch.nn.modules.pooling.AdaptiveAvgPool3d(self, input):
    return aten.adaptive_avg_pool3d(input, self.output_size)

def torch.nn.modules.pooling.AdaptiveMaxPool3d(self, input):
    both = aten.adaptive_max_pool3d(input, self.output_size)
    return both if self.return_indices else both[0]

def torch.nn.modules.pixelshuffle.PixelShuffle(self, input):
    return aten.pixel_shuffle(input, self.upscale_factor)

def torch.nn.modules.pixelshuffle.PixelUnshuffle(self, input):
    return aten.pixel_unshuffle(input, self.downscale_factor)

def torch.nn.modules.channelshuffle.ChannelShuffle(self, input):
    return aten.channel_shuffle(input, self.groups)

def torch.nn.modules.padding.ZeroPad1d|ZeroPad2d|ZeroPad3d|ConstantPad1d|ConstantPad2d|ConstantPad3d(self, input):
    return aten.constant_pad_nd(input, self.padding, self.value)

def torch.nn.modules.padding.ReflectionPad1d|ReflectionPad2d|ReflectionPad3d(self, input):
    return aten.pad(input, self.padding, 'reflect', None)

def torch.nn.modules.padding.ReplicationPad1d|ReplicationPad2d|ReplicationPad3d(self, input):
    return aten.pad(input, self.padding, 'replicate', None)

def torch.nn.modules.padding.CircularPad1d|CircularPad2d|CircularPad3d(self, input):
    return aten.pad(input, self.padding, 'circular', None)

def torch.nn.modules.upsampling.Upsample|UpsamplingNearest2d|UpsamplingBilinear2d(self, input):
    return torch.nn.functional.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)

def torch.nn.modules.distance.CosineSimilarity(self, x1, x2):
    return aten.cosine_similarity(x1, x2, self.dim, self.eps)

def torch.nn.modules.distance.PairwiseDistance(self, x1, x2):
    return aten.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)

def torch.nn.modules.loss.MSELoss(self, input, target):
    return aten.mse_loss(input, target, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.L1Loss(self, input, target):
    return aten.l1_loss(input, target, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.CrossEntropyLoss(self, input, target):
    return aten.cross_entropy_loss(input, target, self.weight, cutaway.reduction(self.reduction), self.ignore_index, self.label_smoothing)

def torch.nn.modules.loss.NLLLoss(self, input, target):
    return aten.nll_loss_nd(input, target, self.weight, cutaway.reduction(self.reduction), self.ignore_index)

def torch.nn.modules.rnn.LSTMCell(self, input, hx=None):
    state = aten.zeros([aten.size(input, 0), self.hidden_size], dtype=prim.dtype(input)) if hx is None else None
    return aten.lstm_cell(input, [state, state] if hx is None else [hx[0], hx[1]], self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)

def torch.nn.modules.rnn.GRUCell(self, input, hx=None):
    state = aten.zeros([aten.size(input, 0), self.hidden_size], dtype=prim.dtype(input)) if hx is None else hx
    return aten.gru_cell(input, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)

def torch.nn.modules.rnn.RNNCell(self, input, hx=None):
    state = aten.zeros([aten.size(input, 0), self.hidden_size], dtype=prim.dtype(input)) if hx is None else hx
    return aten.rnn_tanh_cell(input, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh) if self.nonlinearity == 'tanh' else aten.rnn_relu_cell(input, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)

def torch.nn.modules.fold.Fold(self, input):
    return aten.col2im(input, cutaway.pair(self.output_size), cutaway.pair(self.kernel_size), cutaway.pair(self.dilation), cutaway.pair(self.padding), cutaway.pair(self.stride))

def torch.nn.modules.fold.Unfold(self, input):
    return aten.im2col(input, cutaway.pair(self.kernel_size), cutaway.pair(self.dilation), cutaway.pair(self.padding), cutaway.pair(self.stride))

def torch.nn.modules.pooling.LPPool1d(self, input):
    means = aten.avg_pool1d(aten.pow(input, self.norm_type), self.kernel_size, self.kernel_size if self.stride is None else self.stride, 0, self.ceil_mode)
    return cutaway.root(means, cutaway.single(self.kernel_size), self.norm_type)

def torch.nn.modules.pooling.LPPool2d(self, input):
    means = aten.avg_pool2d(aten.pow(input, self.norm_type), self.kernel_size, self.kernel_size if self.stride is None else self.stride, 0, self.ceil_mode)
    kernel = cutaway.pair(self.kernel_size)
    return cutaway.root(means, kernel[0] * kernel[1], self.norm_type)

def torch.nn.modules.pooling.LPPool3d(self, input):
    means = aten.avg_pool3d(aten.pow(input, self.norm_type), self.kernel_size, self.kernel_size if self.stride is None else self.stride, 0, self.ceil_mode)
    kernel = self.kernel_size if is_list(self.kernel_size) else repeated(self.kernel_size, 3)
    return cutaway.root(means, kernel[0] * kernel[1] * kernel[2], self.norm_type)

def torch.nn.modules.pooling.MaxUnpool2d(self, input, indices, output_size=None):
    require(output_size is None, 'an output size is given')
    return aten.max_unpool2d(input, indices, [cutaway.unpooled(input, -2, self.kernel_size[0], self.stride[0], self.padding[0]), cutaway.unpooled(input, -1, self.kernel_size[1], self.stride[1], self.padding[1])])

def torch.nn.modules.pooling.MaxUnpool1d(self, input, indices, output_size=None):
    require(output_size is None, 'an output size is given')
    size = cutaway.unpooled(input, -1, self.kernel_size[0], self.stride[0], self.padding[0])
    return aten.squeeze(aten.max_unpool2d(aten.unsqueeze(input, -1), aten.unsqueeze(indices, -1), [size, 1]), -1)

def torch.nn.modules.pooling.MaxUnpool3d(self, input, indices, output_size=None):
    require(output_size is None, 'an output size is given')
    return aten.max_unpool3d(input, indices, [cutaway.unpooled(input, -3, self.kernel_size[0], self.stride[0], self.padding[0]), cutaway.unpooled(input, -2, self.kernel_size[1], self.stride[1], self.padding[1]), cutaway.unpooled(input, -1, self.kernel_size[2], self.stride[2], self.padding[2])], self.stride, self.padding)

def torch.nn.modules.sparse.EmbeddingBag(self, input, offsets=None, per_sample_weights=None):
    require(self.max_norm is None, 'rows of the table are scaled when they are read')
    starts = aten.arange(0, aten.numel(input), aten.size(input, 1), dtype=prim.dtype(input)) if offsets is None else offsets
    rows = aten.reshape(input, [-1])
    factors = None if per_sample_weights is None else aten.reshape(per_sample_weights, [-1])
    mode = 0 if self.mode == 'sum' else 1 if self.mode == 'mean' else 2
    return aten.embedding_bag(self.weight, rows, starts, self.scale_grad_by_freq, mode, self.sparse, factors, self.include_last_offset, self.padding_idx)[0]

def torch.nn.modules.normalization.LocalResponseNorm(self, input):
    squares = aten.unsqueeze(aten.flatten(aten.mul(input, input), 2), 1)
    padded = aten.constant_pad_nd(squares, [0, 0, self.size // 2, (self.size - 1) // 2], 0.0)
    means = aten.reshape(aten.avg_pool2d(padded, [self.size, 1], [1, 1]), aten.size(input))
    return aten.div(input, aten.pow(aten.add(aten.mul(means, self.alpha), self.k), self.beta))

def torch.nn.modules.dropout.FeatureAlphaDropout(self, input):
    return aten.feature_alpha_dropout(input, self.p, self.training)

def torch.nn.modules.activation.RReLU(self, input):
    return aten.rrelu_(input, self.lower, self.upper, self.training) if self.inplace else aten.rrelu(input, self.lower, self.upper, self.training)

def torch.nn.modules.loss.NLLLoss2d(self, input, target):
    return aten.nll_loss_nd(input, target, self.weight, cutaway.reduction(self.reduction), self.ignore_index)

def torch.nn.modules.loss.BCELoss(self, input, target):
    return aten.binary_cross_entropy(input, target, self.weight, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.BCEWithLogitsLoss(self, input, target):
    return aten.binary_cross_entropy_with_logits(input, target, self.weight, self.pos_weight, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.SmoothL1Loss(self, input, target):
    return aten.l1_loss(input, target, cutaway.reduction(self.reduction)) if self.beta == 0.0 else aten.smooth_l1_loss(input, target, cutaway.reduction(self.reduction), self.beta)

def torch.nn.modules.loss.HuberLoss(self, input, target):
    return aten.huber_loss(input, target, cutaway.reduction(self.reduction), self.delta)

def torch.nn.modules.loss.KLDivLoss(self, input, target):
    isOfBatch = self.reduction == 'batchmean'
    loss = aten.kl_div(input, target, 2 if isOfBatch else cutaway.reduction(self.reduction), log_target=self.log_target)
    return aten.div(loss, aten.size(input, 0)) if isOfBatch else loss

def torch.nn.modules.loss.PoissonNLLLoss(self, log_input, target):
    return aten.poisson_nll_loss(log_input, target, self.log_input, self.full, self.eps, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.HingeEmbeddingLoss(self, input, target):
    return aten.hinge_embedding_loss(input, target, self.margin, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.MultiLabelMarginLoss(self, input, target):
    return aten.multilabel_margin_loss(input, target, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.SoftMarginLoss(self, input, target):
    return aten.soft_margin_loss(input, target, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.MultiLabelSoftMarginLoss(self, input, target):
    losses = aten.neg(aten.add(aten.mul(target, aten.log_sigmoid(input)), aten.mul(aten.rsub(target, 1), aten.log_sigmoid(aten.neg(input)))))
    weighted = losses if self.weight is None else aten.mul(losses, self.weight)
    each = aten.mean(weighted, [-1])
    return each if self.reduction == 'none' else aten.mean(each) if self.reduction == 'mean' else aten.sum(each)

def torch.nn.modules.loss.CosineEmbeddingLoss(self, input1, input2, target):
    return aten.cosine_embedding_loss(input1, input2, target, self.margin, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.MarginRankingLoss(self, input1, input2, target):
    return aten.margin_ranking_loss(input1, input2, target, self.margin, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.MultiMarginLoss(self, input, target):
    return aten.multi_margin_loss(input, target, self.p, self.margin, self.weight, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.TripletMarginLoss(self, anchor, positive, negative):
    return aten.triplet_margin_loss(anchor, positive, negative, self.margin, self.p, self.eps, self.swap, cutaway.reduction(self.reduction))

def torch.nn.modules.loss.CTCLoss(self, log_probs, targets, input_lengths, target_lengths):
    return aten.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, cutaway.reduction(self.reduction), self.zero_infinity)

def cutaway.activated(module, x):
    require(module.activation_relu_or_gelu > 0, 'its activation is not known')
    return aten.relu(x) if module.activation_relu_or_gelu == 1 else aten.gelu(x)

def torch.nn.modules.transformer.TransformerEncoderLayer(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
    require(src_mask is None and src_key_padding_mask is None, 'it has a mask')
    first = self.norm1(src) if self.norm_first else src
    mixed = aten.add(src, self.dropout1(self.self_attn(first, first, first, need_weights=False)[0]))
    x = mixed if self.norm_first else self.norm1(mixed)
    second = self.norm2(x) if self.norm_first else x
    result = aten.add(x, self.dropout2(self.linear2(self.dropout(cutaway.activated(self, self.linear1(second))))))
    return result if self.norm_first else self.norm2(result)

def torch.nn.modules.rnn.GRU(self, input, hx=None):
    state = aten.zeros([self.num_layers * (2 if self.bidirectional else 1), aten.size(input, 0 if self.batch_first else 1), self.hidden_size], dtype=prim.dtype(input)) if hx is None else hx
    return aten.gru(input, state, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional, self.batch_first)

def torch.nn.modules.rnn.RNN(self, input, hx=None):
    state = aten.zeros([self.num_layers * (2 if self.bidirectional else 1), aten.size(input, 0 if self.batch_first else 1), self.hidden_size], dtype=prim.dtype(input)) if hx is None else hx
    return aten.rnn_tanh(input, state, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional, self.batch_first) if self.mode == 'RNN_TANH' else aten.rnn_relu(input, state, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional, self.batch_first)

def torch.nn.modules.rnn.LSTM(self, input, hx=None):
    state = aten.zeros([self.num_layers * (2 if self.bidirectional else 1), aten.size(input, 0 if self.batch_first else 1), self.hidden_size], dtype=prim.dtype(input)) if hx is None else None
    shown = aten.zeros([self.num_layers * (2 if self.bidirectional else 1), aten.size(input, 0 if self.batch_first else 1), self.proj_size], dtype=prim.dtype(input)) if hx is None and self.proj_size > 0 else state
    all = aten.lstm(input, [shown, state] if hx is None else [hx[0], hx[1]], self._flat_weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional, self.batch_first)
    return (all[0], (all[1], all[2]))
)";

} // namespace cutaway::formats::fx
