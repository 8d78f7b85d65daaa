// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The meaning of addresses that a user gives.
#include "core/base/overloaded.h"
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/ir/context.h"
#include "core/sequence/address.h"
#include "core/sequence/mapping.h"
#include "tests/core/sequence/small_log.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

constexpr const char *oneGraph = "class GraphModule(torch.nn.Module):\n"
                                 "    def forward(self, x: \"f32[4]\"):\n"
                                 "        a: \"f32[4]\" = torch.ops.aten.relu.default(x)\n"
                                 "        return (a,)\n";

std::string textOf(const Result<sequence::Found> &found)
{
    if (!found)
        return "error: " + found.error().message;
    return std::visit(
        Overloaded{
            [](const ir::Model &model) { return "model " + std::filesystem::path(model.path).filename().string(); },
            [](const sequence::Sequence &sequence) { return formatted("sequence of {}", sequence.steps.size()); },
            [](const sequence::Document &document) { return formatted("document of {}", document.sequences.size()); }},
        *found);
}

class Address : public testing::Test {
protected:
    std::string write(const std::string &name, const std::string &content)
    {
        const std::string path = m_folder.path() / name;
        EXPECT_TRUE(writeWholeFile(path, content));
        return path;
    }
    static std::string find(std::vector<std::string> sources) { return textOf(sequence::find(sources)); }

    TemporaryFolder m_folder = *TemporaryFolder::make();
};

TEST_F(Address, aTextWithOneGraphIsAModel) { EXPECT_EQ(find({write("a.py", oneGraph)}), "model a.py"); }

TEST_F(Address, aTextWithTwoGraphsIsASequence)
{
    EXPECT_EQ(find({write("a.txt", std::string(oneGraph) + "\n" + oneGraph)}), "sequence of 2");
}

TEST_F(Address, filesInARowAreASequence)
{
    EXPECT_EQ(find({write("a.py", oneGraph), write("b.py", oneGraph)}), "sequence of 2");
}

TEST_F(Address, aLogIsADocument) { EXPECT_EQ(find({write("run.log", smallLog())}), "document of 5"); }

TEST_F(Address, aLogWithoutAGraphIsADocumentWhereItTellsOfCompilations)
{
    const std::string log = record(R"("dynamo_start": {"stack": []})", R"("frame_id": 0, "frame_compile_id": 0)")
        + record(R"("dynamo_start": {"stack": []})", R"("frame_id": 1, "frame_compile_id": 0)");
    EXPECT_EQ(find({write("run.log", log)}), "document of 2");
}

TEST_F(Address, partsOfALogHaveAddresses)
{
    const std::string log = write("run.log", smallLog());
    const auto document = sequence::read(std::span(&log, 1));
    ASSERT_TRUE(document);
    EXPECT_EQ(sequence::addressOf(*document, 1), log + "#0/0_1");
    EXPECT_EQ(sequence::addressOf(*document, 2), log + "#0/0_1/backward");
    EXPECT_EQ(find({log + "#0/0_1"}), "sequence of 6");
    EXPECT_EQ(find({log + "#0/0_1/backward"}), "sequence of 2");
    EXPECT_EQ(find({log + "#0/0_1/aot_joint_graph"}), "model aot_joint_graph");
}

class Page : public Address {
protected:
    /// A page of tlparse without its log, of one compilation.
    Page()
    {
        std::filesystem::create_directories(m_folder.path() / "page/-_0_0_0");
        write("page/compile_directory.json", "{}");
        write("page/-_0_0_0/dynamo_output_graph_0.txt", oneGraph);
        write("page/-_0_0_0/inductor_post_grad_graph_1.txt",
              "class GraphModule(torch.nn.Module):\n"
              "    def forward(self, x: \"f32[4]\"):\n"
              "        b: \"f32[4]\" = torch.ops.aten.sigmoid.default(x)\n"
              "        return (b,)\n");
        write("page/-_0_0_0/inductor_provenance_tracking_node_mappings_2.json", R"({"postToPre": {"b": ["a"]}})");
    }

    std::string m_page = m_folder.path() / "page";
};

TEST_F(Page, tellsWhereItsNodesComeFrom)
{
    const auto mapping =
        sequence::mapAddresses(m_page + "#0/0/dynamo_output_graph", m_page + "#0/0/inductor_post_grad_graph", true);
    ASSERT_TRUE(mapping) << mapping.error().text();
    ASSERT_EQ(mapping->pairs.size(), 1U);
    EXPECT_EQ(mapping->pairs.front().from, std::vector<std::string>{"a"});
    EXPECT_EQ(mapping->pairs.front().how, sequence::How::Provenance);
}

TEST_F(Page, isReadUntilThatIsCancelled)
{
    std::stop_source stop;
    stop.request_stop();
    const auto document = sequence::read(std::span(&m_page, 1), {.stop = stop.get_token(), .progress = {}});
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().kind, ErrorKind::Cancelled);
}

