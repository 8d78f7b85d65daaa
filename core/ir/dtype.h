// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::ir {

/// Element types of all three formats. Names are PyTorch's ("float32"); what PyTorch lacks has the plain pattern.
enum class DType : std::uint8_t {
    Bool,
    UInt8,
    Int8,
    UInt16,
    Int16,
    UInt32,
    Int32,
    UInt64,
    Int64,
    Float16,
    BFloat16,
    Float32,
    Float64,
    Complex32,
    Complex64,
    Complex128,
    BComplex32,
    Float8E5M2,
    Float8E4M3FN,
    Float8E5M2FNUZ,
    Float8E4M3FNUZ,
    Float8E8M0FNU,
    Float4E2M1FN,
    Float4E2M1FNx2,
    UInt1,
    UInt2,
    UInt3,
    UInt4,
    UInt5,
    UInt6,
    UInt7,
    Int1,
    Int2,
    Int3,
    Int4,
    Int5,
    Int6,
    Int7,
    QInt8,
    QUInt8,
    QInt32,
    QUInt4x2,
    QUInt2x4,
    Bits1x8,
    Bits2x4,
    Bits4x2,
    Bits8,
    Bits16,
    String,
};

inline constexpr int dtypeCount = static_cast<int>(DType::String) + 1;

std::string_view name(DType dtype);
std::optional<DType> dtypeFromName(std::string_view name);

/// Bits per element; nothing for strings.
std::optional<int> bitWidth(DType dtype);

/// Bytes that `elements` elements take, sub-byte types packed; nothing for strings or on overflow.
std::optional<std::int64_t> byteSize(DType dtype, std::int64_t elements);

enum class Layout : std::uint8_t { Strided, SparseCoo, SparseCsr, Mkldnn, SparseCsc, SparseBsr, SparseBsc, Jagged };
std::string_view name(Layout layout);
std::optional<Layout> layoutFromName(std::string_view name);

enum class MemoryFormat : std::uint8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
std::string_view name(MemoryFormat format);
std::optional<MemoryFormat> memoryFormatFromName(std::string_view name);

} // namespace cutaway::ir
