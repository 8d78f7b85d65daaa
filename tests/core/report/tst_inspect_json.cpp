// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/text/text.h"
#include "core/report/inspect.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/small_model.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace cutaway;
using nlohmann::json;

namespace {

json inspect(const symbolic::Bindings &bindings = {}, std::optional<ir::FunctionId> function = {})
{
    return json::parse(report::inspectJson(test::smallModel(), {bindings, {}}, function));
}

const json &member(const json &list, std::string_view name)
{
    for (const json &item : list)
        if (item.at("name") == name)
            return item;
    throw std::out_of_range(std::string(name));
}

TEST(InspectJson, namesTheModel)
{
    const json report = inspect();
    EXPECT_EQ(report.at("schema"), "cutaway.report/1");
    const json &model = report.at("model");
    EXPECT_EQ(model.at("path"), "small.pt2");
    EXPECT_EQ(model.at("format"), "pt2");
    EXPECT_EQ(model.at("producer_version"), "2.6.0");
    EXPECT_EQ(model.at("name"), nullptr);
    EXPECT_EQ(model.at("opsets"), json::parse(R"([{"domain": "aten", "version": 10}])"));
    EXPECT_EQ(model.at("metadata"), json::parse(R"([{"key": "author", "value": "nobody"}])"));
}

TEST(InspectJson, listsSymbolsWithTheirRanges)
{
    EXPECT_EQ(inspect().at("symbols"), json::parse(R"([{"name": "s0", "min": 2, "max": 64, "hint": 8},
                                                       {"name": "u0", "min": 0, "max": null, "hint": null,
                                                        "needed": {"min": 2, "max": 2}}])"));
}

TEST(InspectJson, listsSizesThatDataDecidesAndTheFileDoesNotName)
{
    const ir::Model model = test::modelOf(R"((%x: float32[4, s0], %n: int64[]) {
        %i: int64[*] = aten::nonzero(self=%x)
        %k: int = aten::item(self=%n)
        return %i, %k })",
                                          "symbol s0 [2, 9223372036854775806]\n");
    const json report = json::parse(report::inspectJson(model, {}));
    EXPECT_EQ(report.at("symbols").at(0).at("max"), 9223372036854775806);
    EXPECT_EQ(report.at("data_sizes"), json::parse(R"([{"name": "u_0", "min": 0, "max": "4*s0"},
                                                       {"name": "item_1", "min": null, "max": null}])"));
    const std::string text = report::inspectText(model, {});
    EXPECT_NE(text.find("u_0     0 to 4*s0"), std::string::npos) << text;
    EXPECT_NE(text.find("decided by data"), std::string::npos) << text;
}

TEST(InspectJson, countsTensors)
{
    const json report = inspect();
    EXPECT_EQ(report.at("parameters"), json::parse(R"({"count": 15, "tensors": 2, "bytes": 60, "storage_bytes": 48})"));
    EXPECT_EQ(report.at("buffers").at("count"), 2);
}

TEST(InspectJson, signatureHasKindsTypesAndTargets)
{
    const json report = inspect();
    const json &inputs = report.at("functions").at(0).at("inputs");
    EXPECT_EQ(member(inputs, "p_fc_weight"),
              json::parse(R"({"name": "p_fc_weight", "kind": "parameter", "type": "tensor",
                  "dtype": "float32", "shape": [3, 4], "target": "fc.weight"})"));
    EXPECT_EQ(member(inputs, "x").at("kind"), "user_input");
    EXPECT_EQ(member(inputs, "x").at("shape"), json::parse(R"(["s0", 4, "2*u0"])"));
    EXPECT_EQ(member(inputs, "n").at("type"), "int");
    EXPECT_EQ(member(inputs, "n").at("dtype"), nullptr);
    EXPECT_EQ(report.at("functions").at(0).at("outputs").at(0).at("kind"), "user_output");
}

TEST(InspectJson, weightsOutsideTheSignatureAreInputsToo)
{
    const json report = inspect();
    EXPECT_EQ(member(report.at("functions").at(0).at("inputs"), "b_mean").at("kind"), "buffer");
}

TEST(InspectJson, nodesKeepTheirArguments)
{
    const json report = inspect();
    const json &linear = member(report.at("functions").at(0).at("nodes"), "linear");
    EXPECT_EQ(linear.at("op"), "aten::linear.default");
    EXPECT_EQ(linear.at("scope"), "fc");
    EXPECT_EQ(linear.at("source"), "net.py:12");
    EXPECT_EQ(linear.at("inputs"), json::parse(R"(["x", "p_fc_weight"])"));
    EXPECT_EQ(linear.at("outputs"), json::parse(R"(["linear"])"));
    EXPECT_EQ(linear.at("flops"), "48*s0*u0");
    EXPECT_EQ(linear.at("regions"), json::array());
    EXPECT_EQ(linear.at("arguments"), json::parse(R"([{"name": "input", "value": {"value": "x"}},
        {"name": "weight", "value": {"value": "p_fc_weight"}},
        {"name": "sizes", "value": [1, {"expr": "s0"}]},
        {"name": "dtype", "value": {"dtype": "float16"}}])"));
}

TEST(InspectJson, regionsHaveTheFormOfFunctions)
{
    const json report = inspect();
    const json &cond = report.at("functions").at(0).at("nodes").at(1);
    ASSERT_EQ(cond.at("regions").size(), 2u);
    const json &branch = cond.at("regions").at(1);
    EXPECT_EQ(branch.at("name"), "false_graph_0");
    EXPECT_EQ(branch.at("inputs").at(0).at("name"), "arg0");
    EXPECT_EQ(branch.at("nodes").at(0).at("op"), "aten::cos.default");
    EXPECT_EQ(branch.at("values").at(0).at("type"), "tensor");
    EXPECT_EQ(branch.at("values").at(0).at("recorded_shape"), nullptr);
    EXPECT_EQ(branch.at("outputs").at(0).at("name"), "cos");
}

