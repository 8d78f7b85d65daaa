// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/recognize.h"

#include "tests/core/formats/temporary_file.h"
#include "tests/core/formats/zip_writer.h"

#include <gtest/gtest.h>

namespace cutaway::formats {
namespace {

using namespace std::string_literals;
using tests::zipArchive;

struct Row {
    std::string name;
    std::string content;
    std::string said; ///< how the sentence starts; "": nothing is known
};

const std::string tensor = "ctorch._utils\n_rebuild_tensor_v2\n((\x8c\x07storagectorch\nFloatStorage\n\x8c\x01"
                           "0\x8c\x03"
                           "cpuK\x01tQK\x00)K\x01\x85)\x89}tR"s;

std::string stateDict() { return "\x80\x04}\x8c\x06weight("s.substr(0, 11) + tensor + "s."; }

std::string torchSave(const std::string &pickle)
{
    return zipArchive({{"net/data.pkl", pickle}, {"net/data/0", "1234"}, {"net/version", "3\n"}},
                      tests::ZipStyle::PyTorch);
}

const std::string legacyStart =
    "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e\x80\x02M\xe9\x03.\x80\x02}."s;

std::vector<Row> rows()
{
    return {
        {"dictWithoutTensors", torchSave("\x80\x04}."), "a pickled Python dict without a graph"},
        {"pickledModule",
         torchSave("\x80\x04"
                   "cnet\nNet\n)\x81}\x8c\x08_modules}sb."),
         "a pickled module of the Python class net.Net"},
        {"tensor", torchSave("\x80\x04" + tensor + "."), "a single PyTorch tensor"},
        {"pickleThatCalls",
         torchSave("\x80\x02"
                   "cposix\nsystem\nX\x02\x00\x00\x00id\x85R."s),
         "a Python pickle that calls posix.system; nothing of it was run"},
        {"damagedPickle", torchSave("\x80\x02R."), "a damaged Python pickle"},
        {"barePickle", "\x80\x02}.", "a pickled Python dict without a graph"},
        {"legacyStateDict", legacyStart + stateDict() + "\x80\x02].", "a PyTorch state_dict of 1 tensor"},
        {"legacyCheckpoint",
         legacyStart + "\x80\x04}\x8c\x05model"s + stateDict().substr(2, stateDict().size() - 3) + "s.\x80\x02].",
         "a training checkpoint (\"model\" has 1 tensor)"},
        {"legacyCutShort", legacyStart, "a damaged Python pickle"},
        {"torchScriptWithoutObjects", zipArchive({{"m/constants.pkl", ""}, {"m/code/a.py", ""}}),
         "a part of a TorchScript archive: data.pkl or constants.pkl is missing"},
        {"torchScriptWithoutCode", zipArchive({{"m/data.pkl", ""}, {"m/constants.pkl", ""}}),
         "a TorchScript archive without its code"},
        {"liteInterpreter", zipArchive({{"m/data.pkl", ""}, {"m/bytecode.pkl", ""}}),
         "a module for PyTorch's lite interpreter"},
        {"torchPackage", zipArchive({{"m/.data/extern_modules", ""}, {"m/a.pkl", ""}}), "a torch.package archive"},
        {"oldTorchScript", zipArchive({{"m/model.json", ""}}), "a TorchScript module of PyTorch 1.0"},
        {"officeDocument", zipArchive({{"[Content_Types].xml", ""}, {"word/document.xml", ""}}), "an office document"},
        {"otherZip", zipArchive({{"a", ""}, {"b", ""}}), "a zip archive without a model"},
        {"emptyZip", zipArchive({}), "an empty zip archive"},
        {"damagedZip", zipArchive({{"a", "1"}, {"a", "2"}}), "the zip archive has two members"},
        {"cutZip", zipArchive({{"a", "1"}}).substr(0, 40), "the zip archive has no end record"},
        {"mobileFlatbuffer", "\x20\0\0\0PTMF1234"s, "a PyTorch mobile module"},
        {"executorch", "\x20\0\0\0ET121234"s, "an ExecuTorch program"},
        {"ortFormat", "\x20\0\0\0ORTM1234"s, "a model in ONNX Runtime's own ORT format"},
        {"tflite", "\x20\0\0\0TFL31234"s, "a TensorFlow Lite model"},
        {"savedModel", "\x08\x01\x12\x05"s, "a TensorFlow SavedModel"},
        {"keras", "\x89HDF\r\n\x1a\n"s, "an HDF5 file"},
        {"gguf", "GGUF\x03", "a GGUF file"},
        {"tar", std::string(257, '\0') + "ustar", "a tar archive"},
        {"jpeg", "\xff\xd8\xff\xe0", "a JPEG image"},
        {"png", "\x89PNG\r\n\x1a\n", "a PNG image"},
        {"pdf", "%PDF-1.7", "a PDF document"},
        {"gzip", "\x1f\x8b\x08", "a gzip-compressed file"},
        {"lfsPointer", "version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"},
        {"webPage", "<!DOCTYPE html><html>", "a web page"},
        {"onnxText", "ir_version: 8\n", "an ONNX model in protobuf's text form"},
        {"utf16", "\xff\xfe{\0"s, "a text file in UTF-16"},
        {"json", " {\"a\": 1}", "a JSON text; open the model file itself"},
        {"exportedProgramAlone", "{\"graph_module\": {\"graph\": {}}}",
         "the program of a .pt2 file without its archive"},
        {"torchProfilerTrace",
         "{\"schemaVersion\": 1, \"deviceProperties\": [" + std::string(600, ' ') + "], \"traceEvents\": []}",
         "a trace of a run"},
        {"onnxRuntimeProfile", "[\n{\"cat\": \"Session\", \"pid\": 1, \"ts\": 3, \"ph\": \"X\"}]", "a trace of a run"},
        {"text", "hello, world\n", "a text file"},
        {"nothing", "", "the file is empty"},
        {"noise", "\x91\x02\xf3\x00\x17\x9a"s, ""},
    };
}

class Files : public testing::TestWithParam<Row> { };

TEST_P(Files, areNamedInOneSentenceWithAdvice)
{
    const tests::TemporaryFile file(GetParam().content);
    const auto said = recognize(file.probe());
    EXPECT_EQ(said.has_value(), !GetParam().said.empty());
    EXPECT_TRUE(said.value_or("").starts_with(GetParam().said)) << said.value_or("");
    EXPECT_TRUE(!said || said->contains("; ")) << *said;
    EXPECT_FALSE(said && said->contains('\n'));
}

INSTANTIATE_TEST_SUITE_P(, Files, testing::ValuesIn(rows()), [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::formats
