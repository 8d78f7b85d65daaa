// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/save.h"

#include "core/base/formatted.h"
#include "core/tensor/npy.h"
#include "tests/core/formats/round_trip/folder.h"
#include "tests/core/tensor/one_tensor.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace cutaway::tensor {
namespace {

using namespace std::string_literals;
using enum ir::DType;

/// Returns the content of the file, or the error.
std::string saved(const ir::Model &model, const std::string &part, const std::string &name,
                  std::optional<Quantization> quantization = {})
{
    const tests::Folder folder;
    const Values values(Elements::of(model, theTensor).value(), std::move(quantization));
    const auto done = save(values, parseSlice(part, values.elements().shape()).value(), folder / name);
    if (!done)
        return done.error().message;
    std::ostringstream content;
    content << std::ifstream(folder / name, std::ios::binary).rdbuf();
    return content.str();
}

std::string arrayOf(const std::string &npy)
{
    const auto tensor = tensor::parseNpy(npy);
    if (!tensor)
        return tensor.error().text();
    std::string text(ir::name(tensor->dtype));
    for (const std::int64_t size : tensor->shape)
        text += formatted(" {}", size);
    return text + ":" + tensor->bytes;
}

TEST(SavedTensors, areNumPyArrays)
{
    const ir::Model model = oneTensor(UInt8, {2, 3}, "abcdef");
    EXPECT_EQ(arrayOf(saved(model, "", "t.npy")), "uint8 2 3:abcdef");
    EXPECT_EQ(arrayOf(saved(model, ":,::2", "t.npy")), "uint8 2 2:acdf");
    EXPECT_EQ(arrayOf(saved(model, "1", "t.npy")), "uint8 3:def");
    EXPECT_EQ(arrayOf(saved(oneTensor(Complex64, {1}, "12345678"), "", "t.npy")), "complex64 1:12345678");
}

TEST(SavedTensors, areWidenedWhereNumPyHasNoDType)
{
    EXPECT_EQ(arrayOf(saved(oneTensor(BFloat16, {1}, "\x80\x3f"s), "", "t.npy")), "float32 1:\0\0\x80\x3f"s);
    EXPECT_EQ(arrayOf(saved(oneTensor(Int4, {2}, "\xf1"s), "", "t.npy")), "int8 2:\1\xff"s);
    EXPECT_EQ(arrayOf(saved(oneTensor(Complex32, {1}, "\0\x3c\0\0"s), "", "t.npy")),
              "complex64 1:\0\0\x80\x3f\0\0\0\0"s);
}

TEST(SavedTensors, areRowsOfText)
{
    EXPECT_EQ(saved(oneTensor<double>(Float64, {2, 2}, {1, 0.1, 100000, -0.0}), "", "t.csv"), "1,0.1\r\n100000,-0\r\n");
    EXPECT_EQ(saved(oneTensor<std::int64_t>(Int64, {2}, {9007199254740993, -1}), "", "t.csv"),
              "9007199254740993,-1\r\n");
    EXPECT_EQ(saved(oneTensor<std::uint64_t>(UInt64, {1}, {~std::uint64_t{0}}), "", "t.csv"),
              "18446744073709551615\r\n");
    EXPECT_EQ(saved(oneTensor<float>(Complex64, {1}, {1, -2}), "", "t.csv"), "1-2j\r\n");
    EXPECT_EQ(saved(oneTensor<std::int8_t>(Int8, {2}, {3, 5}), "", "t.csv", Quantization{{0.5}, {1}, 0}), "1,2\r\n");
}

TEST(SavedTensors, haveOneOfTwoSuffixes)
{
    EXPECT_EQ(saved(oneTensor(UInt8, {1}, "1"), "", "t.txt"), "tensors are saved as .npy or .csv");
}

TEST(SavedTensors, areNotThereWhenStopped)
{
    const tests::Folder folder;
    std::stop_source stop;
    stop.request_stop();
    const ir::Model model = oneTensor(UInt8, {1}, "1");
    const Values values(Elements::of(model, theTensor).value());
    EXPECT_EQ(save(values, wholeOf({1}), folder / "t.npy", {stop.get_token(), {}}).error().kind, ErrorKind::Cancelled);
    EXPECT_EQ(folder.fileCount(), 0);
}

TEST(SavedTensors, ofDifferencesAreFloat64)
{
    const tests::Folder folder;
    const ir::Model a = oneTensor(UInt8, {2}, "bd"), b = oneTensor(UInt8, {2}, "ca");
    const Values difference =
        Values(Elements::of(a, theTensor).value()).minus(Values(Elements::of(b, theTensor).value())).value();
    const auto contentOf = [&](const std::string &name) {
        EXPECT_TRUE(save(difference, wholeOf({2}), folder / name));
        std::ostringstream content;
        content << std::ifstream(folder / name, std::ios::binary).rdbuf();
        return content.str();
    };
    EXPECT_EQ(arrayOf(contentOf("d.npy")), "float64 2:\0\0\0\0\0\0\xf0\xbf\0\0\0\0\0\0\x08\x40"s);
    EXPECT_EQ(contentOf("d.csv"), "-1,3\r\n");
}

} // namespace
} // namespace cutaway::tensor
