// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of torch.export that were read from no archive.
#include "core/base/mapped_file.h"
#include "core/formats/archive/zip.h"
#include "core/formats/format.h"
#include "core/ir/node_ref.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "tests/core/formats/round_trip/folder.h"
#include "tests/core/ir/parsed.h"

#include <fstream>
#include <gtest/gtest.h>

namespace {

using namespace cutaway;

class NewPt2 : public testing::Test {
protected:
    ir::Model writtenAndRead(const ir::Model &model)
    {
        const auto written = formats::write(model, m_folder / "a.pt2");
        EXPECT_TRUE(written) << (written ? "" : written.error().text());
        auto again = formats::open(m_folder / "a.pt2");
        EXPECT_TRUE(again) << (again ? "" : again.error().text());
        return again ? std::move(*again) : ir::Model();
    }
    std::string member(const std::string &name) const
    {
        const auto file = MappedFile::open(m_folder / "a.pt2");
        const auto zip = formats::archive::Zip::open(file->bytes());
        const auto *found = zip->find(name);
        return found ? std::string(zip->read(*found)->text()) : "(none)";
    }
    std::string program() const { return member("serialized_exported_program.json"); }

    tests::Folder m_folder;
};

constexpr const char *withAWeight = R"(format "pt2"
symbol s0 [2, 64] hint 8
storage 0: 8 bytes data "\x00\x00\x80\x3f\x00\x00\x00\x40"
tensor @fc.weight: float32[2] parameter in storage 0 grad
location !1 "net.py":7 in "forward" text "return x * w"
scope fc class "torch.nn.Linear"
graph @forward(parameter weight %p_fc_weight: float32[2] = @fc.weight target "fc.weight", %x: float32[s0, 2]) {
  %mul: float32[s0, 2] = aten::mul.Tensor(self=%x, other=%p_fc_weight) in fc at !1
  return %mul
}
)";

} // namespace

TEST_F(NewPt2, hasWeightsRangesAndSources)
{
    const ir::Model made = writtenAndRead(test::parsed(withAWeight));
    ASSERT_EQ(made.tensors.size(), 1u);
    EXPECT_EQ(made.context->text(made.tensors[0].name), "fc.weight");
    EXPECT_EQ(std::get<std::vector<double>>(*ir::numbersOf(made, ir::TensorId{0})), (std::vector<double>{1, 2}));
    ASSERT_EQ(made.symbols.size(), 1u);
    EXPECT_EQ(made.symbols[0].max, 64);
    EXPECT_TRUE(made.diagnostics.empty());
    EXPECT_EQ(made.symbols[0].hint, 8); // without it torch 2.6 cannot look at formulas of it
    EXPECT_EQ(member("version"), "8.2");
    EXPECT_TRUE(
        program().contains(R"("stack_trace":"  File \"net.py\", line 7, in forward\u000a    return x * w\u000a")"))
        << program();
    EXPECT_TRUE(program().contains(R"("nn_module_stack":"L__self__,,;L__self___fc,fc,torch.nn.Linear")")) << program();
    EXPECT_EQ(m_folder.fileCount(), 1);
}

TEST_F(NewPt2, hasEmptyWeightsWhereThereAreNone)
{
    writtenAndRead(
        test::modelOf("(%x: float32[2]) { %r: float32[2] = aten::relu(self=%x) return %r }", "format \"pt2\"\n"));
    EXPECT_TRUE(member("serialized_state_dict.pt").starts_with("PK"));
    EXPECT_TRUE(member("serialized_constants.pt").starts_with("PK"));
    EXPECT_EQ(member("serialized_example_inputs.pt"), "");
}

TEST_F(NewPt2, hasTheTreesOfItsMetadataIfTheyFit)
{
    const std::string leaf = R"({\"type\":null,\"context\":null,\"children_spec\":[]})";
    const std::string graph = "graph @forward(%x: float32[2]) { %r: float32[2] = aten::relu(self=%x) return %r }\n";
    const auto withSpec = [&](const std::string &children) {
        writtenAndRead(test::parsed("format \"pt2\"\nmetadata \"torch.export.out_spec\" \"[1,{\\\"children_spec\\\":["
                                    + children + "]}]\"\n" + graph));
        return program();
    };
    EXPECT_TRUE(withSpec(leaf).contains(R"("out_spec":"[1,{\"children_spec\":[)"));
    EXPECT_FALSE(withSpec(leaf + "," + leaf).contains(R"("out_spec":"[1,{\"children_spec\":[)"));
}

/// Values of the graph around a branch become operands, as do weights; a result that stands alone is a list of one, by
/// which torch 2.6 knows it from a tensor.
TEST_F(NewPt2, hasBranches)
{
    const ir::Model made = writtenAndRead(test::modelOf(R"((%x: float32[2], %p: bool[]) {
  %r: float32[2] = higher_order::cond(%p, [])
    region "true_graph_0" {
      %s: float32[2] = aten::sin(self=%x)
      return %s
    }
    region "false_graph_0" {
      %c: float32[2] = aten::cos(self=%x)
      return %c
    }
  return %r
})",
                                                        "format \"pt2\"\n"));
    const ir::NodeRef cond(made.functions.front().graph, ir::NodeId{0});
    ASSERT_EQ(cond->regions.size(), 2u);
    EXPECT_EQ(cond.region(1).inputs.size(), 1u);
    EXPECT_TRUE(program().contains(R"("outputs":[{"as_tensors":[{"name":"r"}]}])")) << program();
}

TEST_F(NewPt2, replacesWhatHasItsName)
{
    std::ofstream(m_folder / "a.pt2") << "something else";
    const ir::Model made = writtenAndRead(
        test::modelOf("(%x: float32[2]) { %r: float32[2] = aten::relu(self=%x) return %r }", "format \"pt2\"\n"));
    EXPECT_EQ(made.functions.size(), 1u);
    EXPECT_EQ(m_folder.fileCount(), 1);
}
