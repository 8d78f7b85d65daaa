// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/elements.h"

#include "core/base/formatted.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ir/text/text.h"
#include "core/tensor/values.h"
#include "tests/core/formats/temporary_file.h"
#include "tests/core/tensor/one_tensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace cutaway::tensor {
namespace {

using namespace std::string_literals;
using enum ir::DType;

std::string printed(const Result<Elements> &elements)
{
    if (!elements)
        return elements.error().text();
    std::vector<double> numbers(elements->count() * elements->width());
    elements->read(0, numbers);
    std::string text;
    for (const double x : numbers)
        text += (text.empty() ? "" : " ") + formatted("{}", x);
    return text;
}

struct Row {
    std::string name;
    ir::DType dtype;
    std::vector<std::int64_t> shape;
    std::string bytes, expected;
};

class DTypes : public testing::TestWithParam<Row> { };

TEST_P(DTypes, areReadAsNumbers)
{
    const Row &row = GetParam();
    const ir::Model model = oneTensor(row.dtype, row.shape, row.bytes);
    EXPECT_EQ(printed(Elements::of(model, theTensor)), row.expected);
}

INSTANTIATE_TEST_SUITE_P(
    , DTypes,
    testing::Values(Row{"bool", Bool, {2}, "\0\1"s, "0 1"}, Row{"uint8", UInt8, {2}, "\0\xff"s, "0 255"},
                    Row{"int8", Int8, {2}, "\1\xff"s, "1 -1"}, Row{"uint16", UInt16, {1}, "\xff\xff"s, "65535"},
                    Row{"int16", Int16, {1}, "\xff\xff"s, "-1"},
                    Row{"uint32", UInt32, {1}, "\xff\xff\xff\xff"s, "4294967295"},
                    Row{"int32", Int32, {1}, "\xfe\xff\xff\xff"s, "-2"},
                    Row{"uint64", UInt64, {1}, "\0\0\0\0\0\0\0\x80"s, "9223372036854775808"},
                    Row{"int64", Int64, {1}, "\0\0\0\0\0\0\0\x80"s, "-9223372036854775808"},
                    Row{"float16", Float16, {2}, "\0\x3c\0\xfc"s, "1 -inf"},
                    Row{"bfloat16", BFloat16, {2}, "\x80\x3f\xc0\x7f"s, "1 nan"},
                    Row{"float32", Float32, {1}, "\0\0\x80\x3f"s, "1"},
                    Row{"float64", Float64, {1}, "\0\0\0\0\0\0\xf0\x3f"s, "1"},
                    Row{"complex64", Complex64, {1}, "\0\0\x80\x3f\0\0\0\xc0"s, "1 -2"},
                    Row{"complex32", Complex32, {1}, "\0\x3c\0\x40"s, "1 2"},
                    Row{"float8E4M3", Float8E4M3FN, {3}, "\x38\xb8\x7f"s, "1 -1 nan"},
                    Row{"float8E5M2", Float8E5M2, {2}, "\x3c\x7c"s, "1 inf"},
                    Row{"float8E8M0", Float8E8M0FNU, {3}, "\x7f\x80\x00"s, "1 2 5.877471754111438e-39"},
                    Row{"float4", Float4E2M1FN, {4}, "\x21\xf0"s, "0.5 1 0 -6"},
                    Row{"float4Pairs", Float4E2M1FNx2, {1, 2}, "\x21\xf0"s, "0.5 1 0 -6"},
                    Row{"int4", Int4, {3}, "\xf1\x08"s, "1 -1 -8"}, Row{"uint4", UInt4, {3}, "\xf1\x08"s, "1 15 8"},
                    Row{"uint2", UInt2, {5}, "\xe4\x01"s, "0 1 2 3 1"}, Row{"uint3", UInt3, {3}, "\x88\x01"s, "0 1 6"},
                    Row{"int6", Int6, {2}, "\xff\x07"s, "-1 31"}, Row{"qint8", QInt8, {1}, "\xff"s, "-1"},
                    Row{"scalar", UInt8, {}, "\7"s, "7"}, Row{"empty", Float32, {3, 0}, "", ""},
                    Row{"tooShort", Float32, {2}, "1234567", "the data are shorter than the shape needs (t)"},
                    Row{"bits", Bits8, {1}, "1", "elements of bits8 are no numbers (t)"},
                    Row{"text", String, {1}, "", "elements of string are no numbers (t)"}),
    [](const auto &row) { return row.param.name; });

TEST(Elements, areReadByRanges)
{
    const ir::Model model = oneTensor(UInt4, {5}, "\x21\x43\x05"s);
    const Elements elements = Elements::of(model, theTensor).value();
    std::vector<double> numbers(3);
    elements.read(1, numbers);
    EXPECT_EQ(numbers, (std::vector<double>{2, 3, 4}));
}

TEST(Elements, ofAViewAreThoseOfItsPlaces)
{
    ir::Model model = oneTensor<std::uint8_t>(UInt8, {2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
    ir::Tensor &tensor = model.tensors.edit(0);
    tensor.offset = 1;
    tensor.strides = std::vector<std::int64_t>{1, 3}; // transposed
    EXPECT_EQ(printed(Elements::of(model, theTensor)), "1 4 2 5");
    tensor.strides = std::vector<std::int64_t>{4, 1}; // rows with a gap
    EXPECT_EQ(printed(Elements::of(model, theTensor)), "1 2 5 6");
    tensor.strides = std::vector<std::int64_t>{0, 1}; // one row twice
    EXPECT_EQ(printed(Elements::of(model, theTensor)), "1 2 1 2");
    tensor.strides = std::vector<std::int64_t>{4, 3};
    EXPECT_EQ(printed(Elements::of(model, theTensor)), "the data are shorter than the shape needs (t)");
    tensor.strides = std::vector<std::int64_t>{-1, 1};
    EXPECT_EQ(printed(Elements::of(model, theTensor)), "the data are shorter than the shape needs (t)");
}

TEST(Elements, areReadInTheByteOrderOfTheFile)
{
    const tests::TemporaryFile file("..\1\2\xff\xfe"s);
    ir::Model model = oneTensor(Int16, {2}, "1234");
    model.files.push_back({file.path(), nullptr});
    model.storages.edit(0).data = ir::FileRange{ir::FileId{0}, 2, 4, ir::FileRange::Encoding::BigEndian};
    const auto elements = Elements::of(model, theTensor);
    EXPECT_EQ(printed(elements), "258 -2");
    std::vector<std::byte> bytes(4);
    elements->readBytes(0, bytes);
    EXPECT_EQ(bytes, (std::vector{std::byte{2}, std::byte{1}, std::byte{0xfe}, std::byte{0xff}}));
    model.storages.edit(0).data = ir::FileRange{ir::FileId{0}, 2, 4, ir::FileRange::Encoding::Varints};
    EXPECT_EQ(printed(Elements::of(model, theTensor)), "1 2");
}

TEST(Elements, thatAreMissingSayWhy)
{
    ir::Model model = oneTensor(Float32, {1}, "1234");
    model.storages.edit(0).data = ir::NoBytes{"a meta tensor"};
    EXPECT_EQ(printed(Elements::of(model, theTensor)), "a meta tensor (t)");
    model.tensors.edit(0).layout = ir::Layout::SparseCoo;
    EXPECT_EQ(printed(Elements::of(model, theTensor)),
              "a sparse tensor of this layout has no elements in row-major order; look at its parts (t)");
}

/// A tensor of 2 by 3 whose parts have these sizes and elements.
ir::Model sparse(const std::string &first, const std::string &second)
{
    ir::Model model =
        *ir::parseText("storage 0: 8 bytes missing \"a test\"\n"
                       "storage 1: 32 bytes missing \"a test\"\n"
                       "storage 2: 0 bytes missing \"sparse\"\n"
                       "tensor @first: "
                       + first
                       + " in storage 0\n"
                         "tensor @second: "
                       + second
                       + " in storage 1\n"
                         "tensor @t: int16[2, 3] in storage 2 layout sparse_coo parts(@first, @second)\n");
    return model;
}

void fill(ir::Model &model, std::uint32_t storage, ir::DType dtype, std::vector<std::int64_t> numbers)
{
    auto bytes = ir::encodeNumbers(dtype, numbers);
    model.storages.edit(storage).byteLength = bytes.size();
    model.storages.edit(storage).data = ir::InlineBytes{std::make_shared<std::vector<std::byte>>(std::move(bytes))};
}

TEST(Elements, ofASparseTensorHaveItsZeros)
{
    ir::Model flat = sparse("int16[2]", "int64[2]");
    fill(flat, 0, Int16, {7, -1});
    fill(flat, 1, Int64, {1, 5});
    EXPECT_EQ(printed(Elements::of(flat, ir::TensorId{2})), "0 7 0 0 0 -1");
    ir::Model byDimension = sparse("int16[2]", "int64[2, 2]");
    fill(byDimension, 0, Int16, {7, -1});
    fill(byDimension, 1, Int64, {0, 1, 1, 2});
    EXPECT_EQ(printed(Elements::of(byDimension, ir::TensorId{2})), "0 7 0 0 0 -1");
    ir::Model ofTorch = sparse("int64[2, 3]", "int16[3]"); // two values at one place are summed
    fill(ofTorch, 0, Int64, {0, 1, 1, 1, 2, 2});
    fill(ofTorch, 1, Int16, {7, -1, -2});
    EXPECT_EQ(printed(Elements::of(ofTorch, ir::TensorId{2})), "0 7 0 0 0 -3");
    ir::Model rows = sparse("int64[1, 1]", "int16[1, 3]");
    fill(rows, 0, Int64, {1});
    fill(rows, 1, Int16, {1, 2, 3});
    EXPECT_EQ(printed(Elements::of(rows, ir::TensorId{2})), "0 0 0 1 2 3");
}

TEST(Elements, ofASparseTensorWrapWhereTheirSumOverflows)
{
    ir::Model model = sparse("int64[2, 2]", "int64[2]");
    model.tensors.edit(2).dtype = Int64;
    fill(model, 0, Int64, {0, 0, 1, 1});
    fill(model, 1, Int64, {std::numeric_limits<std::int64_t>::max(), 1});
    EXPECT_EQ(printed(Elements::of(model, ir::TensorId{2})), "0 -9223372036854775808 0 0 0 0");
}

TEST(Elements, ofASparseTensorThatIsAPartOfItself)
{
    ir::Model model = sparse("int64[2, 2]", "int16[2]");
    for (const std::uint32_t part : {0, 1}) {
        model.tensors.edit(2).parts = {ir::TensorId{0}, ir::TensorId{1}};
        model.tensors.edit(2).parts[part] = ir::TensorId{2};
        EXPECT_EQ(printed(Elements::of(model, ir::TensorId{2})),
                  "a sparse tensor of this layout has no elements in row-major order; look at its parts (t)");
    }
}

TEST(Elements, ofASparseTensorLieInIt)
{
    ir::Model model = sparse("int16[2]", "int64[2]");
    fill(model, 0, Int16, {7, -1});
    for (const std::int64_t index : {-1, 6}) {
        fill(model, 1, Int64, {0, index});
        EXPECT_EQ(printed(Elements::of(model, ir::TensorId{2})),
                  "an index of the sparse tensor is outside of it (t, value 1)");
    }
    model.tensors.edit(2).shape = {1 << 20, 1 << 20};
    EXPECT_EQ(printed(Elements::of(model, ir::TensorId{2})),
              "the sparse tensor is too large to be looked at with its zeros (t)");
}

TEST(Values, ofComplexElementsAreMagnitudes)
{
    const ir::Model model = oneTensor<float>(Complex64, {3}, {3, 4, 0, -2, NAN, INFINITY});
    const Values values(Elements::of(model, theTensor).value());
    std::vector<double> numbers(3);
    values.read(0, numbers);
    EXPECT_EQ(numbers[0], 5);
    EXPECT_EQ(numbers[1], 2);
    EXPECT_TRUE(std::isnan(numbers[2]));
}

TEST(Values, ofQuantizedElementsAreWhatTheyStandFor)
{
    const ir::Model model = oneTensor<std::int8_t>(Int8, {2, 3}, {1, 2, 3, 1, 2, 3});
    const Elements elements = Elements::of(model, theTensor).value();
    std::vector<double> numbers(4);
    Values(elements, Quantization{{0.5}, {1}, 0}).read(1, numbers);
    EXPECT_EQ(numbers, (std::vector<double>{0.5, 1, 0, 0.5}));
    Values(elements, Quantization{{0.5, 2}, {0, 1}, 0}).read(1, numbers);
    EXPECT_EQ(numbers, (std::vector<double>{1, 1.5, 0, 2}));
    Values(elements, Quantization{{1, 10, 100}, {0, 0, 0}, 1}).read(1, numbers);
    EXPECT_EQ(numbers, (std::vector<double>{20, 300, 1, 20}));
}

} // namespace
} // namespace cutaway::tensor
