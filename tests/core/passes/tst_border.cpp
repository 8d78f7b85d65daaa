// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Where a module, or a node, meets the rest of a function.
#include "core/ir/names.h"
#include "core/ir/scope_tree.h"
#include "core/passes/cutting/border.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

/// "from x, y to z" of the nodes in the module of this path.
std::string borderText(const std::string &text, std::string_view module)
{
    const ir::Model model = parsed(text);
    const ir::Function &function = model.functions.front();
    const ir::Context &context = *model.context;
    const passes::Border border = passes::borderOf(function, [&](const ir::NodeRef &node) {
        for (ir::ScopeId s = node->scope; s != ir::ScopeId{}; s = context.at(s).parent)
            if (context.text(context.at(s).path) == module)
                return true;
        return false;
    });
    const auto names = [&](const std::vector<ir::ValueId> &values) {
        std::string all;
        for (const ir::ValueId value : values)
            all += (all.empty() ? "" : ", ") + ir::nameOf(ir::ValueRef(function.graph, value));
        return all;
    };
    return "from " + names(border.from) + " to " + names(border.to);
}

TEST(Border, isWhatAModuleReadsAndIsReadOf)
{
    EXPECT_EQ(borderText(R"(model "m"
tensor @w: float32[2] parameter
scope stem class "Stem"
graph @forward(%x: float32[2], %y: float32[2]) {
  weight %w = @w
  %a = aten::relu(self=%x)
  %b = aten::mul.Tensor(self=%a, other=%w) in stem
  %c = aten::add.Tensor(self=%b, other=%y) in stem
  %d = aten::neg(self=%b)
  return %c, %d
})",
                         "stem"),
              "from a, y to b, c");
}

TEST(Border, leavesConstantsToThePart)
{
    EXPECT_EQ(borderText(R"(model "m"
scope stem class "Stem"
graph @main(%x: float32[2, 3]) {
  %s = onnx::Constant(value_ints=[3, 2])
  %t = onnx::Reshape(%x, %s) in stem
  %u = onnx::Relu(%t)
  return %u
})",
                         "stem"),
              "from x to t");
}

TEST(Border, countsWhatIsReadInBranches)
{
    EXPECT_EQ(borderText(R"(model "m"
scope stem class "Stem"
graph @main(%c: bool[], %x: float32[2]) {
  %a = onnx::Relu(%x)
  %r = onnx::If(%c) in stem
    region {
      %n = onnx::Neg(%a)
      return %n
    }
    region { return %x }
  return %r
})",
                         "stem"),
              "from c, a, x to r");
}

} // namespace
} // namespace cutaway::test
