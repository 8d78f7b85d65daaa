// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/pipeline.h"

#include <array>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

struct TextRow {
    std::string name;
    std::string text;
    std::string result; ///< the entries as they print, or the error
};

std::string read(const std::string &text)
{
    const auto pipeline = passes::parsePipeline(text);
    if (!pipeline)
        return pipeline.error().text();
    std::string entries;
    for (const passes::Entry &entry : pipeline->entries)
        entries += (entries.empty() ? "" : ",") + std::string(entry.isEnabled ? "" : "!") + passes::print(entry);
    return entries;
}

/// A pattern that has one operator of a tensor in place of another.
std::string replacing(const std::string &from, const std::string &to)
{
    const auto graph = [](const std::string &name, const std::string &op) {
        return "\"graph @" + name + "(%x) { %r = aten::" + op + "(self=%x) return %r }\"";
    };
    return "replace-pattern{before=" + graph("before", from) + " after=" + graph("after", to) + "}";
}

class PipelineText : public ::testing::TestWithParam<TextRow> { };

TEST_P(PipelineText, isReadOrRefused) { EXPECT_EQ(read(GetParam().text), GetParam().result); }

INSTANTIATE_TEST_SUITE_P(
    Rows, PipelineText,
    ::testing::Values(
        TextRow{"names", "dead-code,common-subexpressions", "dead-code,common-subexpressions"},
        TextRow{"nothing", "", ""},
        TextRow{"options", "replace-operator{from=relu to=tanh},dead-code", "replace-operator{to=tanh},dead-code"},
        TextRow{"optionsWithCommas", "replace-operator{from=elu,to=tanh}", "replace-operator{from=elu to=tanh}"},
        TextRow{
            "json",
            R"({"schema":"cutaway.pipeline/1","iterations":2,"passes":[{"pass":"dead-code","enabled":false,"options":{}},
                   {"pass":"replace-operator","options":{"to":"tanh"}}]})",
            "!dead-code,replace-operator{to=tanh}"},
        TextRow{"quotedOptions", R"(replace-operator{from="elu" to="a, \"b\" {c}"},dead-code)",
                R"(replace-operator{from=elu to="a, \"b\" {c}"},dead-code)"},
        TextRow{"openQuote", R"(replace-operator{from="elu},dead-code)",
                "'replace-operator{from=\"elu},dead-code' has no closing brace"},
        TextRow{"unknownEscape", R"(replace-operator{from="\q"})",
                R"(the option 'from': found '\q' in a text where \n, \t, \\, \" or \xNN is expected)"},
        TextRow{"texts", replacing("relu", "neg"),
                R"(replace-pattern{before="graph @before(%x) { …" after="graph @after(%x) { %…"})"},
        TextRow{"patternThatIsNone",
                R"(replace-pattern{before="graph @before(%x) { return %x }" after="graph @after(%x) {}"})",
                "the pattern: the graph before has no node"},
        TextRow{"patternThatCannotBeRead", "replace-pattern{before=\"graph @before(%x) {\n  %r == 1 }\"}",
                "found '=' where an operator's name is expected (before, line 2, column 7)"},
        TextRow{"unknownPass", "dead-cod", "unknown pass 'dead-cod'; known: dead-code"},
        TextRow{"unknownOption", "replace-operator{form=relu}",
                "the pass 'replace-operator' has no option 'form'; known: from"},
        TextRow{"optionOfNone", "dead-code{deep=1}", "the pass 'dead-code' has no option 'deep'; it has none"},
        TextRow{"openBrace", "replace-operator{from=relu", "'replace-operator{from=relu' has no closing brace"},
        TextRow{"noJson", "{", "the pipeline is not JSON"},
        TextRow{"otherJson", R"({"schema":"cutaway.ir/1"})",
                "the pipeline is of the schema 'cutaway.ir/1', not 'cutaway.pipeline/1'"},
        TextRow{"passesOfAnotherShape", R"({"schema":"cutaway.pipeline/1","passes":7})",
                "the pipeline: found 7 where an array is expected (passes)"}),
    [](const auto &row) { return row.param.name; });

std::string namesOf(const passes::Pipeline &pipeline)
{
    std::string names;
    for (const passes::Entry &entry : pipeline.entries)
        names += (names.empty() ? "" : ",") + std::string(entry.pass->name);
    return names;
}

TEST(PipelineDefault, isAPipelineByItsName)
{
    EXPECT_EQ(passes::parsePipeline("default"), passes::defaultPipeline());
    const std::string all = namesOf(passes::defaultPipeline());
    const auto among = passes::parsePipeline("inline-calls,default,partition");
    ASSERT_TRUE(among) << among.error().text();
    EXPECT_EQ(namesOf(*among), "inline-calls," + all + ",partition");
    EXPECT_EQ(among->iterations, 1);
    const auto json =
        passes::parsePipeline(R"({"schema":"cutaway.pipeline/1","passes":[{"pass":"default"},{"pass":"partition"}]})");
    ASSERT_TRUE(json) << json.error().text();
    EXPECT_EQ(namesOf(*json), all + ",partition");
}

