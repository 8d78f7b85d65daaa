// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/whole_file.h"

#include "core/base/temporary_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace cutaway;

namespace {

class WholeFile : public testing::Test {
protected:
    std::string content(const std::string &name) const
    {
        std::stringstream text;
        text << std::ifstream(folder / name, std::ios::binary).rdbuf();
        return text.str();
    }

    auto fileCount() const { return std::distance(std::filesystem::directory_iterator(folder), {}); }

    const TemporaryFolder temporary = TemporaryFolder::make().value();
    const std::filesystem::path folder = temporary.path();
};

TEST_F(WholeFile, takesThePlaceOfAnOldOne)
{
    ASSERT_TRUE(writeWholeFile(folder / "a", "old and longer"));
    ASSERT_TRUE(writeWholeFile(folder / "a", "new"));
    EXPECT_EQ(content("a"), "new");
    EXPECT_EQ(fileCount(), 1);
}

TEST_F(WholeFile, staysAsItWasWhereWritingFails)
{
    ASSERT_TRUE(writeWholeFile(folder / "a", "old"));
    const auto made = makeWholeFile(folder / "a", [](const std::filesystem::path &part) -> Result<void> {
        std::ofstream(part) << "half";
        return unreadable("no more");
    });
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message, "no more");
    EXPECT_EQ(content("a"), "old");
    EXPECT_EQ(fileCount(), 1);
}

TEST_F(WholeFile, needsItsFolder)
{
    const auto written = writeWholeFile(folder / "none" / "a", "text");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::Backend);
    EXPECT_EQ(fileCount(), 0);
}

} // namespace
