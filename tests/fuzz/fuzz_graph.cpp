// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/convert.h"
#include "core/convert/opset/opset.h"
#include "core/convert/to_pt2.h"
#include "core/evaluate/evaluate.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace cutaway;

constexpr std::uint32_t maxNodes = 60;
constexpr std::int64_t maxElements = 4096;

/// Inputs of the types that the graph says; nothing where one is no tensor of few numbers.
std::optional<std::vector<compute::Value>> inputsOf(const ir::Function &function)
{
    std::vector<compute::Value> values;
    for (const ir::ValueId input : function.graph.at(ir::Graph::body).inputs) {
        const ir::TensorType *type = ir::ValueRef(function.graph, input).tensorType();
        const auto count = type && type->shape ? ir::elementCount(*type->shape) : std::nullopt;
        if (!count || *count < 0 || *count > maxElements || !type->dtype || !compute::isComputable(*type->dtype))
            return std::nullopt;
        compute::Array array{*type->dtype, {}, {}};
        for (const ir::Dim &dim : *type->shape) {
            if (!std::holds_alternative<std::int64_t>(dim))
                return std::nullopt;
            array.shape.push_back(std::get<std::int64_t>(dim));
        }
        std::vector<std::int64_t> elements(static_cast<std::size_t>(*count));
        for (std::size_t i = 0; i < elements.size(); ++i)
            elements[i] = static_cast<std::int64_t>(i % 5) - 1;
        array.elements = std::move(elements);
        values.emplace_back(*compute::converted(array, *type->dtype));
        std::get<compute::Array>(values.back().v).dtype = *type->dtype;
    }
    return values;
}

void evaluateAll(const ir::Model &model)
{
    if (const auto inputs = inputsOf(model.functions.front()))
        (void)evaluate::evaluate(model, ir::FunctionId{0}, *inputs, {.elements = maxElements, .nodes = 1000});
}

bool hasOnnx(const ir::Graph &graph)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (ir::NodeRef(graph, id).dialect() == "onnx")
            return true;
    return false;
}

void requireSound(const Result<convert::Converted> &made)
{
    const bool isUnsound = made ? !ir::verify(made->model).empty() : made.error().message.contains("invalid graph");
    if (isUnsound)
        std::abort();
}

void convertOnnx(ir::Model model, std::size_t chosen)
{
    model.format = "onnx";
    const std::int64_t from = model.opsets.empty() ? 7 + static_cast<std::int64_t>(chosen % 16) : model.opset("onnx");
    model.opsets = {{"ai.onnx", from}};
    requireSound(convert::toOpset(model, 7 + static_cast<std::int64_t>(chosen / 16 % 16)));
    requireSound(convert::toPt2(model, ir::FunctionId{0}, {}));
    evaluateAll(model);
}

} // namespace

/// Whatever graph is sound is inferred, computed, changed by passes and converted; what comes out is sound.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto model = ir::parseText({reinterpret_cast<const char *>(data), size});
    if (!model || model->functions.empty() || model->functions.front().graph.nodeCount() > maxNodes
        || !ir::verify(*model).empty())
        return 0;
    evaluateAll(*model);
    if (hasOnnx(model->functions.front().graph)) {
        convertOnnx(*model, size);
    } else {
        requireSound(convert::toOnnx(*model, ir::FunctionId{0}, {}, {}));
        requireSound(convert::toPt2(*model, ir::FunctionId{0}, {}));
    }
    return 0;
}
