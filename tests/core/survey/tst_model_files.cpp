// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/survey/model_files.h"

#include <gtest/gtest.h>

namespace cutaway::survey {
namespace {

namespace fs = std::filesystem;

class ModelFilesOf : public testing::Test {
protected:
    fs::path file(const std::string &name) const
    {
        fs::create_directories((m_folder.path() / name).parent_path());
        EXPECT_TRUE(writeWholeFile(m_folder.path() / name, "x"));
        return m_folder.path() / name;
    }
    fs::path path(const std::string &name = "") const { return m_folder.path() / name; }

    /// Their names below the folder, with blanks between.
    std::string found(const std::vector<std::string> &named)
    {
        m_found = findModelFiles(named);
        std::string names;
        for (const fs::path &model : m_found.models)
            names += (names.empty() ? "" : " ") + model.lexically_relative(path()).string();
        return names;
    }

    const TemporaryFolder m_folder = TemporaryFolder::make().value();
    ModelFiles m_found;
};

TEST_F(ModelFilesOf, aFolderAreAllInItAndInFoldersInIt)
{
    file("b.onnx");
    file("a/deep/c.pt2");
    file("a/d.pt");
    file("a/readme.md");
    EXPECT_EQ(found({path().string()}), "a/d.pt a/deep/c.pt2 b.onnx");
    EXPECT_EQ(m_found.others, 1u);
    EXPECT_TRUE(m_found.leftOut.empty());
}

TEST_F(ModelFilesOf, linksInCirclesAreFoundOnce)
{
    file("a/b.onnx");
    fs::create_directory_symlink(path(), path("a/again"));
    fs::create_directory_symlink(path("a"), path("other"));
    found({path().string()});
    EXPECT_EQ(m_found.models.size(), 1u);
}

TEST_F(ModelFilesOf, aPatternAreThoseThatFit)
{
    file("a.onnx");
    file("b.onnx");
    file("c.pt");
    EXPECT_EQ(found({path("*.onnx").string()}), "a.onnx b.onnx");
}

TEST_F(ModelFilesOf, aNameAreTakenWhateverItsSuffixAndOnce)
{
    const std::string odd = file("weights.bin").string();
    EXPECT_EQ(found({odd, odd}), "weights.bin");
}

TEST_F(ModelFilesOf, nothingAreToldAsLeftOut)
{
    fs::create_symlink(path("nowhere"), path("broken.onnx"));
    found({path("missing.onnx").string(), path().string()});
    ASSERT_EQ(m_found.leftOut.size(), 2u);
    EXPECT_EQ(m_found.leftOut[0].path, path("missing.onnx"));
    EXPECT_FALSE(m_found.leftOut[0].why.empty());
    EXPECT_EQ(m_found.leftOut[1].path, path("broken.onnx"));
}

TEST(ModelUrls, areToldFromPaths)
{
    for (const char *url : {"https://host/a.onnx", "s3://bucket/zoo/", "simplecache::http://host/a"})
        EXPECT_TRUE(isUrl(url)) << url;
    for (const char *path : {"a.onnx", "/zoo/a.onnx", "zoo/s3://a", "://a", "c:/a", ""})
        EXPECT_FALSE(isUrl(path)) << path;
}

} // namespace
} // namespace cutaway::survey
