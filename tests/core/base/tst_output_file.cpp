// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/output_file.h"

#include "core/base/temporary_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace cutaway::test {
namespace {

std::string contentOf(const std::filesystem::path &path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

class OutputFiles : public ::testing::Test {
protected:
    TemporaryFolder m_folder = TemporaryFolder::make().value();
    std::filesystem::path m_path = m_folder.path() / "file";
};

TEST_F(OutputFiles, haveWhatWasWritten)
{
    OutputFile file(m_path);
    file.write("one ");
    file.write("two");
    EXPECT_EQ(file.size(), 7u);
    ASSERT_TRUE(file.close());
    EXPECT_EQ(contentOf(m_path), "one two");
}

TEST_F(OutputFiles, takeThePlaceOfOldOnes)
{
    std::ofstream(m_path) << "an old and longer text";
    OutputFile file(m_path);
    file.write("new");
    ASSERT_TRUE(file.close());
    EXPECT_EQ(contentOf(m_path), "new");
}

TEST_F(OutputFiles, holdMoreThanABuffer)
{
    std::string text(3'000'000, 'a');
    text += "end";
    OutputFile file(m_path);
    file.write("begin");
    file.write(text);
    EXPECT_EQ(file.size(), text.size() + 5);
    ASSERT_TRUE(file.close());
    EXPECT_EQ(contentOf(m_path), "begin" + text);
}

TEST_F(OutputFiles, sayWhyTheyCannotBeWritten)
{
    OutputFile file(m_folder.path() / "none" / "file");
    EXPECT_TRUE(file.failed());
    file.write("nowhere");
    const auto closed = file.close();
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().kind, ErrorKind::Backend);
    EXPECT_TRUE(closed.error().text().contains("none/file")) << closed.error().text();
}

TEST(OutputFileOnAFullDisk, keepsTheFirstFailure)
{
    if (!std::filesystem::exists("/dev/full"))
        GTEST_SKIP();
    OutputFile file("/dev/full");
    const std::string text(2'000'000, 'a'); // more than the buffer
    file.write(text);
    EXPECT_TRUE(file.failed());
    EXPECT_FALSE(file.close());
}

} // namespace
} // namespace cutaway::test
