// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/python_names.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

struct PythonNameRow {
    std::string name;
    std::string text, identifier, attribute; ///< `attribute` of the object self
};

class PythonNames : public ::testing::TestWithParam<PythonNameRow> { };

TEST_P(PythonNames, areIdentifiersAndAttributes)
{
    const PythonNameRow &row = GetParam();
    EXPECT_EQ(print::identifierFrom(row.text), row.identifier);
    EXPECT_EQ(print::attributeOf("self", row.text), row.attribute);
    EXPECT_EQ(print::isIdentifier(row.text), row.text == row.identifier);
    EXPECT_TRUE(print::isIdentifier(print::identifierFrom(row.text)));
}

INSTANTIATE_TEST_SUITE_P(Rows, PythonNames,
                         ::testing::Values(PythonNameRow{"plain", "conv_1", "conv_1", "self.conv_1"},
                                           PythonNameRow{"aNumber", "12", "_12", "self[12]"},
                                           PythonNameRow{"aNumberThatIsNoIndex", "012", "_012",
                                                         "getattr(self, \"012\")"},
                                           PythonNameRow{"aKeyword", "lambda", "lambda_", "getattr(self, \"lambda\")"},
                                           PythonNameRow{"ofADialect", "a::b", "a_b", "getattr(self, \"a::b\")"},
                                           PythonNameRow{"ofAPath", "/a/b", "a_b", "getattr(self, \"/a/b\")"},
                                           PythonNameRow{"withASpace", "a b", "a_b", "getattr(self, \"a b\")"},
                                           PythonNameRow{"nothing", "", "_", "getattr(self, \"\")"},
                                           PythonNameRow{"ofOtherLetters", "é", "_", "getattr(self, \"é\")"}),
                         [](const auto &row) { return row.param.name; });

TEST(DottedName, hasAnIdentifierForEachPart)
{
    EXPECT_EQ(print::dottedName("__torch__.a.Net"), "__torch__.a.Net");
    EXPECT_EQ(print::dottedName("layer.0.for"), "layer._0.for_");
}

} // namespace
} // namespace cutaway::test
