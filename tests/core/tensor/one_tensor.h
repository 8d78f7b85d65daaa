// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/model.h"

#include <bit>
#include <string_view>

namespace cutaway::tensor {

inline constexpr ir::TensorId theTensor{0};

/// A model of one tensor with these bytes.
inline ir::Model oneTensor(ir::DType dtype, std::vector<std::int64_t> shape, std::string_view bytes)
{
    ir::Model model;
    const auto all = std::as_bytes(std::span(bytes));
    model.storages.push_back(
        {ir::InlineBytes{std::make_shared<std::vector<std::byte>>(all.begin(), all.end())}, bytes.size()});
    ir::Tensor tensor;
    tensor.name = model.context->name("t");
    tensor.dtype = dtype;
    tensor.shape = std::move(shape);
    tensor.storage = ir::StorageId{0};
    model.tensors.push_back(std::move(tensor));
    return model;
}

/// A model of one tensor of these elements: float for float32, std::int64_t for int64 and so on.
template <class T>
ir::Model oneTensor(ir::DType dtype, std::vector<std::int64_t> shape, const std::vector<T> &elements)
{
    return oneTensor(dtype, std::move(shape),
                     std::string_view(reinterpret_cast<const char *>(elements.data()), elements.size() * sizeof(T)));
}

} // namespace cutaway::tensor
