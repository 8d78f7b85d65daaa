// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/library.h"

namespace cutaway::formats::fx {

// Functions of torch that are no operators themselves, as calls of operators.
const std::string_view libraryOfFunctions = R"(
def torch.nn.functional.relu(input, inplace=False):
    return aten.relu_(input) if inplace else aten.relu(input)

def torch.nn.functional.relu6(input, inplace=False):
    return aten.relu6_(input) if inplace else aten.relu6(input)

def torch.nn.functional.selu(input, inplace=False):
    return aten.selu_(input) if inplace else aten.selu(input)

def torch.nn.functional.silu(input, inplace=False):
    return aten.silu_(input) if inplace else aten.silu(input)

def torch.nn.functional.mish(input, inplace=False):
    return aten.mish_(input) if inplace else aten.mish(input)

def torch.nn.functional.hardswish(input, inplace=False):
    return aten.hardswish_(input) if inplace else aten.hardswish(input)

def torch.nn.functional.hardsigmoid(input, inplace=False):
    return aten.hardsigmoid_(input) if inplace else aten.hardsigmoid(input)

def torch.nn.functional.relu_(input, *rest):
    require(len(rest) == 0, 'it has arguments')
    return aten.relu_(input)

def torch.nn.functional.elu_(input, *rest):
    require(len(rest) == 0, 'it has arguments')
    return aten.elu_(input)

def torch.nn.functional.leaky_relu_(input, *rest):
    require(len(rest) == 0, 'it has arguments')
    return aten.leaky_relu_(input)

def torch.nn.functional.hardtanh_(input, *rest):
    require(len(rest) == 0, 'it has arguments')
    return aten.hardtanh_(input)

def torch.nn.functional.selu_(input, *rest):
    require(len(rest) == 0, 'it has arguments')
    return aten.selu_(input)

def torch.nn.functional.celu_(input, *rest):
    require(len(rest) == 0, 'it has arguments')
    return aten.celu_(input)

def torch.nn.functional.threshold_(input, *rest):
    require(len(rest) == 0, 'it has arguments')
    return aten.threshold_(input)

def torch.nn.functional.rrelu_(input, *rest):
    require(len(rest) == 0, 'it has arguments')
    return aten.rrelu_(input)

def torch.nn.functional.sigmoid(input):
    return aten.sigmoid(input)

def torch.nn.functional.tanh(input):
    return aten.tanh(input)

def torch.nn.functional.logsigmoid(input):
    return aten.log_sigmoid(input)

def torch.nn.functional.softsign(input):
    return aten.div(input, aten.add(aten.abs(input), 1))

def torch.nn.functional.tanhshrink(input):
    return aten.sub(input, aten.tanh(input))

def torch.nn.functional.leaky_relu(input, negative_slope=0.01, inplace=False):
    return aten.leaky_relu_(input, negative_slope) if inplace else aten.leaky_relu(input, negative_slope)

def torch.nn.functional.elu(input, alpha=1.0, inplace=False):
    return aten.elu_(input, alpha) if inplace else aten.elu(input, alpha)

def torch.nn.functional.celu(input, alpha=1.0, inplace=False):
    return aten.celu_(input, alpha) if inplace else aten.celu(input, alpha)

def torch.nn.functional.glu(input, dim=-1):
    return aten.glu(input, dim)

def torch.nn.functional.hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return aten.hardtanh_(input, min_val, max_val) if inplace else aten.hardtanh(input, min_val, max_val)

def torch.nn.functional.threshold(input, threshold, value, inplace=False):
    return aten.threshold_(input, threshold, value) if inplace else aten.threshold(input, threshold, value)

def torch.nn.functional.gelu(input, approximate='none'):
    return aten.gelu(input, approximate=approximate)

def torch.nn.functional.softplus(input, beta=1, threshold=20):
    return aten.softplus(input, beta, threshold)

def torch.nn.functional.linear(input, weight, bias=None):
    return aten.linear(input, weight, bias)

def torch.nn.functional.softmax(input, dim=None, _stacklevel=3, dtype=None):
    require(dim is not None, 'its dimension follows from the rank')
    return aten.softmax(input, dim, dtype)

def torch.nn.functional.log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    require(dim is not None, 'its dimension follows from the rank')
    return aten.log_softmax(input, dim, dtype)

def torch.nn.functional.softmin(input, dim=None, _stacklevel=3, dtype=None):
    require(dim is not None, 'its dimension follows from the rank')
    return aten.softmax(aten.neg(input), dim, dtype)

def torch.nn.functional.dropout(input, p=0.5, training=True, inplace=False):
    return aten.dropout_(input, p, training) if inplace else aten.dropout(input, p, training)

def torch.nn.functional.dropout1d|dropout2d|dropout3d(input, p=0.5, training=True, inplace=False):
    return aten.feature_dropout_(input, p, training) if inplace else aten.feature_dropout(input, p, training)

def torch.nn.functional.alpha_dropout(input, p=0.5, training=False, inplace=False):
    return aten.alpha_dropout_(input, p, training) if inplace else aten.alpha_dropout(input, p, training)

def torch.nn.functional.batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    return aten.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, True)

