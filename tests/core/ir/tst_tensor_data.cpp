// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/context.h"
#include "core/ir/model.h"
#include "core/ir/tensors/tensor_data.h"
#include "tests/core/formats/temporary_file.h"

#include <gtest/gtest.h>

namespace cutaway::ir {
namespace {

std::shared_ptr<const std::vector<std::byte>> bytes(const std::vector<int> &list)
{
    std::vector<std::byte> out;
    for (const int b : list)
        out.push_back(static_cast<std::byte>(b));
    return std::make_shared<const std::vector<std::byte>>(std::move(out));
}

Model modelWith(Tensor tensor, const std::vector<int> &content)
{
    Model model;
    model.storages.push_back({InlineBytes{bytes(content)}, content.size()});
    model.tensors.push_back(std::move(tensor));
    return model;
}

Tensor tensorOf(DType dtype, std::vector<std::int64_t> shape)
{
    Tensor tensor;
    tensor.dtype = dtype;
    tensor.shape = std::move(shape);
    return tensor;
}

struct ElementsRow {
    const char *name;
    DType dtype;
    std::vector<std::int64_t> shape;
    std::vector<int> content;
    std::vector<std::string> elements;
};

class Elements : public testing::TestWithParam<ElementsRow> { };

TEST_P(Elements, AreReadAsTheirDTypeSays)
{
    const ElementsRow &row = GetParam();
    const auto read = firstElements(modelWith(tensorOf(row.dtype, row.shape), row.content), TensorId{0}, 16);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, row.elements);
}

using Texts = std::vector<std::string>;
INSTANTIATE_TEST_SUITE_P(
    TensorData, Elements,
    testing::Values(
        ElementsRow{"float32", DType::Float32, {2}, {0, 0, 0x80, 0x3F, 0, 0, 0xC0, 0xBF}, Texts{"1", "-1.5"}},
        ElementsRow{"float16", DType::Float16, {3}, {0, 0x3C, 0, 0x7C, 1, 0}, Texts{"1", "inf", "5.96046e-08"}},
        ElementsRow{"bfloat16", DType::BFloat16, {1}, {0x80, 0x3F}, Texts{"1"}},
        ElementsRow{"float8_e4m3fn", DType::Float8E4M3FN, {3}, {0x38, 0x7E, 0x7F}, Texts{"1", "448", "nan"}},
        ElementsRow{"float8_e5m2", DType::Float8E5M2, {2}, {0x3C, 0xFC}, Texts{"1", "-inf"}},
        ElementsRow{"float8_e4m3fnuz", DType::Float8E4M3FNUZ, {2}, {0x40, 0x80}, Texts{"1", "nan"}},
        ElementsRow{"float8_e8m0", DType::Float8E8M0FNU, {2}, {127, 130}, Texts{"1", "8"}},
        ElementsRow{"float4", DType::Float4E2M1FN, {3}, {0x72, 0x0F}, Texts{"1", "6", "-6"}},
        ElementsRow{"int64", DType::Int64, {1}, {0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, Texts{"-3"}},
        ElementsRow{"uint64",
                    DType::UInt64,
                    {1},
                    {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
                    Texts{"18446744073709551615"}},
        ElementsRow{"int4_low_half_first", DType::Int4, {3}, {0xF1, 0x07}, Texts{"1", "-1", "7"}},
        ElementsRow{"int3_across_bytes", DType::Int3, {3}, {0x4B, 0x01}, Texts{"3", "1", "-3"}},
        ElementsRow{"uint2", DType::UInt2, {4}, {0xE4}, Texts{"0", "1", "2", "3"}},
        ElementsRow{"bool", DType::Bool, {2}, {0, 2}, Texts{"false", "true"}},
        ElementsRow{"complex64", DType::Complex64, {1}, {0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0}, Texts{"1-2j"}},
        ElementsRow{"scalar", DType::Int8, {}, {0x80}, Texts{"-128"}},
        ElementsRow{"no_elements", DType::Int8, {0, 5}, {}, Texts{}}),
    [](const auto &row) { return row.param.name; });

TEST(TensorData, FollowsOffsetAndStrides)
{
    Tensor tensor = tensorOf(DType::UInt8, {2, 3});
    tensor.strides = std::vector<std::int64_t>{1, 2}; // the transpose of a 3×2 view
    tensor.offset = 1;
    const auto read = firstElements(modelWith(tensor, {9, 0, 1, 2, 3, 4, 5}), TensorId{0}, 4);
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, (Texts{"0", "2", "4", "1"}));
}

TEST(TensorData, GivesAllDigitsWhenAsked)
{
    const Model model = modelWith(tensorOf(DType::Float32, {1}), {0xAB, 0xAA, 0xAA, 0x3E}); // a third
    EXPECT_EQ(firstElements(model, TensorId{0}, 1).value(), Texts{"0.333333"});
    EXPECT_EQ(firstElements(model, TensorId{0}, 1, Digits::All).value(), Texts{"0.3333333432674408"});
}

TEST(TensorData, SaysWhereTheDataEnd)
{
    const auto read = firstElements(modelWith(tensorOf(DType::Int32, {4}), {1, 0, 0, 0, 2}), TensorId{0}, 4);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().where, "element 1");
}

TEST(TensorData, SurvivesStridesThatOverflow)
{
    Tensor tensor = tensorOf(DType::UInt8, {3});
    tensor.strides = std::vector<std::int64_t>{INT64_MAX};
    const auto read = firstElements(modelWith(tensor, {1, 2, 3}), TensorId{0}, 3);
    EXPECT_FALSE(read);
}

TEST(TensorData, TellsWhyThereAreNoBytes)
{
    Model model = modelWith(tensorOf(DType::Int8, {1}), {});
    model.storages.edit(0).data = NoBytes{"the external file w.bin is missing"};
    const auto read = firstElements(model, TensorId{0}, 1);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, "the external file w.bin is missing");
}

