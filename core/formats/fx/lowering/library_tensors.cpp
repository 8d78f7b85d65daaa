// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/library.h"

namespace cutaway::formats::fx {

// Methods and attributes of tensors that are no operators themselves.
const std::string_view libraryOfTensors = R"(
def torch.Tensor.float(self):
    return aten.to(self, torch.float32)

def torch.Tensor.double(self):
    return aten.to(self, torch.float64)

def torch.Tensor.half(self):
    return aten.to(self, torch.float16)

def torch.Tensor.bfloat16(self):
    return aten.to(self, torch.bfloat16)

def torch.Tensor.long(self):
    return aten.to(self, torch.int64)

def torch.Tensor.int(self):
    return aten.to(self, torch.int32)

def torch.Tensor.short(self):
    return aten.to(self, torch.int16)

def torch.Tensor.char(self):
    return aten.to(self, torch.int8)

def torch.Tensor.byte(self):
    return aten.to(self, torch.uint8)

def torch.Tensor.bool(self):
    return aten.to(self, torch.bool)

def torch.Tensor.type(self, dtype):
    return aten.to(self, dtype)

def torch.Tensor.cpu(self):
    return aten.to(self, torch.device('cpu'))

def torch.Tensor.split(self, split_size, dim=0):
    return aten.split(self, split_size, dim)

def torch.Tensor.norm(self, p='fro', dim=None, keepdim=False, dtype=None):
    return torch.functional.norm(self, p, dim, keepdim, None, dtype)

def torch.Tensor.new_tensor(self, data):
    require(False, 'it makes a tensor of numbers')
    return self

def torch.Tensor.attribute.shape(self):
    return aten.size(self)

def torch.Tensor.attribute.dtype(self):
    return prim.dtype(self)

def torch.Tensor.attribute.device(self):
    return prim.device(self)

def torch.Tensor.attribute.ndim(self):
    return aten.dim(self)

def torch.Tensor.attribute.T(self):
    return aten.numpy_T(self)

def torch.Tensor.attribute.mT(self):
    return aten.mT(self)

def torch.Tensor.attribute.H(self):
    return aten.matrix_H(self)

def torch.Tensor.attribute.mH(self):
    return aten.mH(self)

def torch.Tensor.attribute.real(self):
    return aten.real(self)

def torch.Tensor.attribute.imag(self):
    return aten.imag(self)

def torch.Tensor.attribute.data(self):
    return aten.detach(self)

def torch.Tensor.attribute.is_cuda(self):
    return prim.is_cuda(self)
)";

} // namespace cutaway::formats::fx
