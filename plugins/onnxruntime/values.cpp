// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/values.h"
#include "core/base/result.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace cutaway::plugins {

namespace {

using protocol::ModelOutput;
using protocol::OpaqueResult;
using protocol::Tensor;

Result<Ort::Value> textsValue(const Tensor &tensor)
{
    CUTAWAY_TRY(const auto texts, protocol::textsOf(tensor));
    Ort::AllocatorWithDefaultOptions allocator;
    auto value = Ort::Value::CreateTensor(allocator, tensor.shape.data(), tensor.shape.size(),
                                          ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING);
    for (std::size_t i = 0; i < texts.size(); ++i)
        std::ranges::copy(texts[i], value.GetResizedStringTensorElementBuffer(i, texts[i].size()));
    return value;
}

Tensor textsTensor(const Ort::Value &value, const Ort::TensorTypeAndShapeInfo &type)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < type.GetElementCount(); ++i)
        texts.push_back(value.GetStringTensorElement(i));
    return protocol::tensorOf(type.GetShape(), texts);
}

/// Returns a tensor with its elements; nothing if Cutaway does not know its dtype.
std::optional<Tensor> tensorOf(const Ort::Value &value)
{
    const Ort::TensorTypeAndShapeInfo type = value.GetTensorTypeAndShapeInfo();
    const auto dtype = ir::dtypeFromNumber(type.GetElementType(), ir::Numbering::Onnx);
    if (dtype == ir::DType::String)
        return textsTensor(value, type);
    const auto size = dtype ? ir::byteSize(*dtype, static_cast<std::int64_t>(type.GetElementCount())) : std::nullopt;
    if (!size)
        return std::nullopt;
    Tensor tensor{*dtype, type.GetShape(), std::string(static_cast<std::size_t>(*size), '\0')};
    if (*size > 0)
        tensor.bytes.assign(static_cast<const char *>(value.GetTensorRawData()), static_cast<std::size_t>(*size));
    return tensor;
}

/// Returns the elements of a vector as scalars.
std::vector<Tensor> scalarsOf(const Tensor &vector)
{
    std::vector<Tensor> scalars;
    if (vector.dtype == ir::DType::String) {
        for (const std::string &text : protocol::textsOf(vector).value_or(std::vector<std::string>()))
            scalars.push_back(protocol::tensorOf({}, std::span(&text, 1)));
        return scalars;
    }
    const auto width = static_cast<std::size_t>(ir::byteSize(vector.dtype, 1).value_or(1));
    for (std::size_t at = 0; at + width <= vector.bytes.size(); at += width)
        scalars.push_back({vector.dtype, {}, vector.bytes.substr(at, width)});
    return scalars;
}

/// Returns the keys of a map, which are texts or integers, as texts.
std::vector<std::string> keysOf(const Tensor &keys)
{
    if (keys.dtype == ir::DType::String)
        return protocol::textsOf(keys).value_or(std::vector<std::string>());
    std::vector<std::string> names;
    for (const Tensor &key : scalarsOf(keys)) {
        std::int64_t number = 0;
        std::memcpy(&number, key.bytes.data(), std::min(sizeof number, key.bytes.size()));
        names.push_back(std::to_string(number));
    }
    return names;
}

void sendMap(const std::string &name, const Ort::Value &map, std::vector<ModelOutput> &outputs, std::string &payload)
{
    Ort::AllocatorWithDefaultOptions allocator;
    const auto keys = tensorOf(map.GetValue(0, allocator)), values = tensorOf(map.GetValue(1, allocator));
    if (!keys || !values) {
        outputs.emplace_back(OpaqueResult{name, "map of a type that Cutaway does not know"});
        return;
    }
    const std::vector<std::string> names = keysOf(*keys);
    const std::vector<Tensor> items = scalarsOf(*values);
    if (names.empty())
        outputs.emplace_back(OpaqueResult{name, "empty dictionary"});
    for (std::size_t i = 0; i < std::min(names.size(), items.size()); ++i)
        outputs.emplace_back(protocol::send(name + "." + names[i], items[i], payload));
}

void sendSequence(const std::string &name, const Ort::Value &sequence, std::vector<ModelOutput> &outputs,
                  std::string &payload)
{
    Ort::AllocatorWithDefaultOptions allocator;
    const std::size_t count = sequence.GetCount();
    if (count == 0)
        outputs.emplace_back(OpaqueResult{name, "empty list"});
    for (std::size_t i = 0; i < count; ++i)
        send(name + "." + std::to_string(i), sequence.GetValue(static_cast<int>(i), allocator), outputs, payload);
}

} // namespace

Result<Ort::Value> valueOf(Tensor &tensor)
{
    if (tensor.dtype == ir::DType::String)
        return textsValue(tensor);
    const auto number = ir::numberOf(tensor.dtype, ir::Numbering::Onnx);
    if (!number || *number > ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4) // the last type that every supported version knows
        return std::unexpected(
            Error{ErrorKind::Usage, "ONNX Runtime has no tensors of " + std::string(ir::name(tensor.dtype)), {}});
    static const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
    return Ort::Value::CreateTensor(memory, tensor.bytes.data(), tensor.bytes.size(), tensor.shape.data(),
                                    tensor.shape.size(), static_cast<ONNXTensorElementDataType>(*number));
}

void send(const std::string &name, const Ort::Value &value, std::vector<ModelOutput> &outputs, std::string &payload)
{
    if (!value.HasValue()) {
        outputs.emplace_back(OpaqueResult{name, "None"});
        return;
    }
    if (value.IsTensor()) {
        if (const auto tensor = tensorOf(value))
            outputs.emplace_back(protocol::send(name, *tensor, payload));
        else
            outputs.emplace_back(OpaqueResult{name, "tensor of a type that Cutaway does not know"});
        return;
    }
    switch (value.GetTypeInfo().GetONNXType()) {
    case ONNX_TYPE_SEQUENCE:
        return sendSequence(name, value, outputs, payload);
    case ONNX_TYPE_MAP:
        return sendMap(name, value, outputs, payload);
    case ONNX_TYPE_SPARSETENSOR:
        outputs.emplace_back(OpaqueResult{name, "sparse tensor"});
        return;
    default:
        outputs.emplace_back(OpaqueResult{name, "value without a tensor"});
    }
}

} // namespace cutaway::plugins
