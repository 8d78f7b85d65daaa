// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Two logs side by side: which compilations and stages stand for each other, and whether they are the same.
#include "core/base/temporary_folder.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/sequence/address.h"
#include "core/sequence/comparison/comparison.h"
#include "core/sequence/facts/guards.h"
#include "tests/core/sequence/small_log.h"

#include <gtest/gtest.h>

namespace cutaway::test::compared {
namespace {

using sequence::ComparedSequence;
using sequence::ComparedStep;
using sequence::Document;

constexpr std::string_view first = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 0)";
constexpr std::string_view second = R"("frame_id": 0, "frame_compile_id": 1, "attempt": 0)";
constexpr std::string_view resumed = R"("frame_id": 1, "frame_compile_id": 0, "attempt": 0)";
constexpr std::string_view dynamo = R"("dynamo_output_graph": {})";
constexpr std::string_view postGrad = R"("inductor_post_grad_graph": {})";

std::string compilationOf(std::string_view function, std::string_view id)
{
    return record(formatted(R"("compilation_metrics": {{"co_name": "{}"}})", function), id);
}

std::string compilationAt(std::string_view function, std::string_view file, int line, std::string_view id)
{
    return record(dynamo, id)
        + record(formatted(R"("compilation_metrics": {{"co_name": "{}", "co_filename": "{}", "co_firstlineno": {}}})",
                           function, file, line),
                 id);
}

/// A graph whose one input has this type, with these nodes.
std::string graphText(std::string_view type, std::string_view nodes, std::string_view input = "x")
{
    return formatted("class GraphModule(torch.nn.Module):\n    def forward(self, {}: \"{}\"):\n{}", input, type, nodes);
}

const std::string relu =
    graphText("f32[4]", "        a: \"f32[4]\" = torch.ops.aten.relu.default(x)\n        return (a,)");
const std::string otherNames = graphText("f32[4]",
                                         "        # File: other.py:7 in f, code: return y.relu()\n"
                                         "        b: \"f32[4]\" = torch.ops.aten.relu.default(y)\n        return (b,)",
                                         "y");
const std::string sigmoid =
    graphText("f32[4]", "        a: \"f32[4]\" = torch.ops.aten.sigmoid.default(x)\n        return (a,)");
const std::string reluTwice = graphText("f32[4]",
                                        "        a: \"f32[4]\" = torch.ops.aten.relu.default(x)\n"
                                        "        b: \"f32[4]\" = torch.ops.aten.neg.default(a)\n        return (b,)");
const std::string sum = graphText("f32[4, 2]",
                                  "        a: \"f32[4]\" = torch.ops.aten.sum.dim_IntList(x, [1])\n"
                                  "        return (a,)");
const std::string sumOfOther = graphText("f32[4, 2]",
                                         "        a: \"f32[2]\" = torch.ops.aten.sum.dim_IntList(x, [0])\n"
                                         "        return (a,)");
const std::string strided = graphText(
    "f32[4, 2][2, 1]cpu", "        a: \"f32[4, 2][2, 1]cpu\" = torch.ops.aten.relu.default(x)\n        return (a,)");
const std::string transposed = graphText(
    "f32[4, 2][1, 4]cpu", "        a: \"f32[4, 2][1, 4]cpu\" = torch.ops.aten.relu.default(x)\n        return (a,)");
const std::string onGpu = graphText("f32[4, 2][2, 1]cuda:0",
                                    "        a: \"f32[4, 2][2, 1]cuda:0\" = torch.ops.aten.relu.default(x)\n"
                                    "        return (a,)");
const std::string open =
    graphText("f32[s0]", "        a: \"f32[s0]\" = torch.ops.aten.relu.default(x)\n        return (a,)");
const std::string openByOtherName =
    graphText("f32[s77]", "        a: \"f32[s77]\" = torch.ops.aten.relu.default(x)\n        return (a,)");
const std::string withParameter = graphText(
    "f32[4, 8]", "        a: \"f32[4, 2]\" = torch._C._nn.linear(x, L_self_w_);  x = None\n        return (a,)",
    "L_self_w_: \"f32[2, 8]\", x");
const std::string withParameterOfOtherName = graphText(
    "f32[4, 8]", "        b: \"f32[4, 2]\" = torch._C._nn.linear(x, L_self_v_);  x = None\n        return (b,)",
    "L_self_v_: \"f32[2, 8]\", x");
const std::string cutOff = graphText("f32[4]", "        a: \"f32[4]\" = torch.ops.aten.relu.default(");

std::string nameIn(const Document &document, const sequence::Paired &of, std::optional<std::size_t> step, bool isInA)
{
    const auto sequence = isInA ? of.a : of.b;
    return sequence && step ? document.sequences[*sequence].steps[*step].name : "–";
}

/// "dynamo_output_graph same; – / extra differs"
std::string textOf(const Document &a, const Document &b, const ComparedSequence &compared)
{
    std::vector<std::string> parts;
    for (const ComparedStep &step : compared.steps) {
        const std::string one = nameIn(a, compared.at, step.at.a, true), two = nameIn(b, compared.at, step.at.b, false);
        parts.push_back(formatted("{} {}", one == two ? one : one + " / " + two, sequence::name(step.verdict)));
    }
    return joined(parts, "; ");
}

class Comparison : public testing::Test {
protected:
    Document read(const std::string &name, const std::string &log)
    {
        const std::string path = m_folder.path() / name;
        EXPECT_TRUE(writeWholeFile(path, log));
        auto document = sequence::readAt(path);
        EXPECT_TRUE(document) << document.error().text();
        return document ? std::move(*document) : Document();
    }

