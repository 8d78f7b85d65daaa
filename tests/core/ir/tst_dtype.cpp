// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/dim.h"
#include "core/ir/dtype.h"

#include <gtest/gtest.h>
#include <set>

namespace cutaway::ir {

namespace {

TEST(DType, namesReadBack)
{
    std::set<std::string_view> names;
    for (int i = 0; i < dtypeCount; ++i) {
        const auto dtype = static_cast<DType>(i);
        EXPECT_EQ(dtypeFromName(name(dtype)), dtype);
        names.insert(name(dtype));
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(dtypeCount));
    EXPECT_EQ(dtypeFromName("floot"), std::nullopt);
    EXPECT_EQ(layoutFromName(name(Layout::SparseBsc)), Layout::SparseBsc);
    EXPECT_EQ(memoryFormatFromName(name(MemoryFormat::ChannelsLast3d)), MemoryFormat::ChannelsLast3d);
}

struct ByteSizeRow {
    const char *label;
    DType dtype;
    std::int64_t elements;
    std::optional<std::int64_t> bytes;
};

class ByteSize : public testing::TestWithParam<ByteSizeRow> { };

TEST_P(ByteSize, is) { EXPECT_EQ(byteSize(GetParam().dtype, GetParam().elements), GetParam().bytes); }

INSTANTIATE_TEST_SUITE_P(
    Rows, ByteSize,
    testing::Values(ByteSizeRow{"Float32", DType::Float32, 3, 12}, ByteSizeRow{"Bool", DType::Bool, 3, 3},
                    ByteSizeRow{"Complex128", DType::Complex128, 2, 32}, ByteSizeRow{"Int4Packs", DType::Int4, 3, 2},
                    ByteSizeRow{"UInt1Packs", DType::UInt1, 9, 2}, ByteSizeRow{"Int3", DType::Int3, 8, 3},
                    ByteSizeRow{"Nothing", DType::Float64, 0, 0}, ByteSizeRow{"Strings", DType::String, 3, {}},
                    ByteSizeRow{"Overflow", DType::Float32, INT64_MAX, {}},
                    ByteSizeRow{"BitOverflow", DType::Int4, INT64_MAX, {}}),
    [](const auto &row) { return row.param.label; });

struct NumberRow {
    const char *label;
    DType dtype;
    std::optional<std::int64_t> c10, onnx, exportedProgram;
};

class DTypeNumbers : public testing::TestWithParam<NumberRow> { };

TEST_P(DTypeNumbers, areThoseOfTheOtherSide)
{
    const NumberRow &row = GetParam();
    EXPECT_EQ(numberOf(row.dtype, Numbering::C10), row.c10);
    EXPECT_EQ(numberOf(row.dtype, Numbering::Onnx), row.onnx);
    EXPECT_EQ(numberOf(row.dtype, Numbering::ExportedProgram), row.exportedProgram);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, DTypeNumbers,
    testing::Values(NumberRow{"Float32", DType::Float32, 6, 1, 7}, NumberRow{"UInt8", DType::UInt8, 0, 2, 1},
                    NumberRow{"BFloat16", DType::BFloat16, 15, 16, 13}, NumberRow{"UInt64", DType::UInt64, 29, 13, 35},
                    NumberRow{"Float8E4M3FN", DType::Float8E4M3FN, 24, 17, 29},
                    NumberRow{"QInt8", DType::QInt8, 12, {}, {}}, NumberRow{"String", DType::String, {}, 8, {}},
                    NumberRow{"Int2", DType::Int2, 38, 26, {}}),
    [](const auto &row) { return row.param.label; });

TEST(DTypeNumber, readsBack)
{
    for (const Numbering numbering : {Numbering::C10, Numbering::Onnx, Numbering::ExportedProgram}) {
        for (int i = 0; i < dtypeCount; ++i) {
            if (const auto number = numberOf(static_cast<DType>(i), numbering)) {
                EXPECT_EQ(dtypeFromNumber(*number, numbering), static_cast<DType>(i)) << *number;
            }
        }
        EXPECT_EQ(dtypeFromNumber(-1, numbering), std::nullopt);
        EXPECT_EQ(dtypeFromNumber(99, numbering), std::nullopt);
    }
    EXPECT_EQ(layoutFromNumber(7, Numbering::ExportedProgram), Layout::Strided);
    EXPECT_EQ(layoutFromNumber(8, Numbering::ExportedProgram), std::nullopt);
    EXPECT_EQ(layoutFromNumber(0, Numbering::C10), Layout::Strided);
    EXPECT_EQ(numberOf(Layout::Jagged, Numbering::ExportedProgram), std::nullopt);
    EXPECT_EQ(memoryFormatFromNumber(2, Numbering::ExportedProgram), MemoryFormat::ChannelsLast);
    EXPECT_EQ(memoryFormatFromNumber(0, Numbering::ExportedProgram), std::nullopt);
}

TEST(StorageNames, areThoseOfTorchsClasses)
{
    EXPECT_EQ(storageName(DType::Int64), "Long");
    EXPECT_EQ(dtypeFromStorageName("ComplexFloat"), DType::Complex64);
    EXPECT_EQ(dtypeFromStorageName(""), std::nullopt);
}

TEST(ElementKinds, ofWholeBytesAreWhatTorchComputesWith)
{
    EXPECT_TRUE(isInteger(DType::UInt32) && isFloating(DType::Float8E8M0FNU) && isComplex(DType::BComplex32));
    EXPECT_FALSE(isInteger(DType::Bool) || isInteger(DType::Int4) || isInteger(DType::QInt8));
}

TEST(Dim, shapesPrintAndCount)
{
    const Shape shape{std::int64_t{1}, symbolic::Expr::symbol("s0"), UnknownDim{}};
    EXPECT_EQ(print(shape), "[1, s0, ?]");
    EXPECT_EQ(elementCount(shape), std::nullopt);
    EXPECT_EQ(elementCount({}), 1);
    EXPECT_EQ(elementCount({std::int64_t{4}, std::int64_t{5}}), 20);
    EXPECT_EQ(elementCount({INT64_MAX, std::int64_t{2}}), std::nullopt);
    EXPECT_EQ(elementCount({INT64_MAX, INT64_MAX, std::int64_t{0}}), 0);
}

} // namespace

} // namespace cutaway::ir
