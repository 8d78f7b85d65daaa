// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/tensor_file.h"
#include "core/tensor/numbers.h"
#include "tests/core/formats/temporary_file.h"
#include "tests/core/formats/zip_writer.h"

#include <gtest/gtest.h>

namespace cutaway::run {

namespace {

using tests::TemporaryFile;

struct JsonTensorRow {
    const char *label;
    const char *json;
    ir::DType dtype;
    std::vector<std::int64_t> shape;
    std::vector<double> numbers;
};

class JsonTensors : public testing::TestWithParam<JsonTensorRow> { };

TEST_P(JsonTensors, areNumbersInBrackets)
{
    const auto tensor = readTensor(TemporaryFile(GetParam().json, ".json").path(), GetParam().dtype);
    ASSERT_TRUE(tensor) << tensor.error().text();
    EXPECT_EQ(tensor->dtype, GetParam().dtype);
    EXPECT_EQ(tensor->shape, GetParam().shape);
    EXPECT_EQ(tensor::numbersOf(*tensor), GetParam().numbers);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, JsonTensors,
    testing::Values(JsonTensorRow{"Scalar", "3", ir::DType::Int64, {}, {3}},
                    JsonTensorRow{"Vector", "[1, 2.5]", ir::DType::Float32, {2}, {1, 2.5}},
                    JsonTensorRow{"Matrix", "[[1, 2, 3], [4, 5, 6]]", ir::DType::Int32, {2, 3}, {1, 2, 3, 4, 5, 6}},
                    JsonTensorRow{"Booleans", "[true, false]", ir::DType::Bool, {2}, {1, 0}},
                    JsonTensorRow{"Empty", "[]", ir::DType::Float32, {0}, {}},
                    JsonTensorRow{"EmptyRows", "[[], []]", ir::DType::Float32, {2, 0}, {}}),
    [](const auto &row) { return row.param.label; });

class RefusedTensors : public testing::TestWithParam<std::pair<const char *, std::string>> { };

TEST_P(RefusedTensors, areUnreadable)
{
    const auto tensor = readTensor(TemporaryFile(GetParam().second, ".json").path(), ir::DType::UInt8);
    ASSERT_FALSE(tensor);
    EXPECT_EQ(tensor.error().kind, ErrorKind::Unreadable);
}

INSTANTIATE_TEST_SUITE_P(Rows, RefusedTensors,
                         testing::Values(std::pair("NoJson", "[1, 2"), std::pair("UnevenRows", "[[1, 2], [3]]"),
                                         std::pair("NumbersBesideLists", "[1, [2]]"), std::pair("Texts", "[\"a\"]"),
                                         std::pair("Objects", "{}"), std::pair("Bare", "null"),
                                         std::pair("Fractions", "[0.5]"), std::pair("TooLarge", "[256]"),
                                         std::pair("Deep", std::string(100'000, '[') + std::string(100'000, ']'))),
                         [](const auto &row) { return row.param.first; });

/// Returns the file that torch.save writes for a uint8 tensor of 2 by 3 elements, 1 and 2 elements apart, of a storage
/// of 8; the shape is a pickled tuple.
std::string savedTensor(const std::string &storage, const std::string &offset,
                        const std::string &shape = "K\x02K\x03\x86")
{
    using namespace std::string_literals;
    const std::string pickle = "\x80\x04"
                               "ctorch._utils\n_rebuild_tensor_v2\n((\x8c\x07storagectorch\nByteStorage\n\x8c\x01"
                               "0\x8c\x03"
                               "cpuK\x08tQ"s
        + "K" + offset + shape + "K\x01K\x02\x86\x89" + "ccollections\nOrderedDict\n)RtR.";
    return tests::zipArchive({{"archive/data.pkl", pickle}, {"archive/data/0", storage}}, tests::ZipStyle::PyTorch);
}

TEST(TorchTensors, areReadInTheirOrder)
{
    const auto tensor = readTensor(TemporaryFile(savedTensor("abcdefgh", "\x02"), ".pt").path(), {});
    ASSERT_TRUE(tensor) << tensor.error().text();
    EXPECT_EQ(*tensor, (protocol::Tensor{ir::DType::UInt8, {2, 3}, "cegdfh"}));
}

TEST(TorchTensors, mustLieInTheirStorage)
{
    const auto tensor = readTensor(TemporaryFile(savedTensor("abcdefgh", "\x03"), ".pt").path(), {});
    ASSERT_FALSE(tensor);
    EXPECT_EQ(tensor.error().kind, ErrorKind::Unreadable);
}

TEST(TorchTensors, ofAbsurdSizesAreUnreadable)
{
    const std::string huge = "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"; // LONG1: the largest int64
    const std::string file = savedTensor("abcdefgh", std::string(1, '\0'), huge + huge + "\x86");
    EXPECT_FALSE(readTensor(TemporaryFile(file, ".pt").path(), {}));
    const std::string empty = savedTensor("abcdefgh", std::string(1, '\0'), std::string("K\0", 2) + huge + "\x86");
    EXPECT_TRUE(readTensor(TemporaryFile(empty, ".pt").path(), {}));
}

TEST(TensorFiles, areKnownByTheirNames)
{
    EXPECT_TRUE(isTensorFile("a/b.npy"));
    EXPECT_TRUE(isTensorFile("b.pt"));
    EXPECT_TRUE(isTensorFile("b.json"));
    EXPECT_FALSE(isTensorFile("1x3x224x224:float32"));
    EXPECT_FALSE(isTensorFile("b.pt2"));
}

TEST(TensorFiles, thatAreMissingAreUnreadable)
{
    EXPECT_EQ(readTensor("/nowhere/a.npy", {}).error().kind, ErrorKind::Unreadable);
}

} // namespace

} // namespace cutaway::run
