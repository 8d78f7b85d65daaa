// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/library.h"

namespace cutaway::formats::fx {

// Modules of torch.ao.nn with quantized weights: each packs its weight before use, as torch does when it loads such a
// module.
const std::string_view libraryOfQuantizedModules = R"(
def cutaway.packed1d(self):
    require(self.padding_mode == 'zeros', 'it pads with other than zeros')
    return torch.ops.quantized.conv1d_prepack(self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

def cutaway.packed2d(self):
    require(self.padding_mode == 'zeros', 'it pads with other than zeros')
    return torch.ops.quantized.conv2d_prepack(self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

def cutaway.packed3d(self):
    require(self.padding_mode == 'zeros', 'it pads with other than zeros')
    return torch.ops.quantized.conv3d_prepack(self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

def cutaway.packed_linear(self):
    both = self._packed_params._packed_params
    return torch.ops.quantized.linear_prepack(both[0], both[1])

def torch.ao.nn.quantized.modules.conv.Conv1d(self, input):
    return torch.ops.quantized.conv1d(input, cutaway.packed1d(self), self.scale, self.zero_point)

def torch.ao.nn.quantized.modules.conv.Conv2d(self, input):
    return torch.ops.quantized.conv2d(input, cutaway.packed2d(self), self.scale, self.zero_point)

def torch.ao.nn.quantized.modules.conv.Conv3d(self, input):
    return torch.ops.quantized.conv3d(input, cutaway.packed3d(self), self.scale, self.zero_point)

def torch.ao.nn.intrinsic.quantized.modules.conv_relu.ConvReLU1d(self, input):
    return torch.ops.quantized.conv1d_relu(input, cutaway.packed1d(self), self.scale, self.zero_point)

def torch.ao.nn.intrinsic.quantized.modules.conv_relu.ConvReLU2d(self, input):
    return torch.ops.quantized.conv2d_relu(input, cutaway.packed2d(self), self.scale, self.zero_point)

def torch.ao.nn.intrinsic.quantized.modules.conv_relu.ConvReLU3d(self, input):
    return torch.ops.quantized.conv3d_relu(input, cutaway.packed3d(self), self.scale, self.zero_point)

def torch.ao.nn.quantized.modules.linear.Linear(self, x):
    return torch.ops.quantized.linear(x, cutaway.packed_linear(self), self.scale, self.zero_point)

def torch.ao.nn.intrinsic.quantized.modules.linear_relu.LinearReLU(self, x):
    return torch.ops.quantized.linear_relu(x, cutaway.packed_linear(self), self.scale, self.zero_point)

def torch.ao.nn.intrinsic.quantized.modules.linear_relu.LinearLeakyReLU(self, x):
    return torch.ops.quantized.linear_leaky_relu(x, cutaway.packed_linear(self), self.scale, self.zero_point, self.negative_slope)

def torch.ao.nn.intrinsic.quantized.modules.linear_relu.LinearTanh(self, x):
    return torch.ops.quantized.linear_tanh(x, cutaway.packed_linear(self), self.scale, self.zero_point)

def torch.ao.nn.quantized.dynamic.modules.linear.Linear(self, x):
    return torch.ops.quantized.linear_dynamic(x, cutaway.packed_linear(self), self.version is not None and self.version >= 4)

def torch.ao.nn.quantized.modules.Quantize(self, X):
    return aten.quantize_per_tensor(X, self.scale, self.zero_point, self.dtype)

def torch.ao.nn.quantized.modules.DeQuantize(self, Xq):
    return aten.dequantize(Xq)

def torch.ao.nn.quantized.modules.dropout.Dropout(self, input):
    return input

def torch.ao.nn.quantized.modules.activation.ReLU6(self, input):
    return torch.ops.quantized.relu6(input, self.inplace)

def torch.ao.nn.quantized.modules.activation.Hardswish(self, input):
    return torch.ops.quantized.hardswish(input, self.scale, self.zero_point)

def torch.ao.nn.quantized.modules.activation.LeakyReLU(self, input):
    return torch.ops.quantized.leaky_relu(input, self.negative_slope, self.inplace, self.scale, self.zero_point)

def torch.ao.nn.quantized.modules.activation.Sigmoid(self, input):
    return torch.ops.quantized.sigmoid(input, self.output_scale, self.output_zero_point)

def torch.ao.nn.quantized.modules.batchnorm.BatchNorm2d(self, input):
    return torch.ops.quantized.batch_norm2d(input, self.weight, self.bias, self.running_mean, self.running_var, self.eps, self.scale, self.zero_point)

def torch.ao.nn.quantized.modules.batchnorm.BatchNorm3d(self, input):
    return torch.ops.quantized.batch_norm3d(input, self.weight, self.bias, self.running_mean, self.running_var, self.eps, self.scale, self.zero_point)

def torch.ao.nn.intrinsic.quantized.modules.bn_relu.BNReLU2d(self, input):
    return torch.ops.quantized.batch_norm2d_relu(input, self.weight, self.bias, self.running_mean, self.running_var, self.eps, self.scale, self.zero_point)

def torch.ao.nn.intrinsic.quantized.modules.bn_relu.BNReLU3d(self, input):
    return torch.ops.quantized.batch_norm3d_relu(input, self.weight, self.bias, self.running_mean, self.running_var, self.eps, self.scale, self.zero_point)

def torch.ao.nn.quantized.modules.normalization.LayerNorm(self, input):
    return torch.ops.quantized.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps, self.scale, self.zero_point)

def torch.ao.nn.quantized.modules.normalization.GroupNorm(self, input):
    return torch.ops.quantized.group_norm(input, self.num_groups, self.weight, self.bias, self.eps, self.scale, self.zero_point)

def torch.ao.nn.quantized.modules.normalization.InstanceNorm1d|InstanceNorm2d|InstanceNorm3d(self, input):
    return torch.ops.quantized.instance_norm(input, self.weight, self.bias, self.eps, self.scale, self.zero_point)
)";

} // namespace cutaway::formats::fx
