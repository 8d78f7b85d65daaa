// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/safetensors/dtypes.h"

#include <algorithm>
#include <utility>

namespace cutaway::formats::safetensors {

namespace {

using ir::DType;

constexpr std::pair<DType, std::string_view> namedDTypes[] = {
    {DType::Bool, "BOOL"},
    {DType::UInt8, "U8"},
    {DType::Int8, "I8"},
    {DType::UInt16, "U16"},
    {DType::Int16, "I16"},
    {DType::UInt32, "U32"},
    {DType::Int32, "I32"},
    {DType::UInt64, "U64"},
    {DType::Int64, "I64"},
    {DType::Float16, "F16"},
    {DType::BFloat16, "BF16"},
    {DType::Float32, "F32"},
    {DType::Float64, "F64"},
    {DType::Complex64, "C64"},
    {DType::Float8E5M2, "F8_E5M2"},
    {DType::Float8E4M3FN, "F8_E4M3"},
    {DType::Float8E5M2FNUZ, "F8_E5M2FNUZ"},
    {DType::Float8E4M3FNUZ, "F8_E4M3FNUZ"},
    {DType::Float8E8M0FNU, "F8_E8M0"},
    {DType::Float4E2M1FN, "F4"},
};

} // namespace

std::string_view nameInFile(DType dtype)
{
    const auto *found = std::ranges::find(namedDTypes, dtype, &std::pair<DType, std::string_view>::first);
    return found != std::ranges::end(namedDTypes) ? found->second : "";
}

std::optional<DType> dtypeOf(std::string_view nameInFile)
{
    const auto *found = std::ranges::find(namedDTypes, nameInFile, &std::pair<DType, std::string_view>::second);
    return found != std::ranges::end(namedDTypes) ? std::optional(found->first) : std::nullopt;
}

} // namespace cutaway::formats::safetensors
