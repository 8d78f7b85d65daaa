// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/safetensors/write.h"

#include "core/formats/safetensors/reader.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_data.h"
#include "tests/core/formats/temporary_file.h"

#include <gtest/gtest.h>

namespace cutaway::formats::safetensors {
namespace {

using namespace std::string_literals;

Entry entry(std::string name, ir::DType dtype, std::vector<std::int64_t> shape, std::string bytes)
{
    return {std::move(name), dtype, std::move(shape), [bytes = std::move(bytes)](const auto &visit) -> Result<void> {
                const auto all = std::as_bytes(std::span(bytes));
                visit(all.first(all.size() / 2));
                visit(all.subspan(all.size() / 2));
                return {};
            }};
}

Result<std::string> written(const std::vector<Entry> &entries, const Metadata &metadata = {}, const Task &task = {})
{
    const tests::TemporaryFile place("");
    OutputFile file(place.path());
    auto done = write(file, entries, metadata, task).and_then([&] { return file.close(); });
    const MappedFile map = place.map();
    return done.transform([&] { return std::string(reinterpret_cast<const char *>(map.bytes().data()), file.size()); });
}

TEST(WrittenSafetensors, areAligned)
{
    const std::string expected =
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[3],"data_offsets":[4,7]}})";
    const auto file = written({entry("b", ir::DType::UInt8, {3}, "xyz"), entry("a", ir::DType::Float32, {1}, "1234")});
    ASSERT_TRUE(file) << file.error().text();
    const std::size_t length = static_cast<unsigned char>(file->front());
    EXPECT_EQ(length % 8, 0u);
    EXPECT_EQ(file->substr(8, expected.size()), expected);
    EXPECT_EQ(file->substr(8 + expected.size(), length - expected.size()), std::string(length - expected.size(), ' '));
    EXPECT_EQ(file->substr(8 + length), "1234xyz");
}

TEST(WrittenSafetensors, areReadAgain)
{
    const std::string name = "a\"\\\n\x01\xc3\xa9";
    const auto content = written({entry(name, ir::DType::BFloat16, {1, 2}, "\x80\x3f\0\xc0"s),
                                  entry("empty", ir::DType::Int64, {0, 3}, ""), entry("n", ir::DType::Bool, {}, "\1")},
                                 {{"format", "pt"}, {"\"", "\t"}});
    ASSERT_TRUE(content) << content.error().text();
    const auto model = readBytes(std::as_bytes(std::span(*content)), {"a.safetensors", nullptr});
    ASSERT_TRUE(model) << model.error().text();
    ASSERT_EQ(model->tensors.size(), 3u);
    EXPECT_EQ(model->context->text(model->tensors[0].name), "empty");
    EXPECT_EQ(model->context->text(model->tensors[1].name), name);
    EXPECT_EQ(model->tensors[1].shape, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(model->metadata, (Metadata{{"format", "pt"}, {"\"", "\t"}}));
    EXPECT_TRUE(model->diagnostics.empty());
}

TEST(WrittenSafetensors, haveTheTensorsOfAModel)
{
    const auto first = written({entry("w", ir::DType::Float32, {2, 1}, "\0\0\x80\x3f\0\0\0\x40"s)});
    ASSERT_TRUE(first);
    const tests::TemporaryFile file(*first);
    const auto model = formats::open(file.path());
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(written({entryOf(*model, ir::TensorId{0}, "w")}), *first);
}

struct Unwritable {
    std::string name;
    std::vector<Entry> entries;
    std::string fault;
};

class UnwritableSafetensors : public testing::TestWithParam<Unwritable> { };

TEST_P(UnwritableSafetensors, areRefused)
{
    const auto file = written(GetParam().entries);
    EXPECT_EQ(file ? "written" : file.error().text(), GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(
    , UnwritableSafetensors,
    testing::Values(Unwritable{"complex128",
                               {entry("a", ir::DType::Complex128, {1}, std::string(16, ' '))},
                               "a .safetensors file cannot have elements of complex128 (tensor a)"},
                    Unwritable{"twice",
                               {entry("a", ir::DType::UInt8, {}, "1"), entry("a", ir::DType::UInt8, {}, "1")},
                               "two tensors of a .safetensors file cannot have one name (tensor a)"},
                    Unwritable{"metadata",
                               {entry("__metadata__", ir::DType::UInt8, {}, "1")},
                               "a tensor of a .safetensors file cannot have this name (tensor __metadata__)"},
                    Unwritable{"noUtf8",
                               {entry("\xff", ir::DType::UInt8, {}, "1")},
                               "a tensor of a .safetensors file cannot have this name (tensor \xef\xbf\xbd)"},
                    Unwritable{"tooFewBytes",
                               {entry("a", ir::DType::UInt8, {3}, "12")},
                               "its elements have 2 bytes in place of 3 (tensor a)"},
                    Unwritable{"tooManyBytes",
                               {entry("a", ir::DType::UInt8, {1}, "12")},
                               "its elements have 2 bytes in place of 1 (tensor a)"},
                    Unwritable{
                        "halfAByte",
                        {entry("a", ir::DType::Float4E2M1FN, {3}, "12")},
                        "its elements do not fill whole bytes, which a .safetensors file cannot have (tensor a)"}),
    [](const auto &row) { return row.param.name; });

TEST(WrittenSafetensors, areLeftWhenTheSourceFails)
{
    Entry broken = entry("a", ir::DType::UInt8, {1}, "");
    broken.visit = [](const auto &) -> Result<void> { return unreadable("the disk is gone", "byte 5"); };
    EXPECT_EQ(written({broken}).error().text(), "the disk is gone (tensor a, byte 5)");
}

TEST(WrittenSafetensors, areLeftWhenStopped)
{
    std::stop_source stop;
    Entry stopping = entry("a", ir::DType::UInt8, {1}, "1");
    stopping.visit = [&](const auto &) -> Result<void> {
        stop.request_stop();
        return {};
    };
    EXPECT_EQ(written({stopping}, {}, {stop.get_token(), {}}).error().kind, ErrorKind::Cancelled);
}

} // namespace
} // namespace cutaway::formats::safetensors
