// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class RemoveIdentities : public ::testing::TestWithParam<PassRow> { };

TEST_P(RemoveIdentities, leavesTheirArguments) { expectRow("remove-identities", GetParam()); }

PassRow gone(std::string name, const std::string &node)
{
    return {std::move(name), "(%x: float32[2, 3]) { " + node + " %r = aten::relu(self=%a) return %r }",
            "(%x: float32[2, 3]) { %r = aten::relu(self=%x) return %r }"};
}

PassRow identityStays(std::string name, const std::string &node)
{
    return {std::move(name), "(%x: float32[2, 3]) { " + node + " %r = aten::relu(self=%a) return %r }", ""};
}

INSTANTIATE_TEST_SUITE_P(
    Gone, RemoveIdentities,
    ::testing::Values(gone("dropoutOutOfTraining", "%a = aten::dropout(input=%x, p=0.5, train=false)"),
                      gone("anAlias", "%a = aten::alias(self=%x)"), gone("detached", "%a = aten::detach(self=%x)"),
                      gone("ofOnnx", "%a = onnx::Identity(%x)"), gone("dropoutOfOnnx", "%a = onnx::Dropout(%x)"),
                      gone("aConversionToTheSame", "%a = aten::to.dtype(self=%x, dtype=float32)"),
                      gone("aCastToTheSame", "%a = onnx::Cast(%x, to=1)"),
                      gone("theSameShape", "%a = aten::view(self=%x, size=[2, -1])"),
                      gone("contiguousAlready", "%a = aten::contiguous(self=%x)"),
                      gone("expandedToWhatItIs", "%a = aten::expand(self=%x, size=[2, 3])"),
                      gone("nothingToSqueeze", "%a = aten::squeeze.dim(self=%x, dim=0)"),
                      gone("aListOfOne", "%a = aten::cat(tensors=[%x], dim=0)"),
                      gone("concatOfOne", "%a = onnx::Concat(%x, axis=0)"),
                      gone("timesOne", "%a = aten::mul.Scalar(self=%x, other=1)"),
                      gone("axesAsTheyAre", "%a = aten::permute(self=%x, dims=[0, 1])"),
                      gone("permOfOnnx", "%a = onnx::Transpose(%x, perm=[0, 1])")),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Stays, RemoveIdentities,
    ::testing::Values(identityStays("dropoutInTraining", "%a = aten::dropout(input=%x, p=0.5, train=true)"),
                      identityStays("anotherDtype", "%a = aten::to.dtype(self=%x, dtype=float64)"),
                      identityStays("anotherDevice",
                                    "%a = aten::to.device(self=%x, device=device(\"cuda:0\"), dtype=float32)"),
                      identityStays("anotherShape", "%a = aten::view(self=%x, size=[3, 2])"),
                      identityStays("axesTurned", "%a = aten::t(self=%x)"),
                      identityStays("timesTwo", "%a = aten::mul.Scalar(self=%x, other=2)"),
                      identityStays("axesTurnedOfOnnx", "%a = onnx::Transpose(%x)"),
                      identityStays("aCopyThatIsWrittenTo", "%a = aten::clone(self=%x) %w = aten::neg_(self=%a)")),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Permutations, RemoveIdentities,
    ::testing::Values(
        PassRow{
            "twoThatUndoEachOther",
            R"((%x: float32[2, 3, 4]) {
                     %a = aten::permute(self=%x, dims=[1, 2, 0]) %b = aten::permute(self=%a, dims=[2, 0, 1])
                     %r = aten::relu(self=%b) return %r })",
            R"((%x: float32[2, 3, 4]) { %a = aten::permute(self=%x, dims=[1, 2, 0]) %r = aten::relu(self=%x) return %r })"},
        PassRow{"threeThatUndoEachOther",
                R"((%x: float32[2, 3, 4]) {
                     %a = aten::permute(self=%x, dims=[1, 2, 0]) %b = aten::permute(self=%a, dims=[1, 2, 0])
                     %c = aten::permute(self=%b, dims=[1, 2, 0]) %r = aten::relu(self=%c) return %r })",
                R"((%x: float32[2, 3, 4]) {
                     %a = aten::permute(self=%x, dims=[1, 2, 0]) %b = aten::permute(self=%a, dims=[1, 2, 0])
                     %r = aten::relu(self=%x) return %r })"},
        PassRow{"aTranspositionTwice",
                "(%x: float32[2, 3]) { %a = aten::t(self=%x) %b = aten::transpose.int(self=%a, dim0=-1, dim1=0) %r = "
                "aten::relu(self=%b) return %r }",
                "(%x: float32[2, 3]) { %a = aten::t(self=%x) %r = aten::relu(self=%x) return %r }"},
        PassRow{"butNotTwoThatDoNot",
                R"((%x: float32[2, 2, 2]) {
                     %a = aten::permute(self=%x, dims=[1, 2, 0]) %b = aten::permute(self=%a, dims=[1, 2, 0])
                     %r = aten::relu(self=%b) return %r })",
                ""},
        PassRow{"butNotOfTheLastTurnOfALoop",
                R"((%x: float32[1]) {
                     %r = prim::Loop(3, true, %x)
                       region "body" (%i: int, %s) {
                         %e = aten::expand(self=%s, size=[4])
                         %t = aten::cat(tensors=[%e], dim=0)
                         return true, %t
                       }
                     return %r })",
                ""},
        PassRow{"butNotAResultThatIsAnInput", "(%x: float32[2]) { %r = onnx::Identity(%x) return %r }", ""},
        PassRow{"butNotASecondResult", "(%x: float32[2]) { %a = onnx::Relu(%x) %r = onnx::Identity(%a) return %a, %r }",
                ""},
        PassRow{"aResultOfItsOwn",
                "(%x: float32[2]) { %a = onnx::Relu(%x) %r: float32[2] = onnx::Identity(%a) return %r }",
                "(%x: float32[2]) { %a: float32[2] = onnx::Relu(%x) return %a named \"r\" }"},
        PassRow{"ofUnknownSizes",
                "(%x: float32[s0, 3]) { %a = aten::view(self=%x, size=[$(s0), 3]) %r = aten::relu(self=%a) return %r }",
                "(%x: float32[s0, 3]) { %r = aten::relu(self=%x) return %r }"}),
    rowName);

} // namespace
} // namespace cutaway::test
