// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/json/json.h"
#include "core/ir/json/json_state.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "core/plugin/adoption.h"
#include "core/protocol/message.h"
#include "core/rewrite/rewriter.h"

#include <gtest/gtest.h>
#include <random>

namespace cutaway::plugin {

namespace {

struct AdoptionRow {
    const char *label;
    std::string before;     ///< the main function's body and signature, in the textual form
    std::string changed;    ///< the graph that another program made of `before`
    std::string after = {}; ///< the adopted graph, if it differs from `changed`, or the refusal
    std::string header = {};
    std::string changedHeader = {};
};

void PrintTo(const AdoptionRow &row, std::ostream *out) { *out << row.label; }

std::string forwardText(const std::string &header, const std::string &graph)
{
    return "model \"m\"\n" + header + "graph @forward" + graph + "\n";
}

/// The model once another program has had it as JSON and given it back changed, or why that is refused.
std::string adopted(ir::Model model, const std::string &changedText)
{
    const auto changed = ir::parseText(changedText);
    if (!changed)
        return "changed: " + changed.error().text();
    const auto back = ir::parseJsonState(ir::printJson(*changed), model.context);
    if (!back)
        return "json: " + back.error().text();
    const Task task;
    rewrite::Rewriter rewriter(model, ir::FunctionId{0}, []() -> const analysis::Shapes & { std::abort(); }, task);
    if (const auto outcome = adopt(rewriter, *back); !outcome)
        return outcome.error().text();
    rewriter.finish();
    EXPECT_EQ(ir::verify(model), std::vector<std::string>());
    return ir::printText(model);
}

class Adoptions : public testing::TestWithParam<AdoptionRow> { };

TEST_P(Adoptions, makeTheGraphTheChangedOne)
{
    const AdoptionRow &row = GetParam();
    const auto model = ir::parseText(forwardText(row.header, row.before));
    ASSERT_TRUE(model) << model.error().text();
    const std::string changed = forwardText(row.header + row.changedHeader, row.changed);
    const std::string after = adopted(*model, changed);
    if (row.after.empty() || row.after.starts_with("(")) {
        const auto wanted =
            ir::parseText(row.after.empty() ? changed : forwardText(row.header + row.changedHeader, row.after));
        ASSERT_TRUE(wanted) << wanted.error().text();
        EXPECT_EQ(after, ir::printText(*wanted));
    } else {
        EXPECT_EQ(after, row.after);
    }
}

const std::string relu = "(%x: float32[2]) {\n  #0 %r: float32[2] = aten::relu(self=%x)\n  return %r\n}";
const std::string branch = R"((%c: bool, %x: float32[2]) {
  #0 %r: float32[2] = prim::If(%c)
    region "then" {
      #1 %a: float32[2] = aten::relu(self=%x)
      return %a
    }
    region "else" {
      return %x
    }
  return %r
})";
const std::string aboveBranch = R"((%c: bool, %x: float32[2]) {
  #1 %a: float32[2] = aten::relu(self=%x)
  #0 %r: float32[2] = prim::If(%c)
    region "then" {
      return %a
    }
    region "else" {
      return %x
    }
  return %r
})";
const std::string branchChanged = R"((%c: bool, %x: float32[2]) {
  #0 %r: float32[2] = prim::If(%c)
    region "then" {
      #1 %a: float32[2] = aten::tanh(self=%x)
      return %a
    }
    region "else" {
      #2 %b: float32[2] = aten::neg(self=%x)
      return %b
    }
  return %r
})";
const std::string loop = R"((%x: float32[2]) {
  #0 %r: float32[2] = aten::relu(self=%x)
  #1 %l: float32[2] = prim::Loop(3, true, %r)
    region "body"(%i: int, %y: float32[2]) {
      #2 %z: float32[2] = aten::neg(self=%y)
      return true, %z
    }
  return %l named "r"
})";
const std::string weights =
    "storage 0: 8 bytes data \"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"\ntensor @w: float32[2] constant "
    "in storage 0\n";

