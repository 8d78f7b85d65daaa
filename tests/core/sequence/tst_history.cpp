// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs that follow each other, and what each step did as a state of their history, tests/data/histories/*.graph:
// names of nodes that are gone (-), new (+) and others (~, with the name before if it had another).
#include "core/base/formatted.h"
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/ir/names.h"
#include "core/ir/verify.h"
#include "core/sequence/address.h"
#include "core/sequence/history.h"
#include "tests/core/graph_cases.h"
#include "tests/core/sequence/small_log.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

std::string nameIn(const ir::Model &model, ir::NodeId node) { return ir::nameOf({model.functions[0].graph, node}); }

std::string textOf(const passes::Step &step, const ir::Model &before)
{
    using Text = passes::Recorded::Text;
    std::string text = formatted("{}:", step.name());
    for (const ir::NodeId node : step.nodes.removed)
        text += " -" + nameIn(before, node);
    for (const ir::NodeId node : step.nodes.added)
        text += " +" + nameIn(*step.model, node);
    for (const ir::NodeId node : step.nodes.changed) {
        const std::string was = nameIn(before, node), is = nameIn(*step.model, node);
        text += formatted(" ~{}", was == is ? is : formatted("{}({})", is, was));
    }
    const Text recorded = std::get<passes::Recorded>(step.made).text;
    if (!step.isChange)
        text += recorded == Text::Repeated ? " repeated" : " only its text";
    for (const std::string &fault : ir::verify(*step.model))
        text += " FAULT " + fault;
    return text + "\n";
}

Result<sequence::Document> documentOf(const TemporaryFolder &folder, const GraphCase &given)
{
    std::vector<std::string> files;
    for (std::size_t i = 0; i < given.graphs.size(); ++i) {
        files.push_back(folder.path() / formatted("{}.txt", i));
        CUTAWAY_RETURN_IF_ERROR(writeWholeFile(files.back(), given.graphs[i]));
    }
    return sequence::read(files);
}

std::string stepsOf(const GraphCase &given)
{
    const auto folder = TemporaryFolder::make();
    const auto document = folder ? documentOf(*folder, given) : std::unexpected(folder.error());
    const auto history = document ? sequence::historyOf(document->sequences.at(0)) : std::unexpected(document.error());
    if (!history)
        return history.error().text();
    std::string text;
    for (std::size_t i = 0; i < history->steps().size(); ++i)
        text += textOf(history->steps()[i], *history->modelAfter(i));
    return text;
}

const bool hasHistories = forEachCase("Histories", "histories", stepsOf);

TEST(History, readsGraphsWhenTheyAreAskedFor)
{
    const GraphCase given{"",
                          {"graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n",
                           "graph():\n    %y : [num_users=1] = placeholder[target=y]\n    return y\n"},
                          "",
                          {},
                          "",
                          0,
                          {}};
    const auto folder = TemporaryFolder::make();
    const auto document = documentOf(*folder, given);
    auto history = sequence::startOfHistory(document->sequences.at(0));
    ASSERT_TRUE(history);
    EXPECT_TRUE(history->steps().empty());
    ASSERT_EQ(history->unread().size(), 1u);
    EXPECT_EQ(history->unread().front().name, "1.txt");
    std::stop_source stop;
    stop.request_stop();
    history->readNext(Task{stop.get_token(), {}});
    EXPECT_TRUE(history->steps().empty()) << "a step that was cancelled is there";
    history->readNext();
    EXPECT_EQ(history->steps().size(), 1u);
    EXPECT_TRUE(history->unread().empty());
    EXPECT_EQ(history->modelAfter(1)->context, history->modelAfter(0)->context);
}

TEST(History, endsWithTheKernelsOfAGraphThatTheLastStageLeftAsItWas)
{
    constexpr std::string_view id = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 0)";
    constexpr std::string_view graph = "class GraphModule(torch.nn.Module):\n"
                                       "    def forward(self, x: \"f32[4]\"):\n"
                                       "        relu: \"f32[4]\" = torch.ops.aten.relu.default(x)\n"
                                       "        return (relu,)";
    const std::string log = record(R"("aot_forward_graph": {})", id, graph)
        + record(R"("inductor_post_grad_graph": {})", id, graph)
        + record(R"("inductor_output_code": {"filename": "a.py"})", id, "# AOT ID: ['0_inference']")
        + record(R"("artifact": {"name": "inductor_provenance_tracking_node_mappings", "encoding": "json"})", id,
                 R"({"cppCodeToPost": {"cpp_fused_relu_0:1": ["relu"]}, "version": 2.0})");
    const auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder);
    const std::string path = folder->path() / "run.log";
    ASSERT_TRUE(writeWholeFile(path, log));
    const auto document = sequence::read(std::span(&path, 1));
    ASSERT_TRUE(document) << document.error().text();
    const auto history = sequence::historyOf(document->sequences.at(0));
    ASSERT_TRUE(history) << history.error().text();
    ASSERT_EQ(history->steps().size(), 2U);
    EXPECT_FALSE(history->steps()[0].isChange);
    EXPECT_TRUE(history->steps()[1].isDivision());
    EXPECT_EQ(history->steps()[1].description(), "1 kernel in the code that was made of inductor_post_grad_graph");
}

} // namespace
} // namespace cutaway::test
