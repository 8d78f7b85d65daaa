// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"
#include "core/convert/lowered_part.h"
#include "core/formats/format.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "core/run/lowered/lowered.h"
#include "core/run/lowered/stages.h"

#include <gtest/gtest.h>

namespace cutaway::run {

namespace {

struct LoweredRow {
    const char *name;
    const char *nodes;           ///< nodes on x: float32[2, 3], with one group
    std::vector<bool> isLowered; ///< by stage
};

class Lowered : public testing::TestWithParam<LoweredRow> {
protected:
    Lowered() : m_model(*ir::parseText(std::string("graph @forward(%x: float32[2, 3]) {\n") + GetParam().nodes + "}\n"))
    {
    }

    /// Writes the group's part and makes it a lowered node.
    void lower()
    {
        const ir::Graph &graph = m_model.at(main).graph;
        for (const ir::NodeRef node : ir::nodesOf(graph)) {
            if (node->regions.empty())
                continue;
            const auto part = convert::loweredPart(m_model, main, node, analysis::inferShapes(m_model, main));
            ASSERT_TRUE(part) << part.error().text();
            const auto written = formats::write(part->model, m_folder.path() / "part.onnx");
            ASSERT_TRUE(written) << written.error().text();
            convert::setLowered(m_model, main, *part, {evaluatorName, "", "part.onnx"});
            break;
        }
        m_model.path = (m_folder.path() / "model.json").string();
        EXPECT_EQ(ir::verify(m_model), std::vector<std::string>());
    }

    static constexpr ir::FunctionId main{0};
    ir::Model m_model;
    TemporaryFolder m_folder = TemporaryFolder::make().value();
};

TEST_P(Lowered, computesWhatTheWholeDoes)
{
    const auto inputs = makeInputs(m_model, main, {}, {}, 1);
    ASSERT_TRUE(inputs) << inputs.error().text();
    const auto expected = evaluatorBackend()->run({m_model, main, {}}, *inputs, {});
    ASSERT_TRUE(expected) << expected.error().text();
    lower();
    const auto stages = stagesOf(m_model.at(main));
    ASSERT_TRUE(stages) << stages.error().text();
    std::vector<bool> isLowered;
    for (const Stage &stage : *stages)
        isLowered.push_back(stage.isLowered);
    EXPECT_EQ(isLowered, GetParam().isLowered);
    const auto backend = withLoweredParts(evaluatorBackend(), "local", {});
    const auto found = backend->run({m_model, main, {}}, *inputs, {});
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->outputs.size(), expected->outputs.size());
    for (std::size_t i = 0; i < found->outputs.size(); ++i) {
        EXPECT_EQ(found->outputs[i].name, expected->outputs[i].name);
        const auto *a = std::get_if<protocol::Tensor>(&found->outputs[i].content);
        const auto *b = std::get_if<protocol::Tensor>(&expected->outputs[i].content);
        ASSERT_TRUE(a && b);
        EXPECT_EQ(*a, *b);
    }
}

TEST_P(Lowered, isMissingWithoutItsFile)
{
    lower();
    std::filesystem::remove(m_folder.path() / "part.onnx");
    const auto inputs = makeInputs(m_model, main, {}, {}, 1);
    const auto found = withLoweredParts(evaluatorBackend(), "local", {})->run({m_model, main, {}}, *inputs, {});
    ASSERT_FALSE(found);
    EXPECT_TRUE(found.error().text().contains("part.onnx")) << found.error().text();
}

TEST_P(Lowered, staysInTheFolderOfTheModel)
{
    const ir::Graph &graph = m_model.at(main).graph;
    for (const ir::NodeRef node : ir::nodesOf(graph))
        if (!node->regions.empty()) {
            convert::LoweredPart part;
            part.group = node;
            convert::setLowered(m_model, main, part, {evaluatorName, "", "../part.onnx"});
            EXPECT_FALSE(readLowered(m_model, {m_model.at(main).graph, part.group}));
            break;
        }
}

INSTANTIATE_TEST_SUITE_P(Rows, Lowered,
                         testing::Values(LoweredRow{"inTheMiddle",
                                                    "  %a: float32[2, 3] = aten::neg(self=%x)\n"
                                                    "  %b: float32[2, 3] = cutaway::partition() name \"partition_0\"\n"
                                                    "    region \"partition_0\" {\n"
                                                    "      %c: float32[2, 3] = aten::relu(self=%a)\n"
                                                    "      %d: float32[2, 3] = aten::add.Tensor(self=%c, other=%x)\n"
                                                    "      return %d\n"
                                                    "    }\n"
                                                    "  %r: float32[2, 3] = aten::mul.Tensor(self=%b, other=%a)\n"
                                                    "  return %r, %b, %x\n",
                                                    {false, true, false}},
                                         LoweredRow{
                                             "withListsAround",
                                             "  %p: list<tensor[*]> = aten::split.Tensor(self=%x, split_size=1)\n"
                                             "  %b: float32[2, 3] = cutaway::partition() name \"partition_0\"\n"
                                             "    region \"partition_0\" {\n"
                                             "      %c: float32[2, 3] = aten::relu(self=%x)\n"
                                             "      return %c\n"
                                             "    }\n"
                                             "  %q: float32[2, 3] = aten::cat(tensors=%p)\n"
                                             "  %r: float32[2, 3] = aten::mul.Tensor(self=%b, other=%q)\n"
                                             "  return %r\n",
                                             {false, true, false}},
                                         LoweredRow{"asAWhole",
                                                    "  %b: float32[2, 3] = cutaway::partition() name \"partition_0\"\n"
                                                    "    region \"partition_0\" {\n"
                                                    "      %c: float32[2, 3] = aten::relu(self=%x)\n"
                                                    "      return %c\n"
                                                    "    }\n"
                                                    "  return %b\n",
                                                    {true}}),
                         [](const auto &row) { return row.param.name; });

TEST(Stages, areNotCutWhereSomethingIsWrittenTo)
{
    const ir::Model model = *ir::parseText("graph @forward(%x: float32[2]) {\n"
                                           "  %a: float32[2] = aten::neg(self=%x)\n"
                                           "  %b: float32[2] = aten::relu_(self=%a)\n"
                                           "  return %b\n}\n");
    EXPECT_FALSE(stagesOf(model.at(ir::FunctionId{0})));
}

} // namespace

} // namespace cutaway::run
