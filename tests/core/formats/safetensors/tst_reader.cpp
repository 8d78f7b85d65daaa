// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/safetensors/reader.h"

#include "core/ir/context.h"
#include "core/ir/tensors/tensor_data.h"
#include "core/ir/verify.h"
#include "core/ir/weights_only.h"
#include "tests/core/formats/round_trip/folder.h"
#include "tests/core/formats/safetensors/file_text.h"
#include "tests/core/formats/temporary_file.h"

#include <fstream>
#include <gtest/gtest.h>

namespace cutaway::formats::safetensors {
namespace {

using namespace std::string_literals;

Result<ir::Model> opened(const std::string &content)
{
    const tests::TemporaryFile file(content, ".safetensors");
    return formats::open(file.path()); // the mapping stays valid when its file is gone
}

std::string printed(const ir::Model &model)
{
    std::string text;
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i) {
        const ir::Tensor &tensor = model.tensors[i];
        text += formatted("{} {} {}", model.context->text(tensor.name), ir::name(tensor.dtype), tensor.shape.size());
        const std::vector<std::string> elements = ir::firstElements(model, {i}, 8).value();
        for (const std::string &element : elements)
            text += " " + element;
        text += "\n";
    }
    return text;
}

std::string faultOf(const std::string &header, const std::string &data)
{
    const auto model = opened(fileText(header, data));
    return model ? "none" : model.error().text();
}

TEST(Safetensors, areTensorsByName)
{
    const auto model = opened(fileText(R"({"__metadata__":{"format":"pt"},)"
                                       R"("fc.weight":{"dtype":"F32","shape":[2],"data_offsets":[4,12]},)"
                                       R"("fc.bias":{"dtype":"BF16","shape":[1,2],"data_offsets":[0,4]},)"
                                       R"("none":{"dtype":"I64","shape":[0],"data_offsets":[12,12]},)"
                                       R"("n":{"shape":[],"data_offsets":[12,14],"dtype":"F16"}}  )",
                                       "\x80\x3f\0\xc0\0\0\x80\x3f\0\0\x20\x41\0\x3c"s));
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(printed(*model), "fc.bias bfloat16 2 1 -2\nfc.weight float32 1 1 10\nnone int64 1\nn float16 0 1\n");
    EXPECT_EQ(model->format, "safetensors");
    EXPECT_EQ(model->metadata, (std::vector<std::pair<std::string, std::string>>{{"format", "pt"}}));
    EXPECT_TRUE(model->diagnostics.empty());
    EXPECT_TRUE(ir::verify(*model).empty());
    EXPECT_TRUE(ir::isWeightsOnly(*model));
    EXPECT_EQ(model->modules.size(), 2u); // the root and fc
    EXPECT_EQ(model->modules[1].tensors.size(), 2u);
    EXPECT_EQ(model->functions.front().graph.valueCount(), 4u);
}

TEST(Safetensors, mayHaveNoTensors)
{
    const auto model = opened(fileText("{}", ""));
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->tensors.size(), 0u);
}

TEST(Safetensors, sayWhatIsLeftOut)
{
    const auto model = opened(fileText(R"({"a":{"dtype":"F6_E2M3","shape":[4],"data_offsets":[0,3]},)"
                                       R"("b":{"dtype":"U8","shape":[1],"data_offsets":[5,6]}})",
                                       "123456789"));
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->tensors.size(), 1u);
    ASSERT_EQ(model->diagnostics.size(), 2u);
    EXPECT_TRUE(model->diagnostics[0].message.contains("F6_E2M3")) << model->diagnostics[0].message;
    EXPECT_EQ(model->diagnostics[1].message, "5 B of the file are of no tensor");
}

struct Broken {
    std::string name, header, data, fault;
};

class BrokenSafetensors : public testing::TestWithParam<Broken> { };

TEST_P(BrokenSafetensors, areRefusedWithTheirPlace)
{
    EXPECT_EQ(faultOf(GetParam().header, GetParam().data), GetParam().fault);
}

const std::string u8 = R"({"dtype":"U8","shape":)";