def torch.nn.functional.instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05):
    return aten.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True)

def torch.nn.functional.layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    return aten.layer_norm(input, normalized_shape, weight, bias, eps)

def torch.nn.functional.group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    return aten.group_norm(input, num_groups, weight, bias, eps)

def torch.nn.functional.rms_norm(input, normalized_shape, weight=None, eps=None):
    return aten.rms_norm(input, normalized_shape, weight, eps)

def torch.nn.functional.normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    require(out is None, 'the result is written to a tensor')
    length = aten.clamp_min(aten.norm(input, p, [dim], True), eps)
    return aten.div(input, aten.expand_as(length, input))

def torch.nn.functional.embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    require(max_norm is None, 'rows of the table are scaled when they are read')
    return aten.embedding(weight, input, -1 if padding_idx is None else padding_idx, scale_grad_by_freq, sparse)

def torch.nn.functional.max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    step = kernel_size if stride is None else stride
    return aten.max_pool1d_with_indices(input, kernel_size, step, padding, dilation, ceil_mode) if return_indices else aten.max_pool1d(input, kernel_size, step, padding, dilation, ceil_mode)

def torch.nn.functional.adaptive_avg_pool1d(input, output_size):
    return aten.adaptive_avg_pool1d(input, output_size)

def torch.nn.functional.adaptive_max_pool1d(input, output_size, return_indices=False):
    both = aten.adaptive_max_pool1d(input, output_size)
    return both if return_indices else both[0]

def torch.nn.functional.max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    step = kernel_size if stride is None else stride
    return aten.max_pool2d_with_indices(input, kernel_size, step, padding, dilation, ceil_mode) if return_indices else aten.max_pool2d(input, kernel_size, step, padding, dilation, ceil_mode)

def torch.nn.functional.adaptive_avg_pool2d(input, output_size):
    return aten.adaptive_avg_pool2d(input, output_size)

def torch.nn.functional.adaptive_max_pool2d(input, output_size, return_indices=False):
    both = aten.adaptive_max_pool2d(input, output_size)
    return both if return_indices else both[0]

def torch.nn.functional.max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    step = kernel_size if stride is None else stride
    return aten.max_pool3d_with_indices(input, kernel_size, step, padding, dilation, ceil_mode) if return_indices else aten.max_pool3d(input, kernel_size, step, padding, dilation, ceil_mode)

def torch.nn.functional.adaptive_avg_pool3d(input, output_size):
    return aten.adaptive_avg_pool3d(input, output_size)

def torch.nn.functional.adaptive_max_pool3d(input, output_size, return_indices=False):
    both = aten.adaptive_max_pool3d(input, output_size)
    return both if return_indices else both[0]

def torch.nn.functional.pad(input, pad, mode='constant', value=None):
    return aten.pad(input, pad, mode, value)

def torch.nn.functional.interpolate|upsample(input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None, antialias=False):
    require(not antialias and not recompute_scale_factor, 'it is computed in a way that is not known')
    sizes = size if size is not None else scale_factor
    rank = 1 if mode == 'linear' else 3 if mode == 'trilinear' else cutaway.length(sizes) if is_list(sizes) else 2
    to = None if size is None else size if is_list(size) else repeated(size, rank)
    by = None if scale_factor is None else cutaway.floats(scale_factor, rank)
    corners = False if align_corners is None else align_corners
    require(mode == 'nearest' or mode == 'linear' or mode == 'bilinear' or mode == 'trilinear' or mode == 'bicubic', 'its mode is not known')
    return cutaway.nearest(input, to, by, rank) if mode == 'nearest' else aten.upsample_linear1d(input, to, corners, by) if mode == 'linear' else aten.upsample_trilinear3d(input, to, corners, by) if mode == 'trilinear' else aten.upsample_bicubic2d(input, to, corners, by) if mode == 'bicubic' else aten.upsample_bilinear2d(input, to, corners, by)