INSTANTIATE_TEST_SUITE_P(
    Rows, Adoptions,
    testing::Values(
        AdoptionRow{"Nothing", relu, relu},
        AdoptionRow{
            "Operator", relu,
            "(%x: float32[2]) {\n  #0 %r: float32[2] = aten::gelu(self=%x, approximate=\"tanh\")\n  return %r\n}"},
        AdoptionRow{"Type", relu, "(%x: float32[2]) {\n  #0 %r: float16[2] = aten::relu(self=%x)\n  return %r\n}"},
        AdoptionRow{
            "NewNodeBefore", relu,
            "(%x: float32[2]) {\n  #1 %n: float32[2] = aten::neg(self=%x)\n  #0 %r: float32[2] = aten::relu(self=%n)\n"
            "  return %r\n}"},
        AdoptionRow{"NewNodeBehindWithOrigin", relu,
                    "(%x: float32[2]) {\n  #0 %r: float32[2] = aten::relu(self=%x)\n"
                    "  #1 %n: float32[2] = aten::neg(self=%r) from #0\n  return %n named \"r\"\n}"},
        AdoptionRow{"NodeGone", relu, "(%x: float32[2]) {\n  return %x\n}",
                    "(%x: float32[2]) next #1 {\n  return %x named \"r\"\n}"},
        AdoptionRow{"AnotherNodeInItsPlace", relu,
                    "(%x: float32[2]) {\n  #5 %r: float32[2] = aten::tanh(self=%x) from #0\n  return %r\n}",
                    "(%x: float32[2]) {\n  #1 %r: float32[2] = aten::tanh(self=%x) from #0\n  return %r\n}"},
        AdoptionRow{"NodesInBranches", branch, branchChanged}, AdoptionRow{"NewNodeWithARegion", relu, loop},
        AdoptionRow{"NodeWithRegionsGone", branch, "(%c: bool, %x: float32[2]) {\n  return %x\n}",
                    "(%c: bool, %x: float32[2]) next #2 {\n  return %x named \"r\"\n}"},
        AdoptionRow{
            "NewConstant", relu, "(%x: float32[2]) {\n  #0 %r: float32[2] = aten::relu(self=@w)\n  return %r\n}",
            "(%x: float32[2]) {\n  weight %w: float32[2] = @w\n  #0 %r: float32[2] = aten::relu(self=@w)\n  return "
            "%r\n}",
            "", weights},
        AdoptionRow{"OtherInputs", relu, "(%x: float32[2], %y: float32[2]) {\n  return %x\n}",
                    "the function has other inputs than before"},
        AdoptionRow{"OtherOutputs", relu, "(%x: float32[2]) {\n  return %x, %x\n}",
                    "the function has another number of outputs than before"},
        AdoptionRow{
            "MovedNode", branch,
            "(%c: bool, %x: float32[2]) {\n  #1 %a: float32[2] = aten::relu(self=%x)\n  return %a\n}",
            "(%c: bool, %x: float32[2]) {\n  #1 %a: float32[2] = aten::relu(self=%x)\n  return %a named \"r\"\n}"},
        AdoptionRow{"NodeMovedIntoABranch", aboveBranch, branch},
        AdoptionRow{"NodeMovedOutAheadOfItsBranch", branch, aboveBranch},
        AdoptionRow{"FewerResults",
                    "(%x: float32[2]) {\n  #0 %a: float32[1], %b: float32[1] = aten::unbind(self=%x)\n  return %a\n}",
                    "(%x: float32[2]) {\n  #0 %a: float32[1] = aten::unbind(self=%x)\n  return %a\n}",
                    "the node #0 has fewer outputs than before"}),
    [](const auto &row) { return row.param.label; });

TEST(Adoption, keepsTheTensorsThatThereWere)
{
    EXPECT_EQ(adopted(ir::parseText(forwardText(weights, relu)).value(), forwardText("", relu)),
              "there are fewer tensors than before");
}

TEST(Adoption, sharesWhatHasNotChanged)
{
    auto model = ir::parseText(forwardText("", loop)).value();
    const ir::Model before = model;
    const auto back = ir::parseJsonState(ir::printJson(model), model.context).value();
    const Task task;
    rewrite::Rewriter rewriter(model, ir::FunctionId{0}, []() -> const analysis::Shapes & { std::abort(); }, task);
    ASSERT_TRUE(adopt(rewriter, back));
    rewriter.finish();
    for (ir::NodeId id{0}; id.index < before.functions[0].graph.nodeCount(); ++id.index)
        EXPECT_TRUE(before.functions[0].graph.sharesNode(model.functions[0].graph, id)) << id.index;
}

using protocol::Json;

/// Every piece of a document.
void collect(Json &json, std::vector<Json *> &pieces)
{
    pieces.push_back(&json);
    if (json.is_structured())
        for (Json &part : json)
            collect(part, pieces);
}

/// One change of a kind that a faulty plugin may make: another number, a piece twice, away, or in another's place.
void damage(Json &document, std::mt19937 &random)
{
    std::vector<Json *> pieces;
    collect(document, pieces);
    Json &piece = *pieces[random() % pieces.size()];
    if (piece.is_number_unsigned())
        piece = (piece.get<std::uint64_t>() + random() % 4) % 5;
    else if (piece.is_array() && !piece.empty() && random() % 2 == 0)
        piece.push_back(Json(piece[random() % piece.size()]));
    else if (piece.is_array() && !piece.empty())
        piece.erase(random() % piece.size());
    else
        piece = Json(*pieces[random() % pieces.size()]);
}

TEST(Adoption, takesNothingThatIsNotWhole)
{
    std::mt19937 random(7);
    int taken = 0, refused = 0;
    for (const auto &[header, graph] : {std::pair(std::string(), branch), {std::string(), loop}, {weights, relu}}) {
        const std::string json = ir::printJson(ir::parseText(forwardText(header, graph)).value());
        for (int i = 0; i < 3000; ++i) {
            Json document = Json::parse(json);
            for (int n = 0; n <= i % 3; ++n)
                damage(document, random);
            auto model = ir::parseText(forwardText(header, i % 2 == 0 ? graph : relu)).value();
            const auto changed = ir::parseJsonState(document.dump(), model.context);
            if (!changed || !ir::verify(*changed).empty())
                continue;
            const Task task;
            rewrite::Rewriter rewriter(
                model, ir::FunctionId{0}, []() -> const analysis::Shapes & { std::abort(); }, task);
            const bool isTaken = adopt(rewriter, *changed).has_value();
            rewriter.finish();
            ASSERT_EQ(ir::verify(model), std::vector<std::string>()) << document;
            ++(isTaken ? taken : refused);
        }
    }
    EXPECT_GT(taken, 300);
    EXPECT_GT(refused, 300);
}

} // namespace

} // namespace cutaway::plugin
