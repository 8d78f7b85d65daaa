// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded graphs as states of one history: which nodes stay, and what new ones were made from.
#include "core/sequence/history.h"

#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/ir/text/text.h"
#include "core/passes/blame.h"
#include "core/sequence/kept_nodes.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

struct RecordedRow {
    std::string name;
    std::string before, after; ///< the bodies of two printed graphs of x
    std::string subject;
    std::string event, sentence; ///< the event and its sentence in the second graph
    std::string patterns;
};

class RecordedHistory : public ::testing::TestWithParam<RecordedRow> { };

std::string printedGraph(const std::string &body)
{
    return "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[4, 4]\"):\n" + body + "\n";
}

TEST_P(RecordedHistory, tellsWhatBecameOfNodes)
{
    const auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder);
    const std::string path = folder->path() / "graphs.txt";
    ASSERT_TRUE(writeWholeFile(path, printedGraph(GetParam().before) + printedGraph(GetParam().after)));
    const auto document = sequence::read(std::vector{path});
    ASSERT_TRUE(document) << document.error().text();
    const auto history = sequence::historyOf(document->sequences.front());
    ASSERT_TRUE(history) << history.error().text();
    const auto subject = passes::findSubject(*history, GetParam().subject);
    ASSERT_TRUE(subject) << subject.error().text();
    const auto entries = passes::blameOf(*history, *subject);
    ASSERT_EQ(entries.size(), 2U);
    ASSERT_TRUE(entries[1].event);
    EXPECT_EQ(passes::name(*entries[1].event), GetParam().event);
    EXPECT_EQ(passes::sentence(*history, *subject, entries[1]), GetParam().sentence);
    EXPECT_EQ(diff::lineOf(passes::patternsOf(*history, 1)), GetParam().patterns);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RecordedHistory,
    ::testing::Values(RecordedRow{"aNodeThatStays",
                                  "        a: \"f32[4, 4]\" = torch.ops.aten.relu.default(x)\n"
                                  "        b: \"f32[4, 4]\" = torch.ops.aten.view.default(a, [4, 4])\n"
                                  "        c: \"f32[4, 4]\" = torch.ops.aten.sin.default(b)\n        return (c,)",
                                  "        a: \"f32[4, 4]\" = torch.ops.aten.relu.default(x)\n"
                                  "        c: \"f32[4, 4]\" = torch.ops.aten.sin.default(a)\n        return (c,)",
                                  "a", "kept", "", "view gone"},
                      RecordedRow{"aNodeThatIsGone",
                                  "        a: \"f32[4, 4]\" = torch.ops.aten.relu.default(x)\n"
                                  "        b: \"f32[4, 4]\" = torch.ops.aten.view.default(a, [4, 4])\n"
                                  "        c: \"f32[4, 4]\" = torch.ops.aten.sin.default(b)\n        return (c,)",
                                  "        a: \"f32[4, 4]\" = torch.ops.aten.relu.default(x)\n"
                                  "        c: \"f32[4, 4]\" = torch.ops.aten.sin.default(a)\n        return (c,)",
                                  "b", "gone", "gone, `a` is read instead", "view gone"},
                      RecordedRow{"aNodeThatBecameTwo",
                                  "        s: \"f32[4, 4]\" = torch.ops.aten.silu.default(x)\n        return (s,)",
                                  "        g: \"f32[4, 4]\" = torch.ops.aten.sigmoid.default(x)\n"
                                  "        m: \"f32[4, 4]\" = torch.ops.aten.mul.Tensor(x, g)\n        return (m,)",
                                  "g", "changed", "`s` became `g`, `m`", "silu → sigmoid + mul"},
                      RecordedRow{"twoNodesThatBecameOne",
                                  "        a: \"f32[4, 4]\" = torch.ops.aten.sigmoid.default(x)\n"
                                  "        b: \"f32[4, 4]\" = torch.ops.aten.mul.Tensor(x, a)\n        return (b,)",
                                  "        s: \"f32[4, 4]\" = torch.ops.aten.silu.default(x)\n        return (s,)", "a",
                                  "fused", "`a`, `b` fused into `s`", "sigmoid + mul → silu"}),
    [](const auto &row) { return row.param.name; });

TEST(KeptNodes, haveTheNamesOfTheirResultsWhereTheyHaveNone)
{
    const auto before = ir::parseText("graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::alias(self=%a) "
                                      "%c = aten::relu(self=%b) %d = aten::exp(self=%c) return %d }");
    ASSERT_TRUE(before) << before.error().text();
    const auto after = ir::parseText("graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %c = aten::relu(self=%a) "
                                     "%d = aten::exp(self=%c) return %d }",
                                     before->context);
    ASSERT_TRUE(after) << after.error().text();
    sequence::KeptNodes kept(*before, *after);
    kept.takeSameNames();
    EXPECT_FALSE(kept.isOpen());
    const ir::Model next = kept.continued();
    const auto step = diff::stepDifference(before->functions[0].graph, next.functions[0].graph);
    EXPECT_EQ(step.removed, std::vector{ir::NodeId{1}});
    EXPECT_TRUE(step.added.empty());
}

} // namespace
} // namespace cutaway::test