TEST(InspectJson, nodesWithoutANameHaveTheirNumber) { EXPECT_EQ(inspect()["functions"][0]["nodes"][1]["name"], "%1"); }

TEST(InspectJson, sizesAreDerivedWhereTheFileRecordsOthers)
{
    const json report = inspect();
    const json &getitem = member(report.at("functions").at(0).at("values"), "getitem");
    EXPECT_EQ(getitem.at("shape"), json::parse(R"(["s0", 4, 3])"));
    EXPECT_EQ(getitem.at("recorded_shape"), json::parse(R"(["s0", null])"));
    EXPECT_EQ(report.at("totals").at("flops"), "48*s0*u0");
}

TEST(InspectJson, whatIsUnknownIsNullAndCounted)
{
    const auto model =
        ir::parseText("model \"m\"\ngraph @forward(%x: float32[2]) {\n  %y = mine::op(%x)\n  return %y\n}\n");
    ASSERT_TRUE(model) << model.error().text();
    const json report = json::parse(report::inspectJson(*model));
    EXPECT_EQ(member(report.at("functions").at(0).at("values"), "y").at("shape"), nullptr);
    const json &totals = report.at("totals");
    EXPECT_EQ(totals.at("nodes"), 1);
    EXPECT_EQ(totals.at("unknown_flops_nodes"), 1);
    EXPECT_EQ(totals.at("unknown_shape_values"), 1);
    EXPECT_EQ(totals.at("flops"), nullptr);
    EXPECT_EQ(totals.at("peak_activation_bytes"), nullptr);
    EXPECT_EQ(report.at("diagnostics").at(0).at("message"), "no rule for mine::op");
}

TEST(InspectJson, whatTheFileAloneSaysIsMarkedAndTotalsAreBounds)
{
    const auto model =
        ir::parseText("model \"m\"\ngraph @forward(%x: float32[2, 2]) {\n  %a: float32[2, 2] = mine::op(%x)\n"
                      "  %y = aten::mm(self=%a, mat2=%a)\n  return %y\n}\n");
    ASSERT_TRUE(model) << model.error().text();
    const json report = json::parse(report::inspectJson(*model));
    const json &values = report.at("functions").at(0).at("values");
    EXPECT_EQ(member(values, "a").at("shape"), json::parse("[2, 2]"));
    EXPECT_EQ(member(values, "a").at("from_record"), true);
    EXPECT_FALSE(member(values, "y").contains("from_record"));
    const json &totals = report.at("totals");
    EXPECT_EQ(totals.at("flops"), nullptr);
    EXPECT_EQ(totals.at("at_least").at("flops"), 16);
    EXPECT_EQ(totals.at("peak_activation_bytes"), 32);
    EXPECT_FALSE(totals.at("at_least").contains("peak_activation_bytes"));
    EXPECT_EQ(totals.at("unknown_flops_nodes"), 1);
    EXPECT_EQ(totals.at("unknown_shape_values"), 0);
    EXPECT_EQ(totals.at("recorded_shape_values"), 1);
}

TEST(InspectJson, boundSymbolsAreNumbersEverywhereButInWhatIsRecorded)
{
    const json report = inspect({{"s0", 5}, {"u0", 2}});
    const json &function = report.at("functions").at(0);
    EXPECT_EQ(member(function.at("inputs"), "x").at("shape"), json::parse("[5, 4, 4]"));
    EXPECT_EQ(member(function.at("inputs"), "n").at("value"), 2);
    EXPECT_EQ(member(function.at("values"), "linear").at("shape"), json::parse("[5, 4, 3]"));
    EXPECT_EQ(member(function.at("values"), "linear").at("recorded_shape"), json::parse(R"(["s0", 3])"));
    EXPECT_EQ(member(function.at("values"), "linear").at("recorded_dtype"), "float32");
    EXPECT_EQ(report.at("symbols").at(0).at("bound"), 5);
}

TEST(InspectJson, tellsWhatIsRecordedWronglyAndPassesDiagnosticsOn)
{
    const json diagnostics = inspect().at("diagnostics");
    EXPECT_EQ(diagnostics.front().at("code"), "shape.mismatch");
    EXPECT_EQ(diagnostics.front().at("message"), "linear: float32[s0, 4, 3] is derived and float32[s0, 3] recorded");
    EXPECT_EQ(diagnostics.back(), json::parse(R"({"severity": "warning", "code": "test.odd",
                                                             "message": "a \"quoted\" oddity"})"));
}

TEST(InspectJson, oneFunctionCanBeAskedFor)
{
    ir::Model model = test::smallModel();
    model.functions.push_back(model.functions.front());
    EXPECT_EQ(json::parse(report::inspectJson(model)).at("functions").size(), 2u);
    EXPECT_EQ(json::parse(report::inspectJson(model, {}, ir::FunctionId{1})).at("functions").size(), 1u);
}

TEST(InspectJson, isWholeAlsoIfItIsStopped)
{
    std::stop_source stopped;
    stopped.request_stop();
    const ir::Model model = test::modelOf("(%x: float32[2, 3]) { %y = aten::relu(self=%x) return %y }");
    const auto shapeOf = [](const std::string &text) {
        return json::parse(text).at("functions").at(0).at("values").at(0).at("shape");
    };
    EXPECT_EQ(shapeOf(report::inspectJson(model)), json::parse("[2, 3]"));
    EXPECT_EQ(shapeOf(report::inspectJson(model, {}, {}, {}, {stopped.get_token(), {}})), nullptr);
}

} // namespace