/// Weights in a file that another program cuts short: mapped already, or when they are looked at.
class CutShort : public testing::TestWithParam<bool> { };

TEST_P(CutShort, IsAnErrorAndNoBusError)
{
    constexpr std::size_t size = 1 << 16;
    const tests::TemporaryFile file(std::string(size, '\1'));
    Model model = modelWith(tensorOf(DType::Int8, {size}), {});
    model.storages.edit(0).data = FileRange{FileId{0}, 0, size};
    model.files.push_back({file.path(), GetParam() ? std::make_shared<MappedFile>(file.map()) : nullptr});
    EXPECT_EQ(firstElements(model, TensorId{0}, 1).value(), Texts{"1"});
    std::filesystem::resize_file(file.path(), 10);
    const auto read = firstElements(model, TensorId{0}, size);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message,
              GetParam() ? "the file became shorter while it was read" : "the data reach past the end of the file");
}

INSTANTIATE_TEST_SUITE_P(TensorData, CutShort, testing::Bool(),
                         [](const auto &row) { return row.param ? "MappedBefore" : "MappedWhenRead"; });

TEST(ElementsAt, areThoseInRowMajorOrder)
{
    Model model = modelWith(tensorOf(DType::UInt8, {2, 3}), {1, 2, 3, 4, 5, 6});
    const std::vector<std::uint64_t> places{5, 0, 0, 3};
    EXPECT_EQ(elementsAt(model, TensorId{0}, places).value(), (Texts{"6", "1", "1", "4"}));
    model.tensors.edit(0).shape = {3, 2};
    model.tensors.edit(0).strides = std::vector<std::int64_t>{1, 3};
    EXPECT_EQ(elementsAt(model, TensorId{0}, places).value(), (Texts{"6", "1", "1", "5"}));
}

TEST(ElementsAt, endWhereTheTensorEnds)
{
    const Model model = modelWith(tensorOf(DType::UInt8, {2}), {1, 2, 3});
    const std::vector<std::uint64_t> places{0, 2};
    const auto read = elementsAt(model, TensorId{0}, places);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().text(), "the tensor has no such element (element 2)");
}

} // namespace
} // namespace cutaway::ir
