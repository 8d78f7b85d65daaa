// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/values/results.h"

#include "core/ir/context.h"

namespace cutaway::run {

namespace {

ir::Storage storageOf(const protocol::Tensor &tensor)
{
    if (tensor.dtype == ir::DType::String) {
        auto texts = protocol::textsOf(tensor);
        if (!texts)
            return {ir::NoBytes{texts.error().message}, 0};
        return {ir::InlineStrings{std::move(*texts)}, 0};
    }
    const auto bytes = std::as_bytes(std::span(tensor.bytes));
    return {ir::InlineBytes{std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end())}, bytes.size()};
}

} // namespace

ir::Model resultsOf(const Outcome &outcome)
{
    ir::Model model;
    for (const Output &output : outcome.outputs) {
        const auto *content = std::get_if<protocol::Tensor>(&output.content);
        if (!content)
            continue;
        ir::Tensor tensor;
        tensor.name = model.context->name(output.name);
        tensor.dtype = content->dtype;
        tensor.shape = content->shape;
        tensor.storage = ir::StorageId{model.storages.size()};
        model.storages.push_back(storageOf(*content));
        model.tensors.push_back(std::move(tensor));
    }
    return model;
}

} // namespace cutaway::run
