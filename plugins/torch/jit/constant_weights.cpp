// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/jit/constant_weights.h"

#include "core/ir/context.h"
#include "plugins/torch/types.h"

#include <ATen/core/Tensor.h>
#include <cstring>

namespace cutaway::plugins {

namespace {

bool isSame(const at::Tensor &a, const at::Tensor &b)
{
    return a.is_same(b)
        || (b.numel() > 0 && a.const_data_ptr() == b.const_data_ptr() && a.dtype() == b.dtype()
            && a.sizes() == b.sizes() && a.strides() == b.strides());
}

ir::StorageId addedStorage(const at::Tensor &tensor, ir::Model &model)
{
    std::vector<std::byte> bytes(tensor.nbytes());
    if (!bytes.empty())
        std::memcpy(bytes.data(), tensor.const_data_ptr(), bytes.size());
    const std::uint64_t length = bytes.size();
    return ir::StorageId{model.storages.append(
        {ir::InlineBytes{std::make_shared<const std::vector<std::byte>>(std::move(bytes))}, length})};
}

} // namespace

ir::ValueId weightOf(const at::Tensor &tensor, std::string_view name, const JitGraph &jit, ir::Model &model,
                     ir::Graph &graph)
{
    TORCH_CHECK(tensor.layout() == c10::kStrided && !tensor.is_quantized(), "a constant that is not a plain tensor");
    for (const CarriedWeight &weight : jit.weights)
        if (isSame(weight.elements, tensor))
            return weight.value;
    const auto dtype = dtypeOf(tensor.scalar_type());
    TORCH_CHECK(dtype, "a constant of a dtype that the IR does not have");
    ir::Tensor made;
    made.name = model.context->name(name.empty() ? "constant" : name);
    made.dtype = *dtype;
    made.shape = tensor.sizes().vec();
    made.storage = addedStorage(tensor.cpu().contiguous(), model);
    ir::TensorType type;
    type.dtype = dtype;
    type.shape = ir::Shape(made.shape.begin(), made.shape.end());
    const ir::NameId valueName = made.name;
    const ir::TensorId id{model.tensors.append(std::move(made))};
    return graph.addWeight(ir::Graph::body, valueName, model.context->type(type), id);
}

} // namespace cutaway::plugins
