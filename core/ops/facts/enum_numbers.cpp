// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/enum_numbers.h"

#include <array>

namespace cutaway::ops {

namespace {

using enum ir::DType;

// c10/core/ScalarType.h
constexpr std::array dtypes{
    UInt8,        Int8,           Int16,          Int32,   Int64,         Float16,        Float32,    Float64,
    Complex32,    Complex64,      Complex128,     Bool,    QInt8,         QUInt8,         QInt32,     BFloat16,
    QUInt4x2,     QUInt2x4,       Bits1x8,        Bits2x4, Bits4x2,       Bits8,          Bits16,     Float8E5M2,
    Float8E4M3FN, Float8E5M2FNUZ, Float8E4M3FNUZ, UInt16,  UInt32,        UInt64,         UInt1,      UInt2,
    UInt3,        UInt4,          UInt5,          UInt6,   UInt7,         Int1,           Int2,       Int3,
    Int4,         Int5,           Int6,           Int7,    Float8E8M0FNU, Float4E2M1FNx2, BComplex32,
};

// c10/core/Layout.h, c10/core/MemoryFormat.h: in the order of ours
constexpr std::int64_t layouts = static_cast<std::int64_t>(ir::Layout::Jagged) + 1;
constexpr std::int64_t memoryFormats = static_cast<std::int64_t>(ir::MemoryFormat::ChannelsLast3d) + 1;

} // namespace

std::optional<ir::DType> dtypeFromNumber(std::int64_t number)
{
    if (number < 0 || number >= std::ssize(dtypes))
        return std::nullopt;
    return dtypes[static_cast<std::size_t>(number)];
}

std::optional<ir::Layout> layoutFromNumber(std::int64_t number)
{
    return number >= 0 && number < layouts ? std::optional(static_cast<ir::Layout>(number)) : std::nullopt;
}

std::optional<ir::MemoryFormat> memoryFormatFromNumber(std::int64_t number)
{
    return number >= 0 && number < memoryFormats ? std::optional(static_cast<ir::MemoryFormat>(number)) : std::nullopt;
}

} // namespace cutaway::ops