    /// Each pair of sequences on a line, with its compile ids.
    std::string compare(const std::string &logA, const std::string &logB)
    {
        const Document a = read("a.log", logA), b = read("b.log", logB);
        m_compared = sequence::compare(a, b);
        std::vector<std::string> lines;
        for (const ComparedSequence &each : m_compared) {
            const auto id = [](const Document &document, std::optional<std::size_t> at) {
                return at ? document.sequences[*at].compileId.value_or("?") : "–";
            };
            lines.push_back(formatted("{} | {}: {}", id(a, each.at.a), id(b, each.at.b), textOf(a, b, each)));
        }
        return joined(lines, "\n");
    }

    std::vector<ComparedSequence> m_compared;

private:
    TemporaryFolder m_folder = *TemporaryFolder::make();
};

struct GraphPair {
    std::string name;
    const std::string &a, &b;
    sequence::Verdict verdict;
};

void PrintTo(const GraphPair &pair, std::ostream *out) { *out << pair.name; }

class ComparedGraphs : public Comparison, public testing::WithParamInterface<GraphPair> { };

TEST_P(ComparedGraphs, haveTheVerdict)
{
    compare(record(dynamo, first, GetParam().a), record(dynamo, first, GetParam().b));
    ASSERT_EQ(m_compared.size(), 1U);
    EXPECT_EQ(m_compared.front().verdict(), GetParam().verdict);
    EXPECT_EQ(sequence::verdictOf(m_compared), GetParam().verdict);
}

using enum sequence::Verdict;
INSTANTIATE_TEST_SUITE_P(
    Pairs, ComparedGraphs,
    testing::Values(
        GraphPair{"theSameText", relu, relu, Same}, GraphPair{"otherNamesAndComments", relu, otherNames, Same},
        GraphPair{"otherNamesOfSizes", open, openByOtherName, Same},
        GraphPair{"otherNamesOfParameters", withParameter, withParameterOfOtherName, Same},
        GraphPair{"anotherOperator", relu, sigmoid, Differs}, GraphPair{"oneMoreNode", relu, reluTwice, Differs},
        GraphPair{"anotherArgument", sum, sumOfOther, Differs}, GraphPair{"otherStrides", strided, transposed, Differs},
        GraphPair{"anotherDevice", strided, onGpu, Differs}, GraphPair{"anOpenSize", relu, open, Differs},
        GraphPair{"aGraphThatCannotBeRead", relu, cutOff, Unknown}),
    [](const auto &each) { return each.param.name; });

TEST_F(Comparison, stagesOfOneNameArePairedAndOthersAreAlone)
{
    const std::string extra = record(R"("artifact": {"name": "before_pre_grad_graph"})", first, reluTwice);
    EXPECT_EQ(compare(record(dynamo, first, relu) + record(postGrad, first, relu),
                      record(dynamo, first, relu) + extra + record(postGrad, first, sigmoid)),
              "0/0 | 0/0: dynamo_output_graph same; – / before_pre_grad_graph differs; "
              "inductor_post_grad_graph differs");
    ASSERT_NE(m_compared.front().firstDifference(), nullptr);
    EXPECT_EQ(m_compared.front().firstDifference()->at, (sequence::Paired{{}, 1}));
    const ComparedStep &last = m_compared.front().steps.back();
    EXPECT_EQ(last.operators,
              (std::vector<sequence::OperatorCount>{{"aten::relu.default", 1, 0}, {"aten::sigmoid.default", 0, 1}}));
}

TEST_F(Comparison, aStageThatOneSideWritesDownAloneIsNoDifferenceIfItChangedNothing)
{
    const std::string extra = record(R"("artifact": {"name": "before_pre_grad_graph"})", first, relu);
    EXPECT_EQ(compare(record(dynamo, first, relu), record(dynamo, first, relu) + extra),
              "0/0 | 0/0: dynamo_output_graph same; – / before_pre_grad_graph same");
    EXPECT_EQ(sequence::verdictOf(m_compared), Same);
}

TEST_F(Comparison, compilationsArePairedByFunctionAndThenById)
{
    const auto of = [](std::string_view function, std::string_view id) {
        return record(dynamo, id, relu) + compilationOf(function, id);
    };
    EXPECT_EQ(compare(of("forward", first) + of("resume_at_119", resumed),
                      of("helper", first) + of("forward", resumed) + of("resume_at_120", second)),
              "0/0 | 1/0: dynamo_output_graph same\n"
              "1/0 | 0/1: dynamo_output_graph same\n"
              "– | 0/0: ");
    EXPECT_EQ(sequence::verdictOf(m_compared), Differs);
}

TEST_F(Comparison, functionsOfOneNameArePairedByFileAndLine)
{
    EXPECT_EQ(
        compare(compilationAt("forward", "/a/net.py", 10, first) + compilationAt("forward", "/a/net.py", 90, second),
                compilationAt("forward", "/b/head.py", 10, first) + compilationAt("forward", "/b/net.py", 90, resumed)
                    + compilationAt("forward", "/b/net.py", 10, second)),
        "0/0 | 0/1: \n0/1 | 1/0: \n– | 0/0: ");
}

TEST_F(Comparison, functionsThatAnEditMovedArePairedByFileBeforeOthersOfTheirName)
{
    EXPECT_EQ(
        compare(compilationAt("forward", "/a/net.py", 10, first) + compilationAt("step", "/a/net.py", 50, second),
                compilationAt("forward", "/b/head.py", 10, first) + compilationAt("forward", "/b/net.py", 14, second)),
        "0/0 | 0/1: \n0/1 | –: \n– | 0/0: ");
}

TEST_F(Comparison, recompilationsOfOneFunctionArePairedByIdAndThenInOrder)
{
    const auto of = [](std::string_view id) { return compilationAt("forward", "net.py", 10, id); };
    EXPECT_EQ(compare(of(second) + of(resumed), of(first) + of(second)), "0/1 | 0/1: \n1/0 | 0/0: ");
}

TEST_F(Comparison, anAttemptThatWasGivenUpIsNoPairOfOneThatWasKept)
{
    constexpr std::string_view again = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 1)";
    const auto of = [](std::string_view id) { return compilationAt("forward", "net.py", 10, id); };
    EXPECT_EQ(compare(of(first) + of(again), of(first)), "0/0 | –: \n0/0_1 | 0/0: ");
    EXPECT_EQ(compare(of(first) + of(again), of(first) + of(again)), "0/0 | 0/0: \n0/0_1 | 0/0_1: ");
}

