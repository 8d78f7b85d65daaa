// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Lines within the sources of kernels, and the nodes that they compute.
#include "core/base/formatted.h"
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/ir/node_ref.h"
#include "core/sequence/code/kernel_lines.h"
#include "core/sequence/code/kernel_statements.h"
#include "core/sequence/kernel_modules.h"
#include "core/sequence/limits.h"
#include "tests/core/sequence/small_log.h"

#include <gtest/gtest.h>

#include <map>

namespace cutaway::test {
namespace {

std::string textOf(const sequence::KernelStatement &statement)
{
    using Meaning = sequence::KernelStatement::Meaning;
    std::string text = statement.name
        + (statement.meaning == Meaning::Store      ? " stores"
               : statement.meaning == Meaning::Load ? " loads"
                                                    : " is");
    for (const std::string &operation : statement.operations)
        text += " " + operation;
    for (const sequence::KernelOperand &operand : statement.operands)
        if (const auto *number = std::get_if<double>(&operand))
            text += formatted(" {}", *number);
        else
            text += " " + std::get<std::string>(operand);
    return text;
}

/// "tmp2 is mul tmp0 0.5", "none" or several, parted by semicolons
std::string textOf(std::string_view source)
{
    std::string text;
    for (const sequence::KernelStatement &statement : sequence::kernelStatements(source))
        text += (text.empty() ? "" : "; ") + textOf(statement);
    return text.empty() ? "none" : text;
}

struct StatementRow {
    const char *name;
    std::string_view line;
    std::string text;
};

class KernelStatements : public testing::TestWithParam<StatementRow> { };

TEST_P(KernelStatements, areReadInCppAndTriton) { EXPECT_EQ(textOf(GetParam().line), GetParam().text); }

INSTANTIATE_TEST_SUITE_P(
    Lines, KernelStatements,
    testing::Values(
        StatementRow{"aProduct", "    auto tmp2 = float(tmp0 * tmp1);", "tmp2 is mul tmp0 tmp1"},
        StatementRow{"aNumber", "auto tmp1 = static_cast<float>(-0.5);", "tmp1 is -0.5"},
        StatementRow{"aNumberWithASuffix", "auto tmp3 = decltype(tmp2)(12L);", "tmp3 is 12"},
        StatementRow{"aFunction", "auto tmp5 = std::erf(tmp4);", "tmp5 is erf tmp4"},
        StatementRow{"aMethodOfVectors", "auto tmp5 = (tmp4).exp();", "tmp5 is exp tmp4"},
        StatementRow{"aNegation", "auto tmp1 = decltype(tmp0)(-tmp0);", "tmp1 is neg tmp0"},
        StatementRow{"aConversion", "auto tmp1 = c10::convert<float>(tmp0);", "tmp1 is tmp0"},
        StatementRow{"twoOperations", "auto tmp5 = 1 / std::sqrt(tmp4);", "tmp5 is div sqrt 1 tmp4"},
        StatementRow{"aChoice", "auto tmp3 = tmp0 ? tmp1 : tmp2;", "tmp3 is where tmp0 tmp1 tmp2"},
        StatementRow{"aLoad", "auto tmp0 = in_ptr0[static_cast<int64_t>(x1 + 32L*x0)];", "tmp0 loads in_ptr0"},
        StatementRow{"aLoadWhereAValueSays", "auto tmp4 = in_ptr1[static_cast<int64_t>(x2 + 32L*tmp0)];",
                     "tmp4 loads in_ptr1 tmp0"},
        StatementRow{"aLoadOfVectors", "auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + 16L*x0, 16);",
                     "tmp0 loads in_ptr0"},
        StatementRow{"aStore", "in_out_ptr0[static_cast<int64_t>(x0)] = tmp_acc0;", "in_out_ptr0 stores tmp_acc0"},
        StatementRow{"aStoreOfVectors", "tmp8.store(out_ptr2 + static_cast<int64_t>(x0));", "out_ptr2 stores tmp8"},
        StatementRow{"anotherNameOfAPointer", "auto out_ptr0 = in_out_ptr0;", "out_ptr0 is in_out_ptr0"},
        StatementRow{"aLoadInTriton", "    tmp0 = tl.load(in_ptr0 + (x0), xmask, other=0.0).to(tl.float32)",
                     "tmp0 loads in_ptr0"},
        StatementRow{"aNumberInTriton", "tmp3 = tl.full([1], 0.5, tl.float32)", "tmp3 is 0.5"},
        StatementRow{"aStoreInTriton", "tl.store(out_ptr0 + (x0 + 4*x1), tmp6, xmask)", "out_ptr0 stores tmp6"},
        StatementRow{"aSumInTriton", "tmp5 = tl.sum(_tmp5, 1)[:, None]", "tmp5 is sum _tmp5 1"},
        StatementRow{"aMaskInTriton", "tmp6 = tl.where(r0_mask & xmask, tmp4, 0)", "tmp6 is tmp4"},
        StatementRow{"aMaskOfABlockThatGoesOn", "_tmp5 = tl.where(rmask & xmask, tmp6, _tmp5)", "_tmp5 is tmp6"},
        StatementRow{"aChoiceInTriton", "tmp12 = tl.where(tmp5, tmp10, tmp11)", "tmp12 is where tmp5 tmp10 tmp11"},
        StatementRow{"aReductionOfAWholeBlock", "tmp30 = triton_helpers.promote_to_tensor(tl.sum(tmp28, 0))",
                     "tmp30 is sum tmp28 0"},
        StatementRow{"aReductionToOneColumn", "tmp26 = triton_helpers.max2(tmp25, 1)[:, None].to(tl.float32)",
                     "tmp26 is max2 tmp25 1"},
        StatementRow{"anInfinityInTriton", "tmp3 = tl.where(tmp1, tmp2, float(\"-inf\"))",
                     "tmp3 is where tmp1 tmp2 -inf"},
        StatementRow{"aBitwiseNot", "tmp3 = ~tmp2", "tmp3 is invert tmp2"},
        StatementRow{"aLoadWhereAMaskOfValuesSays",
                     "tmp9 = tl.load(in_ptr1 + ((20*x2) + ((-20) + y0)), tmp6 & xmask, other=0.0)",
                     "tmp9 loads in_ptr1 tmp6"},
        StatementRow{"aLoadOfABlock",
                     "tmp0 = tl.load(tl.make_block_ptr(in_ptr0, shape=[64], strides=[1], block_shape=[XBLOCK], "
                     "order=[0], offsets=[xoffset]), boundary_check=[0])",
                     "tmp0 loads in_ptr0"},
        StatementRow{"aSumIntoMemory", "tl.atomic_add(out_ptr0 + (tmp3 + 8*x1), tmp5, xmask, sem='relaxed')",
                     "out_ptr0 stores tmp5"},
        StatementRow{"severalValues", "tmp10, tmp11, tmp12 = triton_helpers.welford(tmp7, tmp8, tmp9, 1)",
                     "tmp10 is welford tmp7 tmp8 tmp9 1; tmp11 is welford tmp7 tmp8 tmp9 1; "
                     "tmp12 is welford tmp7 tmp8 tmp9 1"},
        StatementRow{"aTupleOfOne", "tmp3, = tl.associative_scan((tmp2,), 1, _triton_helper_fn_add0)",
                     "tmp3 is associative_scan tmp2 1"},
        StatementRow{"aCallOnSeveralLines",
                     "tmp5_mean_next, tmp5_m2_next = triton_helpers.welford_reduce(\n"
                     "    tmp4, tmp5_mean, roffset == 0\n)\ntmp1 = 1.0",
                     "tmp5_mean_next is welford_reduce eq tmp4 tmp5_mean 0; "
                     "tmp5_m2_next is welford_reduce eq tmp4 tmp5_mean 0; tmp1 is 1"},
        StatementRow{"aCallThatDoesNotEnd", "tmp5 = triton_helpers.welford(\ntmp1 = 1.0\n\n\n\ntmp2 = 2.0",
                     "tmp2 is 2"},
        StatementRow{"anIndex", "x0 = xindex % 32", "none"},
        StatementRow{"theNumberOfABlock", "xoffset = tl.program_id(0) * XBLOCK", "none"},
        StatementRow{"aLoop", "for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(4L); x0+=1)", "none"},
        StatementRow{"aCheck", "TORCH_CHECK((0 <= tmp2) & (tmp2 < 64L), \"index out of bounds\");", "none"},
        StatementRow{"aBracketThatIsNotClosed", "auto tmp2 = float(tmp0 * std::exp(tmp1", "tmp2 is mul exp tmp0 tmp1"},
        StatementRow{"nothing", "", "none"}),
    [](const auto &row) { return row.param.name; });

TEST(KernelStatements, ofHostileDepthAreReadInPart)
{
    std::string line = "auto tmp2 = ";
    for (int i = 0; i < 1'000; ++i)
        line += "f(";
    EXPECT_FALSE(sequence::kernelStatements(line + "tmp0").empty());
    EXPECT_TRUE(sequence::kernelStatements(line + std::string(100'000, '(')).empty());
}

/// The lines of a kernel with the nodes that they compute. `graph` are the graph's statements, and `body` those of the
/// kernel, which is called with `arguments`; its nodes are `nodes`.
std::string linesOf(std::string_view graph, std::string_view nodes, std::string_view parameters, std::string_view body,
                    std::string_view arguments)
{
    constexpr std::string_view id = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 0)";
    const std::string log =
        record(R"("inductor_post_grad_graph": {})", id,
               formatted(
                   "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[4, 8]\", y: \"f32[8]\"):\n{}",
                   graph))
        + record(R"("inductor_output_code": {})", id,
                 formatted("# AOT ID: ['0_inference']\ncpp_fused_0 = async_compile.cpp_pybinding([''], r'''\n"
                           "extern \"C\" void kernel({})\n{{\n{}}}\n''')\ndef call(args):\n    x, y = args\n"
                           "    buf0 = empty_strided_cpu((4, 8), (8, 1), torch.float32)\n"
                           "    buf1 = empty_strided_cpu((4, 8), (8, 1), torch.float32)\n    cpp_fused_0({})",
                           parameters, body, arguments))
        + record(R"("artifact": {"name": "inductor_provenance_tracking_node_mappings", "encoding": "json"})", id,
                 formatted(R"({{"cppCodeToPost": {{"cpp_fused_0:1": [{}]}}, "version": 2.0}})", nodes));
    const auto folder = TemporaryFolder::make();
    const std::string path = folder ? (folder->path() / "run.log").string() : "";
    if (!folder || !writeWholeFile(path, log))
        return "no file";
    const auto model = sequence::openInKernels(path + "#0/0/inductor_post_grad_graph");
    if (!model || model->attachments.empty())
        return model ? "no code" : model.error().text();
    std::map<std::uint32_t, std::string> lines;
    constexpr std::uint32_t before = 4; // lines before the body
    for (const auto &[line, node] : sequence::kernelLines(*model, ir::FunctionId{0}, *model->attachments.front().text))
        lines[line - before] += formatted(" {}", ir::NodeRef(model->functions[0].graph, node).name());
    std::string text;
    for (const auto &[line, names] : lines)
        text += formatted("{}:{}\n", line, names);
    return text;
}

TEST(KernelLines, areOfTheNodesThatTheyComputeAndNumbersOfThoseThatReadThem)
{
    EXPECT_EQ(
        linesOf("        mul: \"f32[4, 8]\" = torch.ops.aten.mul.Tensor(x, 0.5)\n"
                "        mul_1: \"f32[4, 8]\" = torch.ops.aten.mul.Tensor(x, 0.7)\n"
                "        erf: \"f32[4, 8]\" = torch.ops.aten.erf.default(mul_1)\n"
                "        mul_2: \"f32[4, 8]\" = torch.ops.aten.mul.Tensor(mul, erf)\n        return (mul_2,)",
                R"("mul", "mul_1", "erf", "mul_2")", "const float* in_ptr0, float* out_ptr0",
                "auto tmp0 = in_ptr0[x0];\nauto tmp1 = static_cast<float>(0.5);\nauto tmp2 = float(tmp0 * tmp1);\n"
                "auto tmp3 = static_cast<float>(0.7);\nauto tmp4 = float(tmp0 * tmp3);\n"
                "auto tmp5 = std::erf(tmp4);\nauto tmp6 = float(tmp2 * tmp5);\nout_ptr0[x0] = tmp6;\n",
                "x, buf0"),
        "1: mul mul_1\n2: mul\n3: mul\n4: mul_1\n5: mul_1\n6: erf\n7: mul_2\n8: mul_2\n");
}

TEST(KernelLines, ofANodeInSeveralStatementsAreFoundByItsReader)
{
    EXPECT_EQ(
        linesOf("        exp: \"f32[4, 8]\" = torch.ops.aten.exp.default(x)\n"
                "        mean: \"f32[4, 1]\" = torch.ops.aten.mean.dim(exp, [1], True)\n"
                "        sub: \"f32[4, 8]\" = torch.ops.aten.sub.Tensor(exp, mean)\n        return (sub,)",
                R"("exp", "mean", "sub")", "float* in_out_ptr0, const float* in_ptr0, float* out_ptr1",
                "auto out_ptr0 = in_out_ptr0;\nfloat tmp_acc0 = 0;\nauto tmp0 = in_ptr0[x0];\n"
                "auto tmp1 = std::exp(tmp0);\ntmp_acc0 = tmp_acc0 + tmp1;\nout_ptr0[x0] = tmp_acc0;\n"
                "auto tmp0 = out_ptr0[x0];\nauto tmp1 = static_cast<float>(8.0);\nauto tmp2 = tmp0 / tmp1;\n"
                "in_out_ptr0[x0] = tmp2;\nauto tmp0 = in_ptr0[x0];\nauto tmp2 = in_out_ptr0[x0];\n"
                "auto tmp1 = std::exp(tmp0);\nauto tmp3 = float(tmp1 - tmp2);\nout_ptr1[x0] = tmp3;\n",
                "buf0, x, buf1"),
        "2: mean\n3: exp\n4: exp\n5: mean\n6: mean\n7: mean\n8: mean\n9: mean\n10: mean\n11: exp\n12: sub\n13: exp\n"
        "14: sub\n15: sub\n");
}

TEST(KernelLines, thatComputeTheSameForAnotherNodeAreOfThatOne)
{
    // The variance subtracts the mean as `sub` does, but only its own result reads that.
    EXPECT_EQ(linesOf("        var_mean = torch.ops.aten.var_mean.correction(x, [1], correction = 0, keepdim = True)\n"
                      "        getitem: \"f32[4, 1]\" = var_mean[0]\n        getitem_1: \"f32[4, 1]\" = var_mean[1]\n"
                      "        sub: \"f32[4, 8]\" = torch.ops.aten.sub.Tensor(x, getitem_1)\n"
                      "        mul: \"f32[4, 8]\" = torch.ops.aten.mul.Tensor(sub, getitem)\n        return (mul,)",
                      R"("var_mean", "getitem", "getitem_1", "sub", "mul")",
                      "float* out_ptr0, const float* in_ptr0, float* out_ptr1",
                      "auto tmp0 = in_ptr0[x0];\ntmp_acc0 = tmp_acc0 + tmp0;\nout_ptr0[x0] = tmp_acc0;\n"
                      "auto tmp0 = in_ptr0[x0];\nauto tmp1 = out_ptr0[x0];\nauto tmp2 = float(tmp0 - tmp1);\n"
                      "auto tmp3 = float(tmp2 * tmp2);\ntmp_acc1 = tmp_acc1 + tmp3;\nout_ptr1[x0] = tmp_acc1;\n"
                      "auto tmp0 = in_ptr0[x0];\nauto tmp1 = out_ptr0[x0];\nauto tmp2 = float(tmp0 - tmp1);\n"
                      "auto tmp3 = out_ptr1[x0];\nauto tmp4 = float(tmp2 * tmp3);\nout_ptr2[x0] = tmp4;\n",
                      "buf0, x, buf1"),
              "1: var_mean\n2: var_mean\n3: var_mean\n4: var_mean\n5: var_mean\n6: var_mean\n7: var_mean\n8: var_mean\n"
              "9: var_mean\n10: sub\n11: sub\n12: sub\n13: mul\n14: mul\n15: mul\n");
}

TEST(KernelLines, ofNodesThatMoveElementsAreTheLoads)
{
    EXPECT_EQ(linesOf("        permute: \"f32[8, 4]\" = torch.ops.aten.permute.default(x, [1, 0])\n"
                      "        neg: \"f32[8, 4]\" = torch.ops.aten.neg.default(permute)\n        return (neg,)",
                      R"("permute", "neg")", "const float* in_ptr0, float* out_ptr0",
                      "auto tmp0 = in_ptr0[x0];\nauto tmp1 = decltype(tmp0)(-tmp0);\nout_ptr0[x0] = tmp1;\n",
                      "x, buf0"),
              "1: permute neg\n2: neg\n3: neg\n");
}

TEST(KernelLines, thatLoadWhatNoArgumentIsAreOfNoNode)
{
    EXPECT_EQ(linesOf("        permute: \"f32[8, 4]\" = torch.ops.aten.permute.default(x, [1, 0])\n"
                      "        neg: \"f32[8, 4]\" = torch.ops.aten.neg.default(permute)\n        return (neg,)",
                      R"("permute", "neg")", "const float* in_ptr0, float* out_ptr0",
                      "auto tmp3 = in_ptr7[x0];\nauto tmp0 = in_ptr0[x0];\nauto tmp1 = decltype(tmp0)(-tmp0);\n"
                      "out_ptr0[x0] = tmp1;\n",
                      "x, buf0"),
              "2: permute neg\n3: neg\n4: neg\n");
}

TEST(KernelLines, beyondTheLimitAreNone)
{
    const auto linesAfter = [](std::size_t blank) {
        return linesOf("        neg: \"f32[4, 8]\" = torch.ops.aten.neg.default(x)\n        return (neg,)", R"("neg")",
                       "const float* in_ptr0, float* out_ptr0",
                       "auto tmp0 = in_ptr0[x0];\nauto tmp1 = decltype(tmp0)(-tmp0);\nout_ptr0[x0] = tmp1;\n"
                           + std::string(blank, '\n'),
                       "x, buf0");
    };
    EXPECT_EQ(linesAfter(1), "1: neg\n2: neg\n3: neg\n");
    EXPECT_EQ(linesAfter(sequence::limits::maxKernelLines), "");
}

/// A kernel of `many` products, none of which its `many` statements are, behind a negation that is found.
std::string linesOfProducts(std::size_t many)
{
    std::string graph = "        neg: \"f32[4, 8]\" = torch.ops.aten.neg.default(x)\n", nodes = R"("neg")",
                body = "auto tmp0 = in_ptr0[x0];\nauto tmp1 = decltype(tmp0)(-tmp0);\nout_ptr0[x0] = tmp1;\n";
    for (std::size_t i = 0; i < many; ++i) {
        graph += formatted("        mul_{}: \"f32[4, 8]\" = torch.ops.aten.mul.Tensor(neg, {})\n", i, i + 2);
        nodes += formatted(R"(, "mul_{}")", i);
        body += "auto tmp2 = float(tmp1 * tmp1);\n";
    }
    return linesOf(graph + "        return (neg,)", nodes, "const float* in_ptr0, float* out_ptr0", body, "x, buf0");
}

TEST(KernelLines, thatWouldBeComparedTooOftenAreNone)
{
    constexpr std::size_t tooMany = 3'000;
    static_assert(2 * tooMany * tooMany > sequence::limits::maxKernelSteps);
    EXPECT_EQ(linesOfProducts(100), "1: neg\n2: neg\n3: neg\n");
    EXPECT_EQ(linesOfProducts(tooMany), "");
}

TEST(KernelLines, thatFitTooManyNodesAreNone)
{
    const auto linesOfEqual = [](int many) {
        std::string graph, nodes;
        for (int i = 0; i < many; ++i) {
            graph += formatted("        neg_{}: \"f32[4, 8]\" = torch.ops.aten.neg.default(x)\n", i);
            nodes += formatted("{}\"neg_{}\"", i == 0 ? "" : ", ", i);
        }
        return linesOf(graph + "        return (neg_0,)", nodes, "const float* in_ptr0, float* out_ptr0",
                       "auto tmp0 = in_ptr0[x0];\nauto tmp1 = decltype(tmp0)(-tmp0);\nout_ptr0[x0] = tmp1;\n",
                       "x, buf0");
    };
    EXPECT_EQ(linesOfEqual(2), "1: neg_0 neg_1\n2: neg_0 neg_1\n3: neg_0 neg_1\n");
    EXPECT_EQ(linesOfEqual(100), "");
}

TEST(KernelLines, ofAKernelThatIsNotUnderstoodAreNone)
{
    EXPECT_EQ(linesOf("        neg: \"f32[4, 8]\" = torch.ops.aten.neg.default(x)\n        return (neg,)", R"("neg")",
                      "const float* in_ptr0, float* out_ptr0",
                      "auto tmp0 = in_ptr0[x0];\nauto tmp1 = mystery(tmp0);\nout_ptr0[x0] = tmp1;\n", "x, buf0"),
              "");
}

} // namespace
} // namespace cutaway::test