def cutaway.length(sizes):
    return len(sizes)

def cutaway.floats(scale, rank):
    return scale if is_list(scale) else repeated(scale * 1.0, rank)

def cutaway.nearest(input, size, scale, rank):
    return aten.upsample_nearest1d(input, size, scale) if rank == 1 else aten.upsample_nearest3d(input, size, scale) if rank == 3 else aten.upsample_nearest2d(input, size, scale)

def cutaway.single(sizes):
    return sizes[0] if is_list(sizes) else sizes

def cutaway.pair(sizes):
    return sizes if is_list(sizes) else repeated(sizes, 2)

def cutaway.root(means, elements, power):
    positive = aten.mul(aten.sign(means), aten.relu(aten.abs(means)))
    return aten.pow(aten.mul(positive, elements), 1.0 / power)

def cutaway.unpooled(input, dim, kernel, step, padding):
    return (aten.size(input, dim) - 1) * step + kernel - 2 * padding

def cutaway.reduction(name):
    require(name == 'none' or name == 'mean' or name == 'sum', 'its reduction is not known')
    return 0 if name == 'none' else 1 if name == 'mean' else 2

def torch.nn.functional.mse_loss(input, target, size_average=None, reduce=None, reduction='mean'):
    require(size_average is None and reduce is None, 'its reduction is not known')
    return aten.mse_loss(input, target, cutaway.reduction(reduction))

def torch.nn.functional.l1_loss(input, target, size_average=None, reduce=None, reduction='mean'):
    require(size_average is None and reduce is None, 'its reduction is not known')
    return aten.l1_loss(input, target, cutaway.reduction(reduction))

def torch.nn.functional.cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0):
    require(size_average is None and reduce is None, 'its reduction is not known')
    return aten.cross_entropy_loss(input, target, weight, cutaway.reduction(reduction), ignore_index, label_smoothing)

def torch.nn.functional.nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'):
    require(size_average is None and reduce is None, 'its reduction is not known')
    return aten.nll_loss_nd(input, target, weight, cutaway.reduction(reduction), ignore_index)

def torch.nn.functional.conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return aten.conv1d(input, weight, bias, stride, padding, dilation, groups)

def torch.nn.functional.conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return aten.conv2d(input, weight, bias, stride, padding, dilation, groups)

def torch.nn.functional.conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return aten.conv3d(input, weight, bias, stride, padding, dilation, groups)

def torch.functional.split(tensor, split_size_or_sections, dim=0):
    return aten.split(tensor, split_size_or_sections, dim)

def torch.functional.einsum(equation, *operands):
    return aten.einsum(equation, operands[0] if len(operands) == 1 and is_list(operands[0]) else operands)

def torch.functional.norm(input, p='fro', dim=None, keepdim=False, out=None, dtype=None):
    require(out is None and dtype is None and p != 'nuc', 'its form is not known')
    order = 2 if p == 'fro' else p
    return aten.norm(input, order) if dim is None and not keepdim else aten.linalg_vector_norm(input, order, dim, keepdim)

def torch.functional.broadcast_tensors(*tensors):
    return aten.broadcast_tensors(tensors[0] if len(tensors) == 1 and is_list(tensors[0]) else tensors)

def torch.functional.meshgrid(*tensors, indexing='ij'):
    return aten.meshgrid(tensors[0] if len(tensors) == 1 and is_list(tensors[0]) else tensors, indexing=indexing)

def torch.functional.cdist(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary'):
    return aten.cdist(x1, x2, p, 0)

def torchvision.ops.stochastic_depth.stochastic_depth(input, p, mode, training=True):
    require(not training or p == 0.0, 'it drops rows at random')
    return input

def torch._assert(condition, message):
    return torch.ops.aten._assert_scalar.default(condition, message)
)";

} // namespace cutaway::formats::fx
