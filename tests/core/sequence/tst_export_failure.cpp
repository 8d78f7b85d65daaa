// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of failed exports.
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/sequence/address.h"
#include "core/sequence/facts/export_failure.h"
#include "tests/core/sequence/small_log.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

using sequence::ExportFailure;

/// A recording of as many graphs, with the record of the failure.
sequence::Found found(std::string_view told, int graphs)
{
    std::string log = record(R"("cutaway_recording": {"version": 1})", R"("rank": 0)");
    log += record(R"("cutaway_export_failure": {})", R"("rank": 0)", told);
    for (int i = 0; i < graphs; ++i)
        log += record(R"("cutaway_step": {"name": "strict"})", R"("rank": 0)",
                      formatted("class Net(torch.nn.Module):\n    def forward(self, x: \"f32[4]\"):\n"
                                "        a{}: \"f32[4]\" = torch.relu(x)\n        return (a{},)",
                                i, i));
    const TemporaryFolder folder = *TemporaryFolder::make();
    const std::string path = folder.path() / "Net-export.cutaway";
    EXPECT_TRUE(writeWholeFile(path, log));
    auto found = sequence::find(std::span(&path, 1));
    EXPECT_TRUE(found) << found.error().text();
    return found ? *std::move(found) : sequence::Found(sequence::Document());
}

std::optional<ExportFailure> failureIn(std::string_view told, int graphs = 2)
{
    const sequence::Found all = found(told, graphs);
    const auto *sequence = std::get_if<sequence::Sequence>(&all);
    EXPECT_TRUE(sequence) << "it is stepped through, not listed";
    return sequence ? sequence::exportFailureOf(*sequence) : std::nullopt;
}

constexpr const char *whole = R"({"model": "Net", "reason": "it branches", "advice": ["use cond", "or where"],
"place": {"file": "net.py", "line": 8, "function": "forward", "code": "if y:", "first_around": 7, "around": ["y = x", "if y:"]},
"attempts": [{"how": "strict", "outcome": "after 1 node", "message": "all", "has_graph": true},
             {"how": "non-strict", "outcome": "at once", "message": "", "has_graph": false},
             {"how": "draft", "outcome": "a graph", "message": "report", "has_graph": true}]})";

TEST(ExportFailure, isReadWithItsLineAndTheStepsOfItsAttempts)
{
    const auto failure = failureIn(whole);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->model, "Net");
    EXPECT_EQ(failure->reason, "it branches");
    EXPECT_EQ(failure->advice, (std::vector<std::string>{"use cond", "or where"}));
    ASSERT_TRUE(failure->place);
    EXPECT_EQ(failure->place->line, 8u);
    EXPECT_EQ(failure->place->firstAround, 7u);
    EXPECT_EQ(failure->place->around, (std::vector<std::string>{"y = x", "if y:"}));
    ASSERT_EQ(failure->attempts.size(), 3u);
    EXPECT_EQ(failure->attempts[0].step, std::optional<std::size_t>(0));
    EXPECT_EQ(failure->attempts[1].step, std::nullopt);
    EXPECT_EQ(failure->attempts[2].step, std::optional<std::size_t>(1));
    EXPECT_EQ(failure->attempts[2].message, "report");
}

TEST(ExportFailure, ofOneGraphIsAStepNotAModelAlone) { EXPECT_TRUE(failureIn(whole, 1)); }

TEST(ExportFailure, isFoundWithoutAGraph)
{
    const auto failure = failureIn(whole, 0);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->attempts.size(), 3u);
    EXPECT_EQ(failure->attempts[0].step, std::nullopt);
}

TEST(ExportFailure, claimsNoMoreGraphsThanThereAre)
{
    const auto failure = failureIn(whole, 1);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->attempts[2].step, std::nullopt);
}

/// A page could tell nothing, so the log is listed with its messages.
TEST(ExportFailure, thatIsDamagedIsNoPageWithoutAGraph)
{
    EXPECT_TRUE(std::holds_alternative<sequence::Document>(found("[1, 2]", 0)));
}

struct DamagedRow {
    const char *name, *told;
    bool isFailure;
};

class Damaged : public testing::TestWithParam<DamagedRow> { };

TEST_P(Damaged, isReadAsFarAsItCan)
{
    const auto failure = failureIn(GetParam().told);
    EXPECT_EQ(failure.has_value(), GetParam().isFailure);
    EXPECT_TRUE(!failure || (failure->attempts.empty() && failure->advice.empty() && failure->model.empty()));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Damaged,
    testing::Values(DamagedRow{"noJson", "{\"model\": ", false}, DamagedRow{"noObject", "[1, 2]", false},
                    DamagedRow{"nothing", "{}", true},
                    DamagedRow{"otherTypes", R"({"model": 1, "place": [], "advice": {"a": 1}, "attempts": "x"})", true},
                    DamagedRow{"otherItems", R"({"advice": [1, null], "attempts": [1, "a", []]})", true}),
    [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::test
