// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/enums.h"

#include <array>
#include <span>

namespace cutaway::formats::pt2 {

namespace {

using ir::DType;
using ir::Layout;
using ir::MemoryFormat;

// Index 1 of the schema is the first entry.
constexpr std::array firstDTypes{DType::UInt8,      DType::Int8,    DType::Int16,   DType::Int32,     DType::Int64,
                                 DType::Float16,    DType::Float32, DType::Float64, DType::Complex32, DType::Complex64,
                                 DType::Complex128, DType::Bool,    DType::BFloat16};
// Index 28 is the first entry; 14 to 27 were never released.
constexpr std::array laterDTypes{DType::UInt16,         DType::Float8E4M3FN,  DType::Float8E5M2, DType::Float8E4M3FNUZ,
                                 DType::Float8E5M2FNUZ, DType::Float8E8M0FNU, DType::UInt32,     DType::UInt64};
constexpr std::array layouts{Layout::SparseCoo, Layout::SparseCsr, Layout::SparseCsc, Layout::SparseBsr,
                             Layout::SparseBsc, Layout::Mkldnn,    Layout::Strided};
constexpr std::array memoryFormats{MemoryFormat::Contiguous, MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d,
                                   MemoryFormat::Preserve};

template <class T, std::size_t n>
std::optional<T> entry(const std::array<T, n> &table, std::int64_t number, std::int64_t first)
{
    if (number < first || number - first >= static_cast<std::int64_t>(n))
        return std::nullopt;
    return table[static_cast<std::size_t>(number - first)];
}

} // namespace

std::optional<DType> dtypeFromNumber(std::int64_t number)
{
    const auto first = entry(firstDTypes, number, 1);
    return first ? first : entry(laterDTypes, number, 28);
}

std::optional<Layout> layoutFromNumber(std::int64_t number) { return entry(layouts, number, 1); }

std::optional<MemoryFormat> memoryFormatFromNumber(std::int64_t number) { return entry(memoryFormats, number, 1); }

} // namespace cutaway::formats::pt2
