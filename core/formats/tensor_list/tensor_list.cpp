// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/tensor_list/tensor_list.h"

#include "core/ir/context.h"

#include <string_view>
#include <unordered_set>

namespace cutaway::formats {

namespace {

/// Longer names do not count as paths: the paths of all modules together would grow with the square of their length.
constexpr std::size_t maxModulePath = 500;

std::string_view moduleOf(std::string_view tensor)
{
    const std::size_t dot = tensor.rfind('.');
    if (dot == std::string_view::npos || tensor.size() > maxModulePath || tensor.front() == '.'
        || tensor.contains(".."))
        return {};
    return tensor.substr(0, dot);
}

ir::TypeId typeOf(const ir::Model &model, const ir::Tensor &tensor)
{
    ir::TensorType type;
    type.dtype = tensor.dtype;
    type.layout = tensor.layout;
    type.shape.emplace();
    for (const std::int64_t size : tensor.shape)
        type.shape->emplace_back(size);
    return model.context->type(type);
}

} // namespace

void finishTensorList(ir::Model &model)
{
    std::unordered_set<ir::TensorId> parts;
    for (const ir::Tensor &tensor : model.tensors)
        parts.insert(tensor.parts.begin(), tensor.parts.end());
    ir::Function function{model.context->name("weights"), {}, ir::Graph(model.context), {}, {}, {}, {}};
    for (ir::TensorId id{0}; id.index < model.tensors.size(); ++id.index) {
        ir::Tensor &tensor = model.tensors.edit(id.index);
        const bool isWeight = ir::isFloating(tensor.dtype) || ir::isComplex(tensor.dtype);
        tensor.kind = isWeight ? ir::Tensor::Kind::Parameter : ir::Tensor::Kind::Buffer;
        if (parts.contains(id))
            continue;
        function.graph.addWeight(ir::Graph::body, tensor.name, typeOf(model, tensor), id);
        const ir::ModuleId module = model.moduleAt(moduleOf(model.context->text(tensor.name)));
        model.modules.edit(module.index).tensors.push_back(id);
    }
    model.functions.push_back(std::move(function));
}

} // namespace cutaway::formats