TEST_F(Comparison, theIdPairsOnlyWhereAFunctionIsNotKnown)
{
    const auto unknown = [](std::string_view id) { return record(R"("dynamo_start": {"stack": []})", id); };
    EXPECT_EQ(compare(compilationAt("forward", "net.py", 10, first) + compilationAt("step", "net.py", 50, second),
                      unknown(second) + unknown(resumed)),
              "0/0 | –: \n0/1 | 0/1: \n– | 1/0: ");
    EXPECT_EQ(compare(compilationAt("forward", "net.py", 10, first) + compilationAt("step", "net.py", 50, second),
                      compilationAt("load", "net.py", 70, first) + compilationAt("step", "net.py", 50, second)),
              "0/0 | –: \n0/1 | 0/1: \n– | 0/0: ");
}

TEST_F(Comparison, oneCompilationOnEachSideIsAPairWhateverItIsCalled)
{
    EXPECT_EQ(compare(record(dynamo, first, relu) + compilationOf("forward", first),
                      record(dynamo, second, relu) + compilationOf("step", second)),
              "0/0 | 0/1: dynamo_output_graph same");
}

TEST_F(Comparison, oneMoreGraphBreakIsADifferenceAndAnotherReasonIsTold)
{
    const auto broken = [](std::string_view reason) {
        return record(R"("artifact": {"name": "dynamo_graph_break_reason"})", first,
                      formatted("Graph break in user code at /a/model.py:119\nReason: {}", reason));
    };
    const std::string compiled = record(dynamo, first, relu);
    compare(broken("print") + compiled, broken("item") + compiled);
    EXPECT_EQ(sequence::verdictOf(m_compared), Same);
    EXPECT_EQ(m_compared.front().breaks.b, std::vector<std::string>{"model.py: item"});
    compare(broken("print") + compiled, broken("print") + broken("print") + compiled);
    EXPECT_EQ(sequence::verdictOf(m_compared), Differs);
}

