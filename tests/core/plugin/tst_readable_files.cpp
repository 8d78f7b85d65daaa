// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/readable_files.h"

#include <fstream>
#include <gtest/gtest.h>

namespace cutaway::plugin {
namespace {

namespace fs = std::filesystem;

/// A folder, gone at the end.
class ReadableFiles : public testing::Test {
protected:
    ReadableFiles()
        : folder(fs::canonical(testing::TempDir())
                 / std::string("readable-").append(testing::UnitTest::GetInstance()->current_test_info()->name()))
    {
        fs::remove_all(folder);
        fs::create_directories(folder / "snapshots" / "1");
        fs::create_directories(folder / "blobs");
        std::ofstream(folder / "blobs" / "6f1d") << "the model";
        fs::create_symlink("../../blobs/6f1d", folder / "snapshots" / "1" / "m.onnx");
    }
    ~ReadableFiles() override { fs::remove_all(folder); }

    fs::path folder;
};

TEST_F(ReadableFiles, KeepTheNameThatTheUserGave)
{
    fs::create_symlink("snapshots", folder / "other");
    EXPECT_EQ(placeOf(folder / "snapshots" / "1" / "m.onnx"), folder / "snapshots" / "1" / "m.onnx");
    EXPECT_EQ(placeOf(folder / "other" / "1" / "m.onnx"), folder / "snapshots" / "1" / "m.onnx");
}

TEST_F(ReadableFiles, NeedTheFoldersThatTheirLinksLeadThrough)
{
    fs::create_symlink("snapshots/1/m.onnx", folder / "chain.onnx");
    EXPECT_EQ(foldersTo(folder / "blobs" / "6f1d"), (std::vector<fs::path>{folder / "blobs"}));
    EXPECT_EQ(foldersTo(folder / "snapshots" / "1" / "m.onnx"),
              (std::vector<fs::path>{folder / "snapshots" / "1", folder / "blobs"}));
    EXPECT_EQ(foldersTo(folder / "chain.onnx"),
              (std::vector<fs::path>{folder, folder / "snapshots" / "1", folder / "blobs"}));
}

TEST_F(ReadableFiles, EndWhereLinksLeadInACircle)
{
    fs::create_symlink("circle", folder / "circle");
    EXPECT_EQ(foldersTo(folder / "circle"), (std::vector<fs::path>{folder}));
}

} // namespace
} // namespace cutaway::plugin