std::string weightsOf(const ir::Model &model)
{
    std::string text;
    for (const ir::FunctionInput &input : model.functions.front().inputs)
        if (input.tensor)
            text += formatted("{}{} {}", text.empty() ? "" : ", ", model.context->text(input.name),
                              model.context->text(input.target));
    return text;
}

/// Dynamo names the inputs of a compilation; the graphs behind it have numbers.
struct TracedRow {
    std::string name;
    std::string inputs; ///< the inputs of the joint graph
    std::string expected;
};

class Traced : public Address, public testing::WithParamInterface<TracedRow> { };

TEST_P(Traced, inputsAreWeightsWhereDynamoNamesThem)
{
    constexpr std::string_view id = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 0)";
    constexpr std::string_view dynamo =
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, L_self_modules_up_parameters_weight_: \"f32[8, 8]\", s0: \"Sym(s0)\", "
        "L_x_: \"f32[s0, 8]\", L_self_modules_up_buffers_mean_: \"f32[8]\"):\n"
        "        l_x_ = L_x_\n"
        "        a: \"f32[s0, 8]\" = torch.relu(l_x_)\n"
        "        return (a,)";
    const auto graph = [](std::string_view inputs) {
        return formatted("class GraphModule(torch.nn.Module):\n    def forward(self, {}):\n"
                         "        neg = torch.ops.aten.neg.default(primals_4)\n        return (neg,)",
                         inputs);
    };
    const std::string log = write(
        "run.log",
        record(R"("dynamo_output_graph": {})", id, dynamo)
            + record(R"("aot_joint_graph": {})", id, graph(GetParam().inputs))
            + record(R"("aot_backward_graph": {})", id, graph("primals_1: \"f32[8, 8]\", primals_4: \"f32[8]\"")));
    const auto joint = sequence::open(log + "#0/0/aot_joint_graph");
    const auto backward = sequence::open(log + "#0/0/backward/aot_backward_graph");
    ASSERT_TRUE(joint && backward);
    EXPECT_EQ(weightsOf(*joint), GetParam().expected);
    EXPECT_EQ(weightsOf(*backward), GetParam().expected);
}

TEST_F(Address, aGraphsOwnCommentIsBeforeDynamosName)
{
    constexpr std::string_view id = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 0)";
    const std::string log = write(
        "run.log",
        record(R"("dynamo_output_graph": {})", id,
               "class GraphModule(torch.nn.Module):\n"
               "    def forward(self, L_self_modules_up_parameters_weight_: \"f32[8]\"):\n"
               "        a: \"f32[8]\" = torch.relu(L_self_modules_up_parameters_weight_)\n        return (a,)")
            + record(R"("aot_joint_graph": {})", id,
                     "class inner_f(torch.nn.Module):\n    def forward(\n        self,\n        primals,\n    ):\n"
                     "        primals_1: \"f32[8]\"  # ParamAOTInput(target='down.weight')\n"
                     "        primals_1, = fx_pytree.tree_flatten_spec([primals], self._in_spec)\n"
                     "        neg = torch.ops.aten.neg.default(primals_1)\n        return (neg,)"));
    const auto joint = sequence::open(log + "#0/0/aot_joint_graph");
    ASSERT_TRUE(joint) << joint.error().text();
    EXPECT_EQ(weightsOf(*joint), "primals_1 down.weight");
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Traced,
    testing::Values(
        TracedRow{"inItsOrder",
                  "primals_1: \"f32[8, 8][8, 1]cpu\", primals_2: \"Sym(s0)\", primals_3: \"f32[s0, 8]\", "
                  "primals_4: \"f32[8]\", tangents_1: \"f32[8]\"",
                  "primals_1 up.weight, primals_4 up.mean"},
        TracedRow{"unlessASizeDiffers",
                  "primals_1: \"f32[8, 8]\", primals_2: \"Sym(s0)\", primals_3: \"f32[s0, 8]\", primals_4: \"f32[4]\"",
                  ""},
        TracedRow{"unlessOneIsMissing", "primals_1: \"f32[8, 8]\", primals_3: \"f32[s0, 8]\", primals_4: \"f32[8]\"",
                  ""}),
    [](const auto &row) { return row.param.name; });

TEST_F(Address, whatHoldsNoGraphIsAnError)
{
    EXPECT_TRUE(find({write("letter.txt", "Dear all,\n")}).starts_with("error: no graph was found"));
    EXPECT_TRUE(find({write("run.log", smallLog()) + "#7/7"}).starts_with("error: there is no step '7/7'"));
    EXPECT_TRUE(find({(m_folder.path() / "none.log").string()}).starts_with("error: "));
    const auto opened =
        sequence::open(write("guards.log", record(R"("dynamo_start": {"stack": []})", R"("frame_id": 0)")));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().message, "it is a log, and holds no graph");
}

} // namespace
} // namespace cutaway::test
