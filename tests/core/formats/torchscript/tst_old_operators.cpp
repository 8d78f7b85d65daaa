// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Operators mean what they meant in the file's version of the format; hooks belong to a call of the model.
#include "core/formats/torchscript/lowering/old_operators.h"

#include "core/formats/archive/probe.h"
#include "core/formats/torchscript/reader.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ir/verify.h"
#include "tests/core/formats/torchscript/archive_text.h"

#include <gtest/gtest.h>

namespace cutaway::formats::torchscript {
namespace {

const std::string netHead = "class Net(Module):\n  __parameters__ = []\n  __buffers__ = []\n";

ir::Model readCode(const std::string &code, const std::string &version)
{
    tests::ArchiveText archive;
    archive.code = code;
    archive.version = version + "\n";
    const std::string bytes = archive.bytes();
    auto model = read(formats::archive::Probe(std::as_bytes(std::span(bytes)), {"net.pt", nullptr}), {});
    EXPECT_TRUE(model) << model.error().text();
    EXPECT_EQ(ir::verify(*model), std::vector<std::string>());
    return std::move(*model);
}

/// The operators of the main function with their literal arguments, in order, those of regions in brackets.
std::string operatorNames(const ir::Graph &graph, ir::RegionId region)
{
    std::string text;
    for (const ir::NodeRef node : ir::nodesOf(graph, region)) {
        text += (text.empty() ? "" : " ") + std::string(node.opName());
        for (const ir::Argument &argument : node->arguments) {
            if (const auto *whole = argument.value.as<std::int64_t>())
                text += " " + std::to_string(*whole);
            if (const auto *real = argument.value.as<double>())
                text += " " + std::to_string(*real);
            if (const auto *word = argument.value.as<ir::String>())
                text += " " + std::string(graph.context().text(word->text));
        }
        for (const ir::RegionId inner : node->regions)
            text += " [" + operatorNames(graph, inner) + "]";
    }
    return text;
}

std::string operatorsOf(const ir::Model &model)
{
    return operatorNames(model.functions.front().graph, ir::Graph::body);
}

struct OldVersionRow {
    std::string name, version, parameters, call, operators;
};

class OldOperatorRows : public testing::TestWithParam<OldVersionRow> { };

TEST_P(OldOperatorRows, meanWhatTheyMeant)
{
    const auto &row = GetParam();
    const ir::Model model = readCode(netHead + "  def forward(self: __torch__.Net,\n    " + row.parameters
                                         + ") -> Tensor:\n    return " + row.call + "\n",
                                     row.version);
    EXPECT_EQ(operatorsOf(model), row.operators);
}

const std::string wholeDivision = "is_floating_point is_floating_point __or__ If [div] [div trunc]";

INSTANTIATE_TEST_SUITE_P(
    , OldOperatorRows,
    testing::Values(
        OldVersionRow{"divBefore4", "3", "a: Tensor,\n    b: Tensor", "torch.div(a, b)", wholeDivision},
        OldVersionRow{"divOf4", "4", "a: Tensor,\n    b: Tensor", "torch.div(a, b)", "div"},
        OldVersionRow{"divOfAWholeNumberBefore4", "2", "a: Tensor,\n    n: int", "torch.div(a, n)",
                      "is_floating_point If [div] [div trunc]"},
        OldVersionRow{"divOfAFloatBefore4", "3", "a: Tensor,\n    n: float", "torch.div(a, n)", "div"},
        OldVersionRow{"divInPlaceBefore4", "3", "a: Tensor,\n    b: Tensor", "torch.div_(a, b)",
                      "is_floating_point is_floating_point __or__ If [div_] [div_ trunc]"},
        OldVersionRow{"divWithAModeBefore4", "3", "a: Tensor,\n    b: Tensor",
                      "torch.div(a, b, rounding_mode=\"floor\")", "div floor"},
        OldVersionRow{"trueDivideBefore4", "3", "a: Tensor,\n    b: Tensor", "torch.true_divide(a, b)", "div"},
        OldVersionRow{"fullOfAWholeNumberBefore5", "4", "n: int", "torch.full([n, 2], 3)", "full 3.000000"},
        OldVersionRow{"fullOf5", "5", "n: int", "torch.full([n, 2], 3)", "full 3"},
        OldVersionRow{"fullWithADtypeBefore5", "4", "n: int", "torch.full([n, 2], 3, dtype=4)", "full 3"},
        OldVersionRow{"fullOfANumberBefore5", "4", "n: int", "torch.full([2], n)", "Float full"},
        OldVersionRow{"linspaceWithoutStepsBefore8", "7", "x: float", "torch.linspace(x, 2., None)",
                      "linspace 2.000000 100"},
        OldVersionRow{"linspaceWithStepsBefore8", "7", "x: float", "torch.linspace(x, 2., 5)", "linspace 2.000000 5"},
        OldVersionRow{"logspaceWithoutStepsBefore9", "8", "x: float", "torch.logspace(x, 2., None)",
                      "logspace 2.000000 100"}),
    [](const auto &row) { return row.param.name; });

const std::string hooked = netHead
    + "  __forward_pre_hooks__ = [\"pre\", ]\n  __forward_hooks__ = [\"quiet\", \"hook\", ]\n"
      "  def forward(self: __torch__.Net,\n    x: Tensor,\n    y: Tensor) -> Tensor:\n    return torch.sub(x, y)\n"
      "  def hook(self: __torch__.Net,\n    input: Tuple[Tensor, Tensor],\n    output: Tensor) -> Tensor:\n"
      "    a, b, = input\n    return torch.mul(output, a)\n"
      "  def quiet(self: __torch__.Net,\n    input: Tuple[Tensor, Tensor],\n    output: Tensor) -> NoneType:\n"
      "    return None\n"
      "  def pre(self: __torch__.Net,\n    input: Tuple[Tensor, Tensor]) -> Tuple[Tensor, Tensor]:\n"
      "    a, b, = input\n    return (torch.neg(a), torch.abs(b))\n";

TEST(Hooks, ofTheModelBelongToACallOfIt)
{
    const ir::Model model = readCode(hooked, "10");
    EXPECT_EQ(operatorsOf(model), "neg abs sub mul");
    ASSERT_EQ(model.diagnostics.size(), 1u);
    EXPECT_EQ(model.diagnostics[0].code, "torchscript.hooks");
    EXPECT_EQ(model.diagnostics[0].severity, ir::Severity::Info);
}

TEST(Hooks, mayHaveNoParameters)
{
    const std::string code = netHead
        + "  __forward_pre_hooks__ = [\"pre\", ]\n  __forward_hooks__ = [\"hook\", ]\n"
          "  def forward(x: Tensor) -> Tensor:\n    return torch.neg(x)\n"
          "  def pre() -> NoneType:\n    return None\n"
          "  def hook() -> NoneType:\n    return None\n";
    EXPECT_EQ(operatorsOf(readCode(code, "10")), "neg");
}

} // namespace
} // namespace cutaway::formats::torchscript
