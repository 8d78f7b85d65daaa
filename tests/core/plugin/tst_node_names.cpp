// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/plugin/node_names.h"
#include "core/protocol/made_names.h"

#include <gtest/gtest.h>

namespace cutaway::plugin {

namespace {

/// x → Conv "/stem/conv" → "c" → Relu "/stem/relu" → "r" → Add "/stem/relu_1" → "s"
struct Net {
    Net() : function(makeFunction())
    {
        ir::ValueId last = function.graph.addInput(ir::Graph::body, context().name("x"), {});
        for (const auto &[op, name, result] :
             {std::tuple("Conv", "/stem/conv", "c"), std::tuple("Relu", "/stem/relu", "r"),
              std::tuple("Add", "/stem/relu_1", "s")}) {
            ir::NodeDraft draft;
            draft.op = context().op("onnx", op);
            draft.name = context().name(name);
            draft.arguments.push_back({{}, ir::Operand{last}});
            last = function.graph.addOutput(function.graph.append(ir::Graph::body, std::move(draft)),
                                            context().name(result), {});
        }
    }
    ir::Context &context() const { return *model.context; }
    ir::Function makeFunction() const
    {
        return {model.context->name("main"), ir::Function::Kind::Main, ir::Graph(model.context), {}, {}, {}, {}};
    }

    ir::Model model;
    ir::Function function;
};

struct BackendNameRow {
    const char *label;
    const char *name, *op;
    std::vector<std::uint32_t> nodes;
};

class BackendNames : public testing::TestWithParam<BackendNameRow> { };

TEST_P(BackendNames, leadToTheNodes)
{
    const Net net;
    std::vector<std::uint32_t> found;
    for (const ir::NodeId node : NodeNames(net.function).find(GetParam().name, GetParam().op))
        found.push_back(node.index);
    EXPECT_EQ(found, GetParam().nodes);
}

INSTANTIATE_TEST_SUITE_P(Rows, BackendNames,
                         testing::Values(BackendNameRow{"ItsOwn", "/stem/conv", "Conv", {0}},
                                         BackendNameRow{"TheLongestThatIsThere", "/stem/relu_1", "Add", {2}},
                                         BackendNameRow{"Fused", "fused /stem/conv", "FusedConv", {0}},
                                         BackendNameRow{"OfTheLastPart", "r_nchwc", "Conv", {0, 1}},
                                         BackendNameRow{"OfAResult", "s", "Add", {2}},
                                         BackendNameRow{"WithASuffix", "/stem/conv/Fusion/", "Other", {0}},
                                         BackendNameRow{"WithinAWord", "/stem/convolved", "Conv", {}},
                                         BackendNameRow{"OfNothing", "ReorderOutput_token_13", "ReorderOutput", {}},
                                         BackendNameRow{"Empty", "", "Conv", {}}),
                         [](const auto &row) { return row.param.label; });

struct Unnamed {
    std::string_view name, result;
};

/// Relu nodes one after the other.
ir::Function chainOf(ir::Model &model, std::initializer_list<Unnamed> nodes)
{
    ir::Context &context = *model.context;
    ir::Function function{context.name("main"), ir::Function::Kind::Main, ir::Graph(model.context), {}, {}, {}, {}};
    ir::ValueId last = function.graph.addInput(ir::Graph::body, context.name("x"), {});
    for (const Unnamed &each : nodes) {
        ir::NodeDraft draft;
        draft.op = context.op("onnx", "Relu");
        draft.name = context.name(each.name);
        draft.arguments.push_back({{}, ir::Operand{last}});
        last = function.graph.addOutput(function.graph.append(ir::Graph::body, std::move(draft)),
                                        context.name(each.result), {});
    }
    return function;
}

TEST(MadeNames, leadToNodesWithoutANameOfTheirOwn)
{
    ir::Model model;
    const ir::Function function =
        chainOf(model, {{"", "a b"}, {"Relu_2", "b"}, {"", "c"}, {"twice", "d"}, {"twice", "e"}, {"\"", "c"}});
    const NodeNames names(function);
    const auto found = [&](const std::string &name) {
        const auto nodes = names.find(name, "Relu");
        return nodes.size() == 1 ? static_cast<int>(nodes.front().index) : -1;
    };
    EXPECT_EQ(found(protocol::madeName("a b", 1)), 0);
    EXPECT_EQ(found(protocol::madeName("c", 1)), 2);
    EXPECT_EQ(found(protocol::madeName("c", 2) + "_nchwc"), 5);
    EXPECT_EQ(found(protocol::madeName("d", 1)), 3);
    EXPECT_EQ(found(protocol::madeName("e", 1)), 4);
    EXPECT_EQ(found(protocol::madeName("b", 1)), -1) << "this one has a name";
    EXPECT_EQ(found("Relu_2"), 1);
}

} // namespace

} // namespace cutaway::plugin
