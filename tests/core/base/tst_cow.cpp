// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cow.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace cutaway::test {
namespace {

using Text = Cow<std::string>;

TEST(Cow, holdsNothingByDefaultOrWhereThereIsNothing)
{
    for (const Text &empty : {Text(), Text(nullptr), Text(std::nullopt), Text(std::optional<std::string>())}) {
        EXPECT_FALSE(empty);
        EXPECT_EQ(empty, Text());
        EXPECT_EQ(std::optional<std::string>(empty), std::nullopt);
    }
}

TEST(Cow, sharesItsValueUntilACopyIsEdited)
{
    Text first = std::string("as made");
    Text second = first;
    EXPECT_EQ(&*first, &*second);
    second.edit() += ", and edited";
    EXPECT_EQ(*first, "as made");
    EXPECT_EQ(*second, "as made, and edited");
    const std::string *place = &*second;
    second.edit() = "in place";
    EXPECT_EQ(&*second, place) << "nobody else sees it, so there is no copy";
}

TEST(Cow, comparesValues)
{
    EXPECT_EQ(Text(std::string("same")), Text(std::string("same")));
    EXPECT_NE(Text(std::string("one")), Text(std::string("other")));
    EXPECT_NE(Text(std::string("one")), Text());
}

TEST(Cow, isCountedInSeveralThreads)
{
    const Text shared = std::string(100, 'x');
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([shared] {
            for (int k = 0; k < 10'000; ++k) {
                Text own = shared;
                if (k % 100 == 0)
                    own.edit().clear();
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(*shared, std::string(100, 'x'));
}

} // namespace
} // namespace cutaway::test
