// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/dtype.h"

#include "core/base/checked.h"

#include <array>
#include <cassert>

namespace cutaway::ir {

namespace {

struct Row {
    DType dtype;
    std::string_view name;
    int bits; ///< per element; 0: no fixed size
};

constexpr std::array<Row, dtypeCount> rows{{
    {DType::Bool, "bool", 8},
    {DType::UInt8, "uint8", 8},
    {DType::Int8, "int8", 8},
    {DType::UInt16, "uint16", 16},
    {DType::Int16, "int16", 16},
    {DType::UInt32, "uint32", 32},
    {DType::Int32, "int32", 32},
    {DType::UInt64, "uint64", 64},
    {DType::Int64, "int64", 64},
    {DType::Float16, "float16", 16},
    {DType::BFloat16, "bfloat16", 16},
    {DType::Float32, "float32", 32},
    {DType::Float64, "float64", 64},
    {DType::Complex32, "complex32", 32},
    {DType::Complex64, "complex64", 64},
    {DType::Complex128, "complex128", 128},
    {DType::BComplex32, "bcomplex32", 32},
    {DType::Float8E5M2, "float8_e5m2", 8},
    {DType::Float8E4M3FN, "float8_e4m3fn", 8},
    {DType::Float8E5M2FNUZ, "float8_e5m2fnuz", 8},
    {DType::Float8E4M3FNUZ, "float8_e4m3fnuz", 8},
    {DType::Float8E8M0FNU, "float8_e8m0fnu", 8},
    {DType::Float4E2M1FN, "float4_e2m1fn", 4},
    {DType::Float4E2M1FNx2, "float4_e2m1fn_x2", 8},
    {DType::UInt1, "uint1", 1},
    {DType::UInt2, "uint2", 2},
    {DType::UInt3, "uint3", 3},
    {DType::UInt4, "uint4", 4},
    {DType::UInt5, "uint5", 5},
    {DType::UInt6, "uint6", 6},
    {DType::UInt7, "uint7", 7},
    {DType::Int1, "int1", 1},
    {DType::Int2, "int2", 2},
    {DType::Int3, "int3", 3},
    {DType::Int4, "int4", 4},
    {DType::Int5, "int5", 5},
    {DType::Int6, "int6", 6},
    {DType::Int7, "int7", 7},
    {DType::QInt8, "qint8", 8},
    {DType::QUInt8, "quint8", 8},
    {DType::QInt32, "qint32", 32},
    {DType::QUInt4x2, "quint4x2", 8},
    {DType::QUInt2x4, "quint2x4", 8},
    {DType::Bits1x8, "bits1x8", 8},
    {DType::Bits2x4, "bits2x4", 8},
    {DType::Bits4x2, "bits4x2", 8},
    {DType::Bits8, "bits8", 8},
    {DType::Bits16, "bits16", 16},
    {DType::String, "string", 0},
}};

constexpr bool inOrder()
{
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].dtype != static_cast<DType>(i))
            return false;
    return true;
}
static_assert(inOrder(), "a row stands at the index of its dtype");

constexpr std::array<std::string_view, 8> layoutNames{"strided",    "sparse_coo", "sparse_csr", "mkldnn",
                                                      "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged"};
constexpr std::array<std::string_view, 4> memoryFormatNames{"contiguous_format", "preserve_format", "channels_last",
                                                            "channels_last_3d"};

template <class T, std::size_t n>
std::optional<T> find(const std::array<std::string_view, n> &names, std::string_view name)
{
    for (std::size_t i = 0; i < n; ++i)
        if (names[i] == name)
            return static_cast<T>(i);
    return std::nullopt;
}

} // namespace

std::string_view name(DType dtype) { return rows[static_cast<std::size_t>(dtype)].name; }

std::optional<DType> dtypeFromName(std::string_view name)
{
    for (const Row &row : rows)
        if (row.name == name)
            return row.dtype;
    return std::nullopt;
}

std::optional<int> bitWidth(DType dtype)
{
    const int bits = rows[static_cast<std::size_t>(dtype)].bits;
    return bits == 0 ? std::nullopt : std::optional(bits);
}

std::optional<std::int64_t> byteSize(DType dtype, std::int64_t elements)
{
    assert(elements >= 0);
    const auto width = bitWidth(dtype);
    if (!width)
        return std::nullopt;
    if (*width % 8 == 0)
        return checkedMultiply<std::int64_t>(elements, *width / 8);
    const auto bits = checkedMultiply<std::int64_t>(elements, *width);
    return bits ? std::optional(*bits / 8 + (*bits % 8 != 0)) : std::nullopt;
}

std::string_view name(Layout layout) { return layoutNames[static_cast<std::size_t>(layout)]; }

std::optional<Layout> layoutFromName(std::string_view name) { return find<Layout>(layoutNames, name); }

std::string_view name(MemoryFormat format) { return memoryFormatNames[static_cast<std::size_t>(format)]; }

std::optional<MemoryFormat> memoryFormatFromName(std::string_view name)
{
    return find<MemoryFormat>(memoryFormatNames, name);
}

} // namespace cutaway::ir