INSTANTIATE_TEST_SUITE_P(
    , BrokenSafetensors,
    testing::Values(Broken{"beyondTheFile", R"({"a":)" + u8 + R"([9],"data_offsets":[0,9]}})", "12345678",
                           "its bytes are 0 to 9 of 8 (tensor a)"},
                    Broken{"overlapping",
                           R"({"a":)" + u8 + R"([4],"data_offsets":[0,4]},"b":)" + u8 + R"([4],"data_offsets":[3,7]}})",
                           "1234567", "it has bytes in common with a: 116 to 117 (tensor b)"},
                    Broken{"twice",
                           R"({"a":)" + u8 + R"([1],"data_offsets":[0,1]},"a":)" + u8 + R"([1],"data_offsets":[1,2]}})",
                           "12", "the header has two tensors of one name (tensor a)"},
                    Broken{"backwards", R"({"a":)" + u8 + R"([1],"data_offsets":[2,1]}})", "12",
                           "its data_offsets are no begin and end (tensor a)"},
                    Broken{"oneOffset", R"({"a":)" + u8 + R"([1],"data_offsets":[1]}})", "12",
                           "its data_offsets are no begin and end (tensor a)"},
                    Broken{"negativeOffset", R"({"a":)" + u8 + R"([1],"data_offsets":[-1,1]}})", "12",
                           "its data_offsets is not as it has to be (tensor a)"},
                    Broken{"otherSize", R"({"a":)" + u8 + R"([3],"data_offsets":[0,2]}})", "12",
                           "it has 2 bytes, and its shape and dtype need 3 (tensor a)"},
                    Broken{"absurdSize", R"({"a":)" + u8 + R"([4294967296,4294967296,4],"data_offsets":[0,2]}})", "12",
                           "it has 2 bytes, and its shape and dtype need more than there can be (tensor a)"},
                    Broken{"negativeSize", R"({"a":)" + u8 + R"([-1,-2],"data_offsets":[0,2]}})", "12",
                           "its shape has a negative size or more than 64 of them (tensor a)"},
                    Broken{"noDtype", R"({"a":{"shape":[2],"data_offsets":[0,2]}})", "12",
                           "it has not one dtype, shape and data_offsets (tensor a)"},
                    Broken{"noObject", R"({"a":[1,2]})", "12", "its description is not as it has to be (tensor a)"},
                    Broken{"metadataOfNumbers", R"({"__metadata__":{"a":1}})", "",
                           "__metadata__ has a value that is no text (key a)"},
                    Broken{"noJson", R"({"a":)", "12", "the header is no JSON object (bytes 8 to 13)"}),
    [](const auto &row) { return row.param.name; });

TEST(Safetensors, withAHeaderThatTheFileHasNotAreCutShort)
{
    const std::string file = fileText(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "1").substr(0, 30);
    EXPECT_EQ(opened(file).error().text(),
              "the header is 53 bytes long, and the file has 22 behind its length (byte 0)");
}

TEST(Safetensors, withAHugeHeaderAreRefused)
{
    EXPECT_EQ(opened("\0\0\0\0\1\0\0\0{\"a\":1}"s).error().text(),
              "the header is 4294967296 bytes long; at most 100000000 are read (byte 0)");
}

TEST(Safetensors, areNoTexts)
{
    EXPECT_FALSE(sniff(tests::TemporaryFile(R"(       {"a": 1})").probe()));
    EXPECT_FALSE(sniff(tests::TemporaryFile("\2\0\0\0\0\0\0\0[]"s).probe()));
    EXPECT_FALSE(sniff(tests::TemporaryFile("{}").probe()));
}

class SeveralFiles : public testing::Test {
protected:
    void write(const std::string &name, const std::string &content) const
    {
        std::ofstream(m_folder / name, std::ios::binary) << content;
    }
    Result<ir::Model> open(const std::string &index) const
    {
        write("net.safetensors.index.json", index);
        return formats::open(m_folder / "net.safetensors.index.json");
    }

private:
    tests::Folder m_folder;
};

TEST_F(SeveralFiles, areOneModel)
{
    write(
        "1.safetensors",
        fileText(R"({"a":)" + u8 + R"([1],"data_offsets":[0,1]},"b":)" + u8 + R"([1],"data_offsets":[1,2]}})", "\1\2"));
    write("2.safetensors", fileText(R"({"b":)" + u8 + R"([1],"data_offsets":[0,1]}})", "\3"));
    const auto model = open(R"({"metadata":{},"weight_map":{"a":"1.safetensors","b":"2.safetensors","c":"1.safetensors",
                                "d":"3.safetensors"}})");
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(printed(*model), "a uint8 1 1\nb uint8 1 3\n");
    std::string notes;
    for (const ir::Diagnostic &diagnostic : model->diagnostics)
        notes += diagnostic.code + " ";
    EXPECT_EQ(notes, "safetensors.file safetensors.missing safetensors.missing ");
}

TEST_F(SeveralFiles, lieInOneFolder)
{
    for (const char *name : {"../1.safetensors", "/1.safetensors", "", "..", "a/b"})
        EXPECT_EQ(open(R"({"weight_map":{"a":")" + std::string(name) + "\"}}").error().text(),
                  "its file is no name of a file in the folder of the index (tensor a)");
    EXPECT_EQ(open(R"({"weight_map":3})").error().text(), "the index is no JSON object with a weight_map");
}

TEST_F(SeveralFiles, areNamedInErrors)
{
    write("1.safetensors", fileText("[]", ""));
    const auto model = open(R"({"weight_map":{"a":"1.safetensors"}})");
    ASSERT_FALSE(model);
    EXPECT_TRUE(model.error().where.starts_with("1.safetensors, bytes 8 to ")) << model.error().text();
}

} // namespace
} // namespace cutaway::formats::safetensors
