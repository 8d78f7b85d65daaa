// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/values.h"

#include <algorithm>

namespace cutaway::plugins {

namespace {

using protocol::Tensor;

Result<Ort::Value> textsValue(const Tensor &tensor)
{
    const auto texts = protocol::textsOf(tensor);
    if (!texts)
        return std::unexpected(texts.error());
    Ort::AllocatorWithDefaultOptions allocator;
    auto value = Ort::Value::CreateTensor(allocator, tensor.shape.data(), tensor.shape.size(),
                                          ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING);
    for (std::size_t i = 0; i < texts->size(); ++i)
        std::ranges::copy((*texts)[i], value.GetResizedStringTensorElementBuffer(i, (*texts)[i].size()));
    return value;
}

Tensor textsTensor(const Ort::Value &value, const Ort::TensorTypeAndShapeInfo &type)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < type.GetElementCount(); ++i)
        texts.push_back(value.GetStringTensorElement(i));
    return protocol::tensorOf(type.GetShape(), texts);
}

/// Names a type; what ONNX Runtime's interface has no name for gets a description.
std::string typeName(const Ort::Value &value)
{
    switch (value.GetTypeInfo().GetONNXType()) {
    case ONNX_TYPE_SEQUENCE:
        return "sequence of " + std::to_string(value.GetCount());
    case ONNX_TYPE_MAP:
        return "map";
    case ONNX_TYPE_SPARSETENSOR:
        return "sparse tensor";
    case ONNX_TYPE_OPTIONAL:
        return "optional";
    default:
        return "value without a tensor";
    }
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

std::variant<Tensor, std::string> contentOf(const Ort::Value &value)
{
    if (!value.HasValue())
        return "optional without a value";
    if (!value.IsTensor())
        return typeName(value);
    const Ort::TensorTypeAndShapeInfo type = value.GetTensorTypeAndShapeInfo();
    const auto dtype = ir::dtypeFromNumber(type.GetElementType(), ir::Numbering::Onnx);
    if (dtype == ir::DType::String)
        return textsTensor(value, type);
    const auto size = dtype ? ir::byteSize(*dtype, static_cast<std::int64_t>(type.GetElementCount())) : std::nullopt;
    if (!size)
        return "tensor of a type that Cutaway does not know";
    Tensor tensor{*dtype, type.GetShape(), std::string(static_cast<std::size_t>(*size), '\0')};
    if (*size > 0)
        tensor.bytes.assign(static_cast<const char *>(value.GetTensorRawData()), static_cast<std::size_t>(*size));
    return tensor;
}

} // namespace cutaway::plugins
