// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/outline.h"

#include "core/analysis/counts.h"
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/formats/graph_text/reader.h"

#include <gtest/gtest.h>

namespace cutaway::sequence {

namespace {

Outline outlineOfText(const std::string &text)
{
    const auto folder = TemporaryFolder::make().value();
    EXPECT_TRUE(writeWholeFile(folder.path() / "graph.txt", text));
    const auto file = std::make_shared<const MappedFile>(MappedFile::open(folder.path() / "graph.txt").value());
    return outlineOf({file, {{0, text.size()}}, false});
}

std::string graph(const std::string &body)
{
    return "class G(torch.nn.Module):\n    def forward(self, x: \"f32[2]\"):\n" + body;
}

const std::string plain = graph("        a: \"f32[2]\" = torch.relu(x)\n        return (a,)\n");

struct PairRow {
    const char *label;
    std::string text;
    bool isEqual;
};

class OutlineTest : public testing::TestWithParam<PairRow> { };

TEST_P(OutlineTest, tellsWhetherTheGraphIsThePlainOne)
{
    EXPECT_EQ(outlineOfText(GetParam().text).fingerprint == outlineOfText(plain).fingerprint, GetParam().isEqual);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, OutlineTest,
    testing::Values(
        PairRow{"Comments",
                graph("        # File: a.py\n        a: \"f32[2]\" = torch.relu(x)  # b\n        return (a,)\n"), true},
        PairRow{"Frees", graph("        a: \"f32[2]\" = torch.relu(x);  x = y = None\n        return (a,)\n"), true},
        PairRow{"Blanks", graph("        a: \"f32[2]\"  =  torch.relu( x )\n\n        return (a, )\n"), true},
        PairRow{"SeveralLines",
                "class H(torch.nn.Module):\n    def forward(\n        self,\n        x: \"f32[2]\",  # PlainAOTInput\n "
                "   ):\n"
                "        a: \"f32[2]\" = torch.relu(x)\n        return (\n            a,\n        )\n",
                true},
        PairRow{"AnotherName", graph("        b: \"f32[2]\" = torch.relu(x)\n        return (b,)\n"), false},
        PairRow{"AnotherTarget", graph("        a: \"f32[2]\" = torch.sin(x)\n        return (a,)\n"), false},
        PairRow{"AnotherType", graph("        a: \"f32[3]\" = torch.relu(x)\n        return (a,)\n"), false},
        PairRow{"AnotherResult", graph("        a: \"f32[2]\" = torch.relu(x)\n        return (x,)\n"), false},
        PairRow{"NoTuple", graph("        a: \"f32[2]\" = torch.relu(x)\n        return a\n"), false},
        PairRow{"AnotherInput",
                "class G(torch.nn.Module):\n    def forward(self, x: \"f32[2]\", y):\n        a: \"f32[2]\" = "
                "torch.relu(x)\n"
                "        return (a,)\n",
                false}),
    [](const auto &row) { return row.param.label; });

struct CountRow {
    const char *label;
    std::string text;
    std::uint64_t nodes;
    bool isWhole;
};

class OutlineCountTest : public testing::TestWithParam<CountRow> { };

TEST_P(OutlineCountTest, countsNodes)
{
    const Outline outline = outlineOfText(GetParam().text);
    EXPECT_EQ(outline.nodes, GetParam().nodes);
    EXPECT_EQ(outline.isWhole, GetParam().isWhole);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, OutlineCountTest,
    testing::Values(
        CountRow{"Calls", plain, 1, true},
        CountRow{"AttributesAreNone",
                 graph("        w = self.w\n        v = getattr(self.a, \"0\").b\n        return (w,)\n"), 0, true},
        CountRow{"CallsOfModules",
                 graph("        a = self.layer(x)\n        b = getattr(self.a, \"0\")(x)\n        return (b,)\n"), 2,
                 true},
        CountRow{"OtherNamesAreNone", graph("        y = x\n        return (y,)\n"), 0, true},
        CountRow{"OperatorsAreNodes", graph("        y = x + 1\n        z = -y\n        return (z,)\n"), 2, true},
        CountRow{"CutInTheMiddle", graph("        a: \"f32[2]\" = torch.relu(x)\n        b: \"f32"), 1, false},
        CountRow{"JointInputs",
                 "class joint_helper(torch.nn.Module):\n    def forward(self, primals, tangents):\n        primals_1: "
                 "\"f32[2]\"; tangents_1: \"f32[2]\"\n"
                 "        primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n"
                 "        mul = torch.ops.aten.mul.Tensor(primals_1, tangents_1)\n        return "
                 "pytree.tree_unflatten([mul], self._out_spec)\n",
                 1, true},
        CountRow{"List",
                 "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %a : [num_users=1] = "
                 "call_function[target=torch.relu](args = (%x,), kwargs = {})\n"
                 "    return (a,)\n",
                 1, true}),
    [](const auto &row) { return row.param.label; });

/// Graphs in which items are results of a node, or nodes.
const std::pair<const char *, std::string> withItems[] = {
    {"OfSeveralResults",
     graph("        v = torch.ops.aten.var_mean.correction(x, [0])\n        a: \"f32[]\" = v[0]\n"
           "        b: \"f32[]\" = v[1]\n        return (a, b)\n")},
    {"OfAListOfTensors",
     graph("        s = torch.ops.aten.split.Tensor(x, 1)\n        a: \"f32[1]\" = s[0]\n"
           "        return (a,)\n")},
    {"OfATensor", graph("        r: \"f32[2]\" = torch.relu(x)\n        a: \"f32[]\" = r[0]\n        return (a,)\n")},
    {"OfAnInput", graph("        a = x[0]\n        return (a,)\n")},
    {"OfAnUnknownFunction", graph("        t = my.library.pair(x)\n        a = t[0]\n        return (a,)\n")},
    {"OfAnUnknownFunctionReadWhole",
     graph("        t = my.library.pair(x)\n        r = torch.relu(t)\n"
           "        a = t[0]\n        return (a, r)\n")},
    {"OfAMethod", graph("        u = x.unbind(0)\n        a = u[0]\n        return (a,)\n")},
};

TEST(OutlineItems, areCountedAsTheReaderOfGraphsHasThem)
{
    for (const auto &[label, text] : withItems) {
        const auto model = formats::graph_text::readText(text, "graph");
        ASSERT_TRUE(model) << label;
        EXPECT_EQ(outlineOfText(text).nodes,
                  static_cast<std::uint64_t>(analysis::countNodes(model->functions.front().graph)))
            << label;
    }
}

} // namespace

} // namespace cutaway::sequence
