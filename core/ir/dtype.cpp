// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/dtype.h"

#include "core/base/checked.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>

namespace cutaway::ir {

namespace {

constexpr std::int64_t none = -1;

struct Row {
    DType dtype;
    std::string_view name;
    int bits; ///< the bits of an element; 0: it has no fixed size
    ElementKind kind;
    std::int64_t c10, onnx, exportedProgram; ///< the dtype's numbers, see Numbering
    std::string_view storage;

    constexpr std::int64_t number(Numbering numbering) const
    {
        return numbering == Numbering::C10 ? c10 : numbering == Numbering::Onnx ? onnx : exportedProgram;
    }
};

// clang-format off
constexpr std::array<Row, dtypeCount> rows{{
    {DType::Bool, "bool", 8, ElementKind::Boolean, 11, 9, 12, "Bool"},
    {DType::UInt8, "uint8", 8, ElementKind::Unsigned, 0, 2, 1, "Byte"},
    {DType::Int8, "int8", 8, ElementKind::Signed, 1, 3, 2, "Char"},
    {DType::UInt16, "uint16", 16, ElementKind::Unsigned, 27, 4, 28, "UInt16"},
    {DType::Int16, "int16", 16, ElementKind::Signed, 2, 5, 3, "Short"},
    {DType::UInt32, "uint32", 32, ElementKind::Unsigned, 28, 12, 34, "UInt32"},
    {DType::Int32, "int32", 32, ElementKind::Signed, 3, 6, 4, "Int"},
    {DType::UInt64, "uint64", 64, ElementKind::Unsigned, 29, 13, 35, "UInt64"},
    {DType::Int64, "int64", 64, ElementKind::Signed, 4, 7, 5, "Long"},
    {DType::Float16, "float16", 16, ElementKind::Floating, 5, 10, 6, "Half"},
    {DType::BFloat16, "bfloat16", 16, ElementKind::Floating, 15, 16, 13, "BFloat16"},
    {DType::Float32, "float32", 32, ElementKind::Floating, 6, 1, 7, "Float"},
    {DType::Float64, "float64", 64, ElementKind::Floating, 7, 11, 8, "Double"},
    {DType::Complex32, "complex32", 32, ElementKind::Complex, 8, none, 9, "ComplexHalf"},
    {DType::Complex64, "complex64", 64, ElementKind::Complex, 9, 14, 10, "ComplexFloat"},
    {DType::Complex128, "complex128", 128, ElementKind::Complex, 10, 15, 11, "ComplexDouble"},
    {DType::BComplex32, "bcomplex32", 32, ElementKind::Complex, 46, none, none, ""},
    {DType::Float8E5M2, "float8_e5m2", 8, ElementKind::Floating, 23, 19, 30, "Float8_e5m2"},
    {DType::Float8E4M3FN, "float8_e4m3fn", 8, ElementKind::Floating, 24, 17, 29, "Float8_e4m3fn"},
    {DType::Float8E5M2FNUZ, "float8_e5m2fnuz", 8, ElementKind::Floating, 25, 20, 32, "Float8_e5m2fnuz"},
    {DType::Float8E4M3FNUZ, "float8_e4m3fnuz", 8, ElementKind::Floating, 26, 18, 31, "Float8_e4m3fnuz"},
    {DType::Float8E8M0FNU, "float8_e8m0fnu", 8, ElementKind::Floating, 44, 24, 33, "Float8_e8m0fnu"},
    {DType::Float4E2M1FN, "float4_e2m1fn", 4, ElementKind::Floating, none, 23, none, ""},
    {DType::Float4E2M1FNx2, "float4_e2m1fn_x2", 8, ElementKind::Floating, 45, none, none, ""},
    {DType::UInt1, "uint1", 1, ElementKind::Unsigned, 30, none, none, ""},
    {DType::UInt2, "uint2", 2, ElementKind::Unsigned, 31, 25, none, ""},
    {DType::UInt3, "uint3", 3, ElementKind::Unsigned, 32, none, none, ""},
    {DType::UInt4, "uint4", 4, ElementKind::Unsigned, 33, 21, none, ""},
    {DType::UInt5, "uint5", 5, ElementKind::Unsigned, 34, none, none, ""},
    {DType::UInt6, "uint6", 6, ElementKind::Unsigned, 35, none, none, ""},
    {DType::UInt7, "uint7", 7, ElementKind::Unsigned, 36, none, none, ""},
    {DType::Int1, "int1", 1, ElementKind::Signed, 37, none, none, ""},
    {DType::Int2, "int2", 2, ElementKind::Signed, 38, 26, none, ""},
    {DType::Int3, "int3", 3, ElementKind::Signed, 39, none, none, ""},
    {DType::Int4, "int4", 4, ElementKind::Signed, 40, 22, none, ""},
    {DType::Int5, "int5", 5, ElementKind::Signed, 41, none, none, ""},
    {DType::Int6, "int6", 6, ElementKind::Signed, 42, none, none, ""},
    {DType::Int7, "int7", 7, ElementKind::Signed, 43, none, none, ""},
    {DType::QInt8, "qint8", 8, ElementKind::QuantizedSigned, 12, none, none, "QInt8"},
    {DType::QUInt8, "quint8", 8, ElementKind::QuantizedUnsigned, 13, none, none, "QUInt8"},
    {DType::QInt32, "qint32", 32, ElementKind::QuantizedSigned, 14, none, none, "QInt32"},
    {DType::QUInt4x2, "quint4x2", 8, ElementKind::Bits, 16, none, none, "QUInt4x2"},
    {DType::QUInt2x4, "quint2x4", 8, ElementKind::Bits, 17, none, none, "QUInt2x4"},
    {DType::Bits1x8, "bits1x8", 8, ElementKind::Bits, 18, none, none, ""},
    {DType::Bits2x4, "bits2x4", 8, ElementKind::Bits, 19, none, none, ""},
    {DType::Bits4x2, "bits4x2", 8, ElementKind::Bits, 20, none, none, ""},
    {DType::Bits8, "bits8", 8, ElementKind::Bits, 21, none, none, ""},
    {DType::Bits16, "bits16", 16, ElementKind::Bits, 22, none, none, ""},
    {DType::String, "string", 0, ElementKind::Text, none, 8, none, ""},
}};
// clang-format on

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

// The enumerators in the order of torch.export's schema, which counts from 1; c10's order is that of the enumeration.
constexpr std::array exportedLayouts{Layout::SparseCoo, Layout::SparseCsr, Layout::SparseCsc, Layout::SparseBsr,
                                     Layout::SparseBsc, Layout::Mkldnn,    Layout::Strided};
constexpr std::array exportedFormats{MemoryFormat::Contiguous, MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d,
                                     MemoryFormat::Preserve};

/// Returns the enumerator with a number. `exported`: in the order of torch.export's schema; `count`: how many c10 has.
template <class T>
std::optional<T> fromNumber(std::int64_t number, Numbering numbering, std::span<const T> exported, std::size_t count)
{
    const bool isExported = numbering == Numbering::ExportedProgram;
    const std::int64_t first = isExported ? 1 : 0;
    const std::size_t size = isExported ? exported.size() : numbering == Numbering::C10 ? count : 0;
    if (number < first || number - first >= static_cast<std::int64_t>(size))
        return std::nullopt;
    return isExported ? exported[static_cast<std::size_t>(number - 1)] : static_cast<T>(number);
}

template <class T>
std::optional<std::int64_t> numberIn(T value, Numbering numbering, std::span<const T> exported)
{
    const auto found = std::ranges::find(exported, value);
    if (numbering == Numbering::C10)
        return static_cast<std::int64_t>(value);
    if (numbering == Numbering::Onnx || found == exported.end())
        return std::nullopt;
    return found - exported.begin() + 1;
}

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

ElementKind elementKind(DType dtype) { return rows[static_cast<std::size_t>(dtype)].kind; }

bool isInteger(DType dtype)
{
    const Row &row = rows[static_cast<std::size_t>(dtype)];
    return (row.kind == ElementKind::Signed || row.kind == ElementKind::Unsigned) && row.bits >= 8;
}

bool isFloating(DType dtype) { return elementKind(dtype) == ElementKind::Floating; }
bool isComplex(DType dtype) { return elementKind(dtype) == ElementKind::Complex; }

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

std::string_view storageName(DType dtype) { return rows[static_cast<std::size_t>(dtype)].storage; }

std::optional<DType> dtypeFromStorageName(std::string_view name)
{
    const auto found = std::ranges::find(rows, name, &Row::storage);
    return name.empty() || found == rows.end() ? std::nullopt : std::optional(found->dtype);
}

std::string_view name(Layout layout) { return layoutNames[static_cast<std::size_t>(layout)]; }

std::optional<Layout> layoutFromName(std::string_view name) { return find<Layout>(layoutNames, name); }

std::string_view name(MemoryFormat format) { return memoryFormatNames[static_cast<std::size_t>(format)]; }

std::optional<MemoryFormat> memoryFormatFromName(std::string_view name)
{
    return find<MemoryFormat>(memoryFormatNames, name);
}

std::optional<DType> dtypeFromNumber(std::int64_t number, Numbering numbering)
{
    const auto found = std::ranges::find(rows, number, [&](const Row &row) { return row.number(numbering); });
    return number == none || found == rows.end() ? std::nullopt : std::optional(found->dtype);
}

std::optional<Layout> layoutFromNumber(std::int64_t number, Numbering numbering)
{
    return fromNumber<Layout>(number, numbering, exportedLayouts, layoutNames.size());
}

std::optional<MemoryFormat> memoryFormatFromNumber(std::int64_t number, Numbering numbering)
{
    return fromNumber<MemoryFormat>(number, numbering, exportedFormats, memoryFormatNames.size());
}

std::optional<std::int64_t> numberOf(DType dtype, Numbering numbering)
{
    const std::int64_t number = rows[static_cast<std::size_t>(dtype)].number(numbering);
    return number == none ? std::nullopt : std::optional(number);
}

std::optional<std::int64_t> numberOf(Layout layout, Numbering numbering)
{
    return numberIn<Layout>(layout, numbering, exportedLayouts);
}

std::optional<std::int64_t> numberOf(MemoryFormat format, Numbering numbering)
{
    return numberIn<MemoryFormat>(format, numbering, exportedFormats);
}

} // namespace cutaway::ir
