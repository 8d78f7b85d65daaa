// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/graph_cases.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace cutaway::test {
namespace {

/// A file of cases in the folder for temporary files.
class GraphCases : public ::testing::Test {
protected:
    ~GraphCases() override { std::remove(m_path.c_str()); }

    CaseFile read(const std::string &text)
    {
        std::ofstream(m_path) << text;
        return readCases(m_path);
    }

    std::string faultsOf(const std::string &text)
    {
        std::string faults;
        for (const CaseFault &fault : read(text).faults)
            faults += (faults.empty() ? "" : "; ") + std::to_string(fault.line) + " " + fault.message;
        return faults;
    }

    std::string written() const
    {
        std::ostringstream text;
        text << std::ifstream(m_path).rdbuf();
        return text.str();
    }

private:
    std::string m_path =
        ::testing::TempDir() + "cutaway_" + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".graph";
};

TEST_F(GraphCases, haveTheTextAndTheOptionsOfTheirFile)
{
    const CaseFile file = read("// Two cases.\n// pipeline: dead-code\nopset \"x\" 1\n\n"
                               "// ----- first\ngraph a\n// versus\ngraph b\n=> one line\n\n"
                               "// ----- second\n// pipeline: none\ngraph c\n=>\ntwo\n  lines \n\n");
    ASSERT_TRUE(file.faults.empty()) << file.faults.front().message;
    ASSERT_EQ(file.cases.size(), 2u);
    const GraphCase &first = file.cases[0], &second = file.cases[1];
    EXPECT_EQ(first.line, 5);
    EXPECT_EQ(first.option("pipeline"), "dead-code");
    ASSERT_EQ(first.graphs.size(), 2u);
    EXPECT_EQ(first.graphs[1], "// Two cases.\nopset \"x\" 1\n\ngraph b\n");
    EXPECT_EQ(first.expected, "one line");
    EXPECT_EQ(second.option("pipeline"), "none");
    EXPECT_EQ(second.option("numbers"), "");
    EXPECT_EQ(second.expected, "two\n  lines");
}

TEST_F(GraphCases, thatAreNotWholeAreFaults)
{
    EXPECT_EQ(faultsOf(""), "1 the file has no case; each begins with '// ----- itsName'");
    EXPECT_EQ(faultsOf("graph a\n=> b\n"), "1 the file has no case; each begins with '// ----- itsName'");
    EXPECT_EQ(faultsOf("// ----- one\ngraph a\n"), "1 the case 'one' has no line that begins with '=>'");
    EXPECT_EQ(faultsOf("opset\n// ----- one\n=> b\n"), "2 the case 'one' has no graph");
    EXPECT_EQ(faultsOf("// ----- a case\ngraph a\n=> b\n"), "1 'a case' is no name of a test: letters, digits and '_'");
    EXPECT_EQ(faultsOf("// -----\ngraph a\n=> b\n"), "1 '' is no name of a test: letters, digits and '_'");
    EXPECT_EQ(faultsOf("// ----- one\ngraph a\n=> b\n// ----- one\ngraph a\n=> b\n"),
              "4 another case has the name 'one'");
}

TEST_F(GraphCases, areRewrittenOneByOne)
{
    const CaseFile file =
        read("// Head.\n\n// ----- first\ngraph a\n=> old\n\n// ----- second\ngraph b\n=>\nold\nlines\n");
    ASSERT_EQ(file.cases.size(), 2u);
    rewriteResult(file.cases[0], "new\nlines");
    rewriteResult(file.cases[1], "new");
    EXPECT_EQ(written(), "// Head.\n\n// ----- first\ngraph a\n=>\nnew\nlines\n\n// ----- second\ngraph b\n=> new\n");
}

} // namespace
} // namespace cutaway::test