TEST(PipelineOptimize, isTheDefaultOneAndMore)
{
    EXPECT_EQ(passes::parsePipeline("optimize"), passes::optimizingPipeline());
    const auto optimizing = passes::parsePipeline("optimize{contrib=true}");
    ASSERT_TRUE(optimizing) << optimizing.error().text();
    EXPECT_EQ(*optimizing, passes::optimizingPipeline(true));
    EXPECT_TRUE(namesOf(*optimizing).starts_with(namesOf(passes::defaultPipeline()) + ","));
    EXPECT_NE(*optimizing, passes::optimizingPipeline(false));
    const auto among = passes::parsePipeline("optimize,partition");
    ASSERT_TRUE(among) << among.error().text();
    EXPECT_EQ(namesOf(*among), namesOf(*optimizing) + ",partition");
    EXPECT_FALSE(passes::parsePipeline("optimize{fast=true}"));
}

TEST(PipelineOptimize, usesNoOperatorsOfARuntimeUnasked)
{
    int asked = 0;
    for (const passes::Entry &entry : passes::optimizingPipeline().entries)
        if (std::ranges::contains(entry.pass->options, "contrib", &passes::Option::name)) {
            EXPECT_FALSE(entry.settings.flag("contrib")) << entry.pass->name;
            ++asked;
        }
    EXPECT_GT(asked, 2);
}

class PipelineNeeds : public ::testing::TestWithParam<TextRow> { };

TEST_P(PipelineNeeds, areAdded)
{
    std::string entries;
    for (const passes::Entry &entry : passes::withNeeds(*passes::parsePipeline(GetParam().text)).entries)
        entries += (entries.empty() ? "" : ", ") + std::string(entry.isEnabled ? "" : "!") + passes::print(entry)
            + (entry.addedFor ? " for " + std::string(entry.addedFor->name) : "");
    EXPECT_EQ(entries, GetParam().result);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, PipelineNeeds,
    ::testing::Values(
        TextRow{"before", "partition", "functionalize for partition, partition"},
        TextRow{"after", "quantize-dequantize", "quantize-dequantize, unused-parameters for quantize-dequantize"},
        TextRow{"onceForSeveral", "fold-batch-norm,quantize-dequantize,partition",
                "functionalize for fold-batch-norm, fold-batch-norm, quantize-dequantize, partition, "
                "unused-parameters for fold-batch-norm"},
        TextRow{"notWhatIsThere", "functionalize,fold-batch-norm,unused-parameters",
                "functionalize, fold-batch-norm, unused-parameters"},
        TextRow{"whereItIsTooLate", "partition,functionalize", "functionalize for partition, partition, functionalize"},
        TextRow{"notWhatIsSwitchedOff",
                R"({"schema":"cutaway.pipeline/1","passes":[{"pass":"functionalize","enabled":false},
                                 {"pass":"partition"}]})",
                "!functionalize, partition"},
        TextRow{"nothing", "dead-code", "dead-code"}),
    [](const auto &row) { return row.param.name; });

TEST(PipelineNeeds, areNothingInTheDefaultPipeline)
{
    EXPECT_EQ(passes::withNeeds(passes::defaultPipeline()), passes::defaultPipeline());
}

TEST(PipelineJson, keepsTheIterations)
{
    passes::Pipeline pipeline = passes::defaultPipeline();
    pipeline.iterations = 7;
    EXPECT_EQ(passes::parsePipeline(passes::printPipeline(pipeline)), pipeline);
}

TEST(PipelineJson, ofEarlierVersionsKeepsThem)
{
    const auto pipeline = passes::parsePipeline(R"({"schema":"cutaway.pipeline/1","turns":3,"passes":[]})");
    ASSERT_TRUE(pipeline);
    EXPECT_EQ(pipeline->iterations, 3);
}

TEST(PipelineJson, comesBack)
{
    const auto pipeline = passes::parsePipeline("replace-operator{to=tanh},dead-code");
    ASSERT_TRUE(pipeline);
    const auto back = passes::parsePipeline(passes::printPipeline(*pipeline));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, *pipeline);
}

TEST(PipelineJson, hasPatternsInIt)
{
    const auto pipeline = passes::parsePipeline(replacing("relu", "neg") + ",dead-code");
    ASSERT_TRUE(pipeline) << pipeline.error().text();
    const std::string json = passes::printPipeline(*pipeline);
    EXPECT_NE(json.find("%r = aten::relu(self=%x)"), std::string::npos) << json;
    EXPECT_EQ(passes::parsePipeline(json), pipeline);
}

TEST(PipelineWithOthers, knowsPassesThatAreNotCutawaysOwn)
{
    const passes::Pass other{"theirs/fold", "", {{"n", "", std::int64_t{1}}}, {}, false};
    const std::array<const passes::Pass *, 1> others{&other};
    const auto pipeline = passes::parsePipeline("theirs/fold{n=2},dead-code", others);
    ASSERT_TRUE(pipeline) << pipeline.error().text();
    EXPECT_EQ(pipeline->entries[0].pass, &other);
    EXPECT_EQ(passes::parsePipeline(passes::printPipeline(*pipeline), others), *pipeline);
    EXPECT_EQ(passes::parsePipeline("theirs/fol", others).error().text(),
              "unknown pass 'theirs/fol'; known: theirs/fold");
    EXPECT_FALSE(passes::parsePipeline("theirs/fold"));
}

} // namespace
} // namespace cutaway::test
