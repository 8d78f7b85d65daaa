// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/run/profile_comparison.h"

#include <gtest/gtest.h>

namespace cutaway::run {

namespace {

/// A row of nodes "n3" (op::n) and its median; from 5 to 95 % it goes half a second to both sides.
SavedTime row(std::vector<std::uint32_t> ids, double seconds, const std::string &backendName = {})
{
    SavedTime time;
    for (const std::uint32_t id : ids)
        time.parts.push_back({ir::NodeId{id}, "n" + std::to_string(id), "op::n"});
    time.measured.name = backendName;
    time.measured.time = {seconds, seconds - 0.5, seconds + 0.5, 10};
    return time;
}

SavedProfile profile(std::vector<SavedTime> rows)
{
    SavedProfile saved;
    saved.nodes = std::move(rows);
    return saved;
}

/// "0 1 | 2: 3 → 4" are rows 0 and 1 of A and 2 of B, which took 3 and 4 seconds.
std::string print(const ProfileComparison &comparison)
{
    std::string text;
    for (const NodesChange &change : comparison.nodes) {
        for (const std::size_t row : change.a)
            text += std::to_string(row) + " ";
        text += "|";
        for (const std::size_t row : change.b)
            text += " " + std::to_string(row);
        const auto median = [](const std::optional<protocol::Spread> &time) {
            return time ? formatted("{}", time->median) : std::string("none");
        };
        text += formatted(": {} → {}\n", median(change.time.before), median(change.time.after));
    }
    return text;
}

std::string compared(std::vector<SavedTime> before, std::vector<SavedTime> after)
{
    const SavedProfile a = profile(std::move(before)), b = profile(std::move(after));
    const auto same = sameIds(a, b);
    return same ? print(compareProfiles(a, b, *same)) : same.error().text();
}

TEST(ProfileComparisons, matchRowsByTheirNodes)
{
    EXPECT_EQ(compared({row({0}, 1), row({1}, 2)}, {row({1}, 3), row({0}, 4)}), "0 | 1: 1 → 4\n1 | 0: 2 → 3\n");
}

TEST(ProfileComparisons, putTogetherWhatOneSideHasFused)
{
    EXPECT_EQ(compared({row({0}, 1), row({1}, 2), row({2}, 4)}, {row({0, 1}, 2), row({2}, 3)}),
              "0 1 | 0: 3 → 2\n2 | 1: 4 → 3\n");
    EXPECT_EQ(compared({row({0, 1}, 1), row({2, 3}, 2)}, {row({0}, 1), row({1, 2}, 1), row({3}, 1)}),
              "0 1 | 0 1 2: 3 → 3\n"); // as far as the chain of shared nodes goes
}

TEST(ProfileComparisons, keepWhatOnlyOneSideHas)
{
    EXPECT_EQ(compared({row({0}, 1), row({1}, 2)}, {row({0}, 1), row({7}, 5)}),
              "0 | 0: 1 → 1\n1 |: 2 → none\n| 1: none → 5\n");
}

TEST(ProfileComparisons, matchWhatABackendHasMadeByItsName)
{
    EXPECT_EQ(compared({row({}, 1, "reorder"), row({}, 2, "cast")}, {row({}, 3, "reorder"), row({}, 4, "copy")}),
              "0 | 0: 1 → 3\n1 |: 2 → none\n| 1: none → 4\n");
}

TEST(ProfileComparisons, refuseAnIdThatIsAnotherNode)
{
    SavedTime other = row({0}, 1);
    other.parts[0].name = "m0";
    EXPECT_EQ(compared({row({0}, 1)}, {other}),
              "the profiles are of different models, node 0 is 'n0' (op::n) in A and 'm0' (op::n) in B; name both "
              "model files");
}

TEST(ProfileComparisons, takeMatchesOfTwoModels)
{
    const SavedProfile a = profile({row({0}, 1), row({1}, 2)}), b = profile({row({8}, 3), row({9}, 4)});
    EXPECT_EQ(print(compareProfiles(a, b, {{ir::NodeId{0}, ir::NodeId{9}}, {ir::NodeId{1}, ir::NodeId{8}}})),
              "0 | 1: 1 → 4\n1 | 0: 2 → 3\n");
}

} // namespace

} // namespace cutaway::run
