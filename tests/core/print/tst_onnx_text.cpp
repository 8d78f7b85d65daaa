// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/onnx_text.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

TEST(OnnxText, isThatOfOnnxPrinter)
{
    const ir::Model model = parsed(R"(
        opset "ai.onnx" 17
        storage 0: 8 bytes data "\x00\x00\x80\x3f\x00\x00\x20\x40"
        tensor @w: float32[2] parameter in storage 0
        graph @main(%c: bool[], %x: float32[N, 2]) {
          weight %w: float32[2] = @w
          %a: float32[N, 2] = onnx::Add(%x, %w)
          %y: float32[?, 2] = onnx::If(%c)
            region "then" { %t: float32[N, 2] = onnx::LeakyRelu(%a, alpha=0.1) return %t }
            region "else" { %p: float32[2, N] = onnx::Transpose(%a, perm=[1, 0]) return %p }
          return %y })");
    const auto text = print::onnxText(model, std::nullopt);
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_EQ(*text, R"(<
   opset_import: ["" : 17]
>
main (bool c, float[N,2] x) => (float[?,2] y)
   <float[2] w = {1,2.5}>
{
   a = Add (x, w)
   y = If <then_branch: graph = then () => (float[N,2] t) {
      t = LeakyRelu <alpha: float = 0.1> (a)
   }, else_branch: graph = else () => (float[2,N] p) {
      p = Transpose <perm: ints = [1, 0]> (a)
   }> (c)
}
)");
}

TEST(OnnxText, listsWeightsThatCallersMayReplaceAmongTheInputsToo)
{
    const ir::Model model = parsed(R"(
        opset "ai.onnx" 17
        storage 0: 8 bytes data "\x00\x00\x80\x3f\x00\x00\x20\x40"
        tensor @w: float32[2] parameter in storage 0
        graph @main(%x: float32[2], overridable weight %w: float32[2] = @w) {
          %y: float32[2] = onnx::Add(%x, %w)
          return %y })");
    const auto text = print::onnxText(model, std::nullopt);
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_EQ(*text, R"(<
   opset_import: ["" : 17]
>
main (float[2] x, float[2] w) => (float[2] y)
   <float[2] w = {1,2.5}>
{
   y = Add (x, w)
}
)");
}

TEST(OnnxText, isOfOnnxModelsAlone)
{
    const auto text = print::onnxText(parsed("graph @main(%x: float32[2]) { %y = aten::relu(self=%x) return %y }"), {});
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().kind, ErrorKind::Usage);
    EXPECT_EQ(text.error().message, "ONNX's text form is for ONNX models; this one has the operator aten::relu");
}

} // namespace
} // namespace cutaway::test
