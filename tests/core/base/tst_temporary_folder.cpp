// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>

namespace cutaway::test {
namespace {

TEST(TemporaryFolder, isGoneWithTheObjectAndAllInIt)
{
    std::filesystem::path path;
    {
        const auto folder = TemporaryFolder::make();
        ASSERT_TRUE(folder);
        path = folder->path();
        std::filesystem::create_directory(path / "inner");
        std::ofstream(path / "inner" / "file") << "text";
        EXPECT_TRUE(std::filesystem::is_directory(path));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFolder, isAnotherEachTime)
{
    const auto a = TemporaryFolder::make(), b = TemporaryFolder::make();
    ASSERT_TRUE(a && b);
    EXPECT_NE(a->path(), b->path());
}

TEST(TemporaryFolder, belongsToWhatItWasMovedTo)
{
    std::optional<TemporaryFolder> first(*TemporaryFolder::make());
    const TemporaryFolder second = std::move(*first);
    first.reset();
    EXPECT_TRUE(std::filesystem::exists(second.path()));
}

} // namespace
} // namespace cutaway::test
