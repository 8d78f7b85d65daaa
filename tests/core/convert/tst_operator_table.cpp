// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of a user's table of operators, and the errors of invalid ones.
#include "core/convert/operator_table.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

using namespace convert;

TEST(OperatorTable, readsAttributes)
{
    const auto table = readOperatorTable(R"({
        "mylib::gelu2": {
            "op": "com.mylib::Gelu2",
            "attributes": {"alpha": "$alpha", "axis": -1, "exact": true, "mode": "fast", "scale": 0.5,
                           "sizes": [1, 2], "scales": [1, 0.5], "names": ["a"]},
            "domain_version": 2
        },
        "aten::relu": {"op": "mine::Relu"}
    })");
    ASSERT_TRUE(table) << table.error().text();
    const OperatorTable expected{{"mylib::gelu2",
                                  {"com.mylib",
                                   "Gelu2",
                                   2,
                                   {{"alpha", ArgumentName{"alpha"}},
                                    {"axis", std::int64_t{-1}},
                                    {"exact", std::int64_t{1}},
                                    {"mode", std::string("fast")},
                                    {"names", std::vector<std::string>{"a"}},
                                    {"scale", 0.5},
                                    {"scales", std::vector{1.0, 0.5}},
                                    {"sizes", std::vector<std::int64_t>{1, 2}}}}},
                                 {"aten::relu", {"mine", "Relu", 1, {}}}};
    EXPECT_EQ(*table, expected);
}

struct WrongTable {
    const char *name, *text, *error;
};

class OperatorTableErrors : public testing::TestWithParam<WrongTable> { };

TEST_P(OperatorTableErrors, nameTheLine)
{
    const auto table = readOperatorTable(GetParam().text);
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().text(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All, OperatorTableErrors,
    testing::Values(
        WrongTable{"noJson", "{\n\"a::b\": {\"op\": }\n}", "line 2: this is not JSON"},
        WrongTable{"list", "[]", "line 1: a table is an object of operators"},
        WrongTable{"name", "{\n\n\"relu\": {\"op\": \"a::B\"}}",
                   "line 3: 'relu' is no operator's name, such as mylib::gelu2"},
        WrongTable{"noOp", "{\n\"a::b\": {}}", "line 2: an operator is an object with \"op\""},
        WrongTable{"opWithoutDomain", "{\n\"a::b\": {\n\"op\": \"Relu\"}}",
                   R"(line 3: "op" is the operator's domain and name, such as "com.mylib::Gelu2")"},
        WrongTable{"version", "{\"a::b\": {\"op\": \"a::B\",\n\"domain_version\": 0}}",
                   R"(line 2: "domain_version" is a whole number from 1 on)"},
        WrongTable{"attribute", "{\"a::b\": {\"op\": \"a::B\",\n\"attributes\": {\n\"x\": [1, \"a\"]}}}",
                   "line 3: the attribute 'x' is a number, a text, a list of one of these, or \"$NAME\" for the "
                   "argument NAME"},
        WrongTable{"secondEntry", "{\"a::b\": {\"op\": \"a::B\"},\n\"a::c\": {\n\"op\": \"a::C\",\n\"inputs\": []}}",
                   R"(line 4: unknown "inputs"; there are "op", "attributes" and "domain_version")"}),
    [](const auto &wrong) { return wrong.param.name; });

} // namespace
} // namespace cutaway::test
