// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Where the nodes of a graph came from, without a record of it.
#include "core/base/formatted.h"
#include "core/base/temporary_folder.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/sequence/mapping.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

/// "amax: c; sub: c": the nodes of the second graph with those of the first one. Both are statements of graphs with
/// the input x.
std::string originsOf(std::string_view before, std::string_view after)
{
    const auto folder = TemporaryFolder::make();
    if (!folder)
        return folder.error().text();
    std::vector<std::string> paths;
    for (const std::string_view statements : {before, after}) {
        paths.push_back((folder->path() / formatted("{}.txt", paths.size())).string());
        EXPECT_TRUE(writeWholeFile(
            paths.back(),
            formatted("class A(torch.nn.Module):\n    def forward(self, x: \"f32[4, 8]\"):\n{}", statements)));
    }
    const auto mapping = sequence::mapAddresses(paths[0], paths[1], true);
    if (!mapping)
        return mapping.error().text();
    std::vector<std::string> texts;
    for (const sequence::NodeOrigin &pair : mapping->pairs)
        texts.push_back(pair.node + ": " + joined(pair.from, ", "));
    return joined(texts, "; ");
}

TEST(Mapping, whatReadsTheEndOfADecompositionIsOfTheNextOne)
{
    EXPECT_EQ(originsOf("        # File: model.py:7 in f, code: return mystery(x.relu())\n"
                        "        r: \"f32[4, 8]\" = torch.relu(x)\n        c: \"f32[4, 8]\" = torch.mystery(r)\n"
                        "        return (c,)",
                        "        # File: model.py:7 in f, code: return mystery(x.relu())\n"
                        "        relu: \"f32[4, 8]\" = torch.ops.aten.relu.default(x)\n"
                        "        amax: \"f32[4, 1]\" = torch.ops.aten.amax.default(relu, [1], True)\n"
                        "        sub: \"f32[4, 8]\" = torch.ops.aten.sub.Tensor(relu, amax)\n        return (sub,)"),
              "relu: r; amax: c; sub: c");
}

TEST(Mapping, whatIsInsideOfADecompositionIsOfItsEnd)
{
    EXPECT_EQ(
        originsOf("        s: \"f32[4, 8]\" = torch.sigmoid(x)\n        r: \"f32[4, 8]\" = torch.relu(s)\n"
                  "        return (r,)",
                  "        neg: \"f32[4, 8]\" = torch.ops.aten.neg.default(x)\n"
                  "        exp: \"f32[4, 8]\" = torch.ops.aten.exp.default(neg)\n"
                  "        add: \"f32[4, 8]\" = torch.ops.aten.add.Tensor(exp, 1)\n"
                  "        reciprocal: \"f32[4, 8]\" = torch.ops.aten.reciprocal.default(add)\n"
                  "        relu: \"f32[4, 8]\" = torch.ops.aten.relu.default(reciprocal)\n        return (relu,)"),
        "neg: s; exp: s; add: s; reciprocal: s; relu: r");
}

TEST(Mapping, whatWasFusedComesFromAllOfIt)
{
    EXPECT_EQ(originsOf("        relu: \"f32[4, 8]\" = torch.ops.aten.relu.default(x)\n"
                        "        div: \"f32[4, 8]\" = torch.ops.aten.div.Tensor(relu, 1.4142135623730951)\n"
                        "        erf: \"f32[4, 8]\" = torch.ops.aten.erf.default(div)\n"
                        "        add: \"f32[4, 8]\" = torch.ops.aten.add.Tensor(erf, 1)\n"
                        "        mul: \"f32[4, 8]\" = torch.ops.aten.mul.Tensor(relu, add)\n"
                        "        half: \"f32[4, 8]\" = torch.ops.aten.mul.Tensor(mul, 0.5)\n        return (half,)",
                        "        relu: \"f32[4, 8]\" = torch.ops.aten.relu.default(x)\n"
                        "        gelu: \"f32[4, 8]\" = torch.ops.aten.gelu.default(relu)\n        return (gelu,)"),
              "relu: relu; gelu: div, erf, add, mul, half");
}

TEST(Mapping, whatDidNothingOrIsReadElsewhereIsNotFused)
{
    EXPECT_EQ(originsOf("        neg: \"f32[4, 8]\" = torch.ops.aten.neg.default(x)\n"
                        "        view: \"f32[4, 8]\" = torch.ops.aten.view.default(neg, [4, 8])\n"
                        "        exp: \"f32[4, 8]\" = torch.ops.aten.exp.default(view)\n"
                        "        add: \"f32[4, 8]\" = torch.ops.aten.add.Tensor(exp, 1)\n"
                        "        reciprocal: \"f32[4, 8]\" = torch.ops.aten.reciprocal.default(add)\n"
                        "        return (reciprocal, exp)",
                        "        neg: \"f32[4, 8]\" = torch.ops.aten.neg.default(x)\n"
                        "        exp: \"f32[4, 8]\" = torch.ops.aten.exp.default(neg)\n"
                        "        sigmoid: \"f32[4, 8]\" = torch.ops.aten.sigmoid.default(x)\n"
                        "        return (sigmoid, exp)"),
              "neg: neg; exp: exp; sigmoid: add, reciprocal");
}

} // namespace
} // namespace cutaway::test