TEST_F(Comparison, guardsAreToldWithoutAddressesAndAreNoDifference)
{
    const auto guarded = [](std::string_view address, std::string_view size) {
        return record(dynamo, first, relu)
            + record(R"("dynamo_cpp_guards_str": {})", first,
                     formatted("TREE_GUARD_MANAGER:\n+- RootGuardManager\n"
                               "| +- GuardManager: source=L['x'], type=<class 'torch.Tensor'>\n"
                               "| | +- ID_MATCH: ___check_obj_id(G['F'], {})  # x.relu()  # model.py:5 in forward\n"
                               "| | +- TENSOR_MATCH: check_tensor(L['x'], size=[{}])  # x.relu()  # model.py:5 in f",
                               address, size));
    };
    compare(guarded("140105948451024", "4"), guarded("139905948451024", "8"));
    EXPECT_EQ(sequence::verdictOf(m_compared), Same);
    EXPECT_EQ(m_compared.front().guards.a, std::vector<std::string>{"TENSOR_MATCH: check_tensor(L['x'], size=[4])"});
    EXPECT_EQ(m_compared.front().guards.b.size(), 1U);
}

TEST(GuardAddresses, areLeftOutAndOtherNumbersAreNot)
{
    EXPECT_EQ(sequence::withoutAddresses("___check_type_id(L['x'], 94512345678901)"), "___check_type_id(L['x'], …)");
    EXPECT_EQ(sequence::withoutAddresses("L['scale'] == 0.3535533905932738"), "L['scale'] == 0.3535533905932738");
    EXPECT_EQ(sequence::withoutAddresses("size=[4096, 32000]"), "size=[4096, 32000]");
}

TEST_F(Comparison, nothingOnASideIsADifference)
{
    EXPECT_EQ(compare(record(dynamo, first, relu), record(R"("artifact": {"name": "a"})", first, "text")), "0/0 | –: ");
    EXPECT_EQ(sequence::verdictOf(m_compared), Differs);
    EXPECT_EQ(sequence::verdictOf({}), Unknown);
}

} // namespace
} // namespace cutaway::test::compared
