// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/format.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_data.h"
#include "tests/core/formats/onnx/onnx_writer.h"
#include "tests/core/formats/round_trip/content_text.h"
#include "tests/core/formats/round_trip/folder.h"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <ostream>
#include <sys/resource.h>

namespace {

using namespace cutaway;
using namespace onnxtest;

/// No file may grow beyond this while it lives: what a full disk does.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FullDisk(const FullDisk &) = delete;
    FullDisk &operator=(const FullDisk &) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int);
};

class Write : public testing::Test {
protected:
    Write()
    {
        const Proto file = onnxtest::model(
            graph({node("Op", {"w"}, {"y"})}, {}, {value("y", tensorType(1, {}))}, {floats("w", {10000})}));
        std::ofstream(m_folder / "a.onnx", std::ios::binary) << file.bytes;
        m_model = formats::open(m_folder / "a.onnx").value();
    }

    std::string errorOf(const std::filesystem::path &path, const Task &task = {})
    {
        const auto written = formats::write(m_model, path, task);
        return written ? "" : written.error().message;
    }

    tests::Folder m_folder;
    ir::Model m_model;
};

TEST_F(Write, leavesNothingOnAFullDisk)
{
    std::ofstream(m_folder / "b.onnx") << "old";
    {
        const FullDisk disk(8192);
        EXPECT_EQ(errorOf(m_folder / "b.onnx"), "could not save the file: File too large");
        EXPECT_EQ(errorOf(m_folder / "c.onnx"), "could not save the file: File too large");
    }
    EXPECT_EQ(std::filesystem::file_size(m_folder / "b.onnx"), 3u);
    EXPECT_EQ(m_folder.fileCount(), 2);
}

TEST_F(Write, needsAFolderThatIsThere)
{
    EXPECT_EQ(errorOf(m_folder / "none" / "b.onnx"), "could not save the file: No such file or directory");
    EXPECT_EQ(errorOf(m_folder / "none" / "b.json"), "could not save the file: No such file or directory");
}

TEST_F(Write, needsAFolderThatCanBeWrittenTo)
{
    if (geteuid() == 0)
        GTEST_SKIP() << "root may write to every folder";
    std::filesystem::permissions(m_folder.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_EQ(errorOf(m_folder / "b.onnx"), "could not save the file: Permission denied");
}

TEST_F(Write, doesNotTakeThePlaceOfAFolder)
{
    std::filesystem::create_directory(m_folder / "b.onnx");
    EXPECT_EQ(errorOf(m_folder / "b.onnx"), "could not save the file: Is a directory");
    EXPECT_EQ(m_folder.fileCount(), 2);
}

TEST_F(Write, stopsWhenAsked)
{
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(errorOf(m_folder / "b.onnx", {stop.get_token(), {}}), "cancelled");
    EXPECT_EQ(m_folder.fileCount(), 1);
}

/// ONNX has one name for one value, so that one of two inputs of a name would be called otherwise.
TEST_F(Write, replacesNothingByAFileThatDoesNotReadBackAsTheModel)
{
    std::ofstream(m_folder / "b.onnx") << "old";
    ir::Function &function = m_model.functions.front();
    for (int i = 0; i < 2; ++i) {
        const ir::NameId name = m_model.context->name("x");
        const ir::ValueId value = function.graph.addInput(ir::Graph::body, name, {});
        function.inputs.push_back({name, ir::FunctionInput::Kind::User, value, {}, {}});
    }
    EXPECT_EQ(errorOf(m_folder / "b.onnx"),
              "the file was not written, since it would not read back as the model: the input x is called x_1");
    EXPECT_EQ(std::filesystem::file_size(m_folder / "b.onnx"), 3u);
    EXPECT_EQ(m_folder.fileCount(), 2);
}

TEST_F(Write, knowsItsFormatsBySuffix)
{
    EXPECT_EQ(errorOf(m_folder / "b.pb"), "models are written as .onnx, .pt2 or .json");
    EXPECT_EQ(errorOf(m_folder / "b.pt"), "models are written as .onnx, .pt2 or .json");
    EXPECT_EQ(errorOf(m_folder / "b.pt2"),
              "a model that was read from onnx cannot be written as PyTorch exported program; convert it first");
    EXPECT_EQ(m_folder.fileCount(), 1);
}

TEST_F(Write, everyModelIsWrittenAsJsonAndOpened)
{
    std::filesystem::create_directory(m_folder / "in");
    ASSERT_EQ(errorOf(m_folder / "in" / "b.json"), "");
    auto read = formats::open(m_folder / "in" / "b.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(std::exchange(read->format, m_model.format), "json");
    EXPECT_EQ(tests::difference(tests::contentText(*read), tests::contentText(m_model)),
              ""); // the weights' elements too
}

TEST_F(Write, jsonThatMovedWithItsWeightsIsOpened)
{
    ASSERT_EQ(errorOf(m_folder / "b.json"), "");
    const tests::Folder other;
    for (const char *file : {"a.onnx", "b.json"})
        std::filesystem::rename(m_folder / file, other / file);
    const auto read = formats::open(other / "b.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(ir::firstElements(*read, ir::TensorId{0}, 1), ir::firstElements(m_model, ir::TensorId{0}, 1));
}

struct BadJson {
    const char *name;
    const char *text;
    const char *error;
};

void PrintTo(const BadJson &row, std::ostream *out) { *out << row.name; }

class OpenJson : public testing::TestWithParam<BadJson> { };

TEST_P(OpenJson, refuses)
{
    const tests::Folder folder;
    std::ofstream(folder / "a.json") << GetParam().text;
    const auto read = formats::open(folder / "a.json");
    ASSERT_FALSE(read);
    EXPECT_TRUE(read.error().text().contains(GetParam().error)) << read.error().text();
}

constexpr BadJson badJson[] = {
    {"AnotherSchema", R"({"schema": "cutaway.ir/2", "model": {}})", "the schema is 'cutaway.ir/2'"},
    {"AnotherDocument", R"({"nodes": []})", "a JSON text"},
    {"CutOff", R"({"schema": "cutaway.ir/1", "model": {)", "JSON"},
};

INSTANTIATE_TEST_SUITE_P(Rows, OpenJson, testing::ValuesIn(badJson),
                         [](const auto &row) { return std::string(row.param.name); });

} // namespace
