// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// JSON holds all that the textual form holds: text → model → JSON → model → text.

#include "core/ir/json/json.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "tests/core/ir/sample_texts.h"

#include <gtest/gtest.h>

namespace cutaway::ir {

namespace {

struct JsonRow {
    const char *label;
    const char *text;
};

class Json : public testing::TestWithParam<JsonRow> { };

TEST_P(Json, carriesTheWholeModel)
{
    const auto model = parseText(GetParam().text);
    ASSERT_TRUE(model) << model.error().text();
    const std::string json = printJson(*model);
    const auto again = parseJson(json);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(printText(*again), printText(*model));
    EXPECT_EQ(verify(*again), std::vector<std::string>());
    EXPECT_EQ(printJson(*again), json);
}

INSTANTIATE_TEST_SUITE_P(Rows, Json,
                         testing::Values(JsonRow{"Empty", ""}, JsonRow{"Head", samples::head},
                                         JsonRow{"Operands", samples::operands}, JsonRow{"Types", samples::types},
                                         JsonRow{"Names", samples::names}, JsonRow{"Scopes", samples::scopes},
                                         JsonRow{"Regions", samples::regions},
                                         JsonRow{"Signatures", samples::signatures}),
                         [](const auto &row) { return row.param.label; });

TEST(JsonSchema, unknownMembersAndMinorVersionsAreIgnored)
{
    const auto model = parseJson(R"({"schema": "cutaway.ir/1.7", "new": [1], "name": "m", "functions": [
        {"name": "f", "sparkle": true, "values": [{"name": "x"}], "body": {"inputs": [0], "nodes": [
            {"id": 3, "op": {"dialect": "aten", "name": "relu"}, "colour": "red", "arguments": [["", {"value": 0}]]}]},
         "inputs": [{"name": "x", "kind": "user", "value": {"value": 0}}]}]})");
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(printText(*model), "model \"m\"\ngraph @f(%x) {\n  #3 aten::relu(%x)\n}\n");
    EXPECT_EQ(verify(*model), std::vector<std::string>());
}

TEST(JsonSchema, aValueThatNobodyMakesOrReadsIsLeftOut)
{
    const auto model = parseJson(R"({"schema": "cutaway.ir/1", "functions": [
        {"name": "f", "inputs": [{"name": "x", "value": {"value": 1}}], "outputs": [{"name": "x", "value": {"value": 1}}],
         "values": [{"name": "gone"}, {"name": "x"}], "body": {"inputs": [1], "outputs": [{"value": 1}]}}]})");
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->functions[0].graph.valueCount(), 1u);
    EXPECT_EQ(verify(*model), std::vector<std::string>());
}

struct RefusedJson {
    const char *label;
    std::string text;
    const char *message;
};

class JsonRefused : public testing::TestWithParam<RefusedJson> { };

TEST_P(JsonRefused, withPathFoundAndWanted)
{
    const auto model = parseJson(GetParam().text);
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().text().find(GetParam().message), std::string::npos) << model.error().text();
}

std::string with(const std::string &members) { return "{\"schema\": \"cutaway.ir/1\", " + members + "}"; }

std::string body(const std::string &members)
{
    return with("\"functions\": [{\"name\": \"f\", \"values\": [{\"name\": \"x\"}], \"body\": {" + members + "}}]");
}

INSTANTIATE_TEST_SUITE_P(
    Rows, JsonRefused,
    testing::Values(
        RefusedJson{"NoJson", "{", "the text is not a JSON document"},
        RefusedJson{"NoObject", "[]", "found an array where an object"},
        RefusedJson{"NoSchema", "{}", "the schema is '' where 'cutaway.ir/1' is expected"},
        RefusedJson{"NewerMajor", "{\"schema\": \"cutaway.ir/2\"}", "the schema is 'cutaway.ir/2'"},
        RefusedJson{"WrongKind", with("\"name\": 5"), "found 5 where a text is expected (name)"},
        RefusedJson{"Path", with("\"tensors\": [{\"shape\": [1, \"a\"]}], \"storages\": [{\"bytes\": 0}]"),
                    "found \"a\" where an integer of 64 bits is expected (tensors[0].shape[1])"},
        RefusedJson{"NoSuchStorage", with("\"tensors\": [{\"storage\": 4}]"),
                    "found 4 where one of the 0 storages is expected"},
        RefusedJson{"LaterType", with("\"types\": [{\"kind\": \"list\", \"elements\": [0]}]"),
                    "one of the 0 earlier types"},
        RefusedJson{"ListOfNothing", with("\"types\": [{\"kind\": \"list\"}]"),
                    "found 0 elements of the type list, expected 1 (types[0])"},
        RefusedJson{"DictWithoutValues",
                    with("\"types\": [{\"kind\": \"int\"}, {\"kind\": \"dict\", \"elements\": [0]}]"),
                    "found 1 element of the type dict, expected 2"},
        RefusedJson{"FieldWithoutName",
                    with("\"types\": [{\"kind\": \"int\"}, {\"kind\": \"tuple\", \"elements\": [0, 0], "
                         "\"fields\": [\"a\"]}]"),
                    "a type has 1 field name for 2 fields (types[1])"},
        RefusedJson{"UnknownType", with("\"types\": [{\"kind\": \"blob\"}]"), "found the kind 'blob'"},
        RefusedJson{"UnknownWord", with("\"diagnostics\": [{\"severity\": \"fatal\"}]"),
                    "found \"fatal\" where one of the words"},
        RefusedJson{"UndefinedValue", body("\"outputs\": [{\"value\": 0}]"),
                    "reads the value 0, which nothing defines"},
        RefusedJson{"ValueTwice", body("\"inputs\": [0, 0]"), "value 0 is defined twice (functions[0].body.inputs[1])"},
        RefusedJson{"NoSuchValue", body("\"inputs\": [0], \"outputs\": [{\"value\": 9}]"), "one of the 1 values"},
        RefusedJson{"UnknownOperand", body("\"inputs\": [0], \"outputs\": [{\"blob\": 9}]"),
                    "none of the tags of an operand"},
        RefusedJson{"HugeInteger", body("\"inputs\": [0], \"outputs\": [18446744073709551615]"),
                    "an integer of 64 bits"},
        RefusedJson{"BadExpression", body("\"inputs\": [0], \"outputs\": [{\"expr\": \"1 +\"}]"),
                    "the expression has the end"},
        RefusedJson{"OddHex", body("\"inputs\": [0], \"outputs\": [{\"hex\": \"abc\"}]"), "bytes in hexadecimal"},
        RefusedJson{"NodeTwice", body("\"inputs\": [0], \"nodes\": [{\"id\": 1}, {\"id\": 1}]"), "#1 is given twice"},
        RefusedJson{"Deep", body("\"outputs\": " + std::string(5000, '[') + std::string(5000, ']')),
                    "more than 256 deep"},
        RefusedJson{"BadModule", with("\"modules\": [{\"parent\": 7}]"), "a module names one that does not exist"}),
    [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway::ir
