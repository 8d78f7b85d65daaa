// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/node_ref.h"

#include "tests/core/ir/parsed.h"

namespace cutaway::ir {
namespace {

class NodeRefTest : public testing::Test {
protected:
    NodeRef node(std::uint32_t index) { return {m_model.functions[0].graph, NodeId{index}}; }

    Model m_model = test::parsed(R"(graph @f(%x: float32[2, 3], %n: int) {
  %y = aten::add_.Tensor(%x, %x, alpha = 2) name "sum"
  %a, %b = onnx::Split(none, %y, num_outputs = 2)
  %c = ai.onnx.ml::Scaler(%a)
  return %b, %c
})");
};

TEST_F(NodeRefTest, saysItsOperator)
{
    EXPECT_EQ(node(0).dialect(), "aten");
    EXPECT_EQ(node(0).opName(), "add_");
    EXPECT_EQ(node(0).overload(), "Tensor");
    EXPECT_EQ(node(0).fullName(), "aten::add_.Tensor");
    EXPECT_EQ(node(0).name(), "sum");
    EXPECT_EQ(node(1).overload(), "");
}

TEST_F(NodeRefTest, everyDomainOfOnnxIsOnnx)
{
    EXPECT_FALSE(node(0).isOnnx());
    EXPECT_TRUE(node(1).isOnnx());
    EXPECT_TRUE(node(2).isOnnx());
    EXPECT_TRUE(isOnnxDialect("com.microsoft"));
}

TEST_F(NodeRefTest, argumentsAreFoundByName)
{
    const Operand *alpha = node(0).argument("alpha");
    ASSERT_TRUE(alpha);
    EXPECT_EQ(*alpha, Operand(std::int64_t{2}));
    EXPECT_FALSE(node(0).argument("beta"));
    EXPECT_FALSE(node(0).argument("")) << "what has no name is an input";
}

TEST_F(NodeRefTest, inputsAreCountedWithThoseLeftOut)
{
    EXPECT_EQ(node(1).inputCount(), 2u);
    EXPECT_EQ(*node(1).input(0), Operand(None{}));
    EXPECT_FALSE(valueOf(node(1).graph(), node(1).input(0)));
    EXPECT_EQ(valueOf(node(1).graph(), node(1).input(1))->name(), "y");
    EXPECT_FALSE(node(1).input(2));
}

TEST_F(NodeRefTest, valuesKnowWhereTheyComeFrom)
{
    const ValueRef b = node(1).output(1);
    EXPECT_EQ(b.name(), "b");
    ASSERT_TRUE(b.producer());
    EXPECT_EQ(b.producer()->id(), NodeId{1});
    EXPECT_FALSE(b.weight());
    const auto x = valueOf(node(0).graph(), node(0).input(0));
    ASSERT_TRUE(x && x->tensorType());
    EXPECT_EQ(x->tensorType()->shape->size(), 2u);
    EXPECT_FALSE(x->producer());
}

TEST_F(NodeRefTest, aRegionIsARangeOfNodes)
{
    std::string names;
    for (const NodeRef node : nodesOf(m_model.functions[0].graph))
        names += std::string(node.opName()) + " ";
    EXPECT_EQ(names, "add_ Split Scaler ");
}

} // namespace
} // namespace cutaway::ir
