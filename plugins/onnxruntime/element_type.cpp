// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/element_type.h"

#include <algorithm>

namespace cutaway::plugins {

namespace {

using ir::DType;

struct Row {
    ONNXTensorElementDataType type;
    DType dtype;
};

constexpr Row rows[] = {
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, DType::Float32},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, DType::UInt8},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, DType::Int8},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16, DType::UInt16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16, DType::Int16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, DType::Int32},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, DType::Int64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, DType::String},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, DType::Bool},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, DType::Float16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, DType::Float64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32, DType::UInt32},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64, DType::UInt64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64, DType::Complex64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128, DType::Complex128},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, DType::BFloat16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN, DType::Float8E4M3FN},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ, DType::Float8E4M3FNUZ},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2, DType::Float8E5M2},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ, DType::Float8E5M2FNUZ},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4, DType::UInt4},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4, DType::Int4},
};

} // namespace

std::optional<DType> dtypeOf(ONNXTensorElementDataType type)
{
    const auto *row = std::ranges::find(rows, type, &Row::type);
    return row == std::end(rows) ? std::nullopt : std::optional(row->dtype);
}

std::optional<ONNXTensorElementDataType> elementTypeOf(DType dtype)
{
    const auto *row = std::ranges::find(rows, dtype, &Row::dtype);
    return row == std::end(rows) ? std::nullopt : std::optional(row->type);
}

} // namespace cutaway::plugins
