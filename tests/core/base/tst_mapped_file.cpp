// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/mapped_file.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace cutaway {
namespace {

class MappedFileTest : public testing::Test {
protected:
    MappedFileTest()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "cutaway-XXXXXX").string();
        m_folder = ::mkdtemp(pattern.data());
    }
    ~MappedFileTest() override { std::filesystem::remove_all(m_folder); }

    std::filesystem::path write(const std::string &name, const std::string &content) const
    {
        std::ofstream(m_folder / name) << content;
        return m_folder / name;
    }

    std::filesystem::path m_folder;
};

TEST_F(MappedFileTest, ShowsTheBytes)
{
    auto file = MappedFile::open(write("a", "hello"));
    ASSERT_TRUE(file);
    const MappedFile moved = std::move(*file);
    EXPECT_EQ(moved.bytes().size(), 5u);
    EXPECT_EQ(moved.bytes()[1], std::byte{'e'});
}

TEST_F(MappedFileTest, OpensAnEmptyFile)
{
    const auto file = MappedFile::open(write("empty", ""));
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->bytes().empty());
}

TEST_F(MappedFileTest, RefusesWhatIsNoRegularFile)
{
    const auto fifo = m_folder / "fifo";
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    struct Row {
        std::filesystem::path path;
        const char *says;
    };
    for (const Row &row : {Row{m_folder, "folder"}, Row{fifo, "pipe"}, Row{"/dev/null", "not a regular file"},
                           Row{m_folder / "none", "No such file"}}) {
        const auto file = MappedFile::open(row.path);
        ASSERT_FALSE(file) << row.path;
        EXPECT_NE(file.error().message.find(row.says), std::string::npos) << file.error().message;
    }
}

} // namespace
} // namespace cutaway
