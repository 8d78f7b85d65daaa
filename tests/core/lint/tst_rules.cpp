// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Each rule of core/lint: graphs and what it finds in them, tests/data/lint/*.graph.
#include "core/base/formatted.h"
#include "core/lint/choice.h"
#include "core/lint/lint.h"
#include "core/report/lint/finding_place.h"
#include "core/report/lint/lint_report.h"
#include "core/request/given.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace cutaway::test {

extern const char *const dataFolder;

namespace {

/// The rule that the option `rule` names; without it those that are asked by default.
lint::Options optionsOf(const GraphCase &given)
{
    lint::Options options;
    if (const std::string id = given.option("rule"); !id.empty())
        options.rules = {lint::findRule(id).value()};
    if (const std::string opset = given.option("opset"); !opset.empty())
        options.opset = std::stoll(opset);
    return options;
}

/// A backend that lacks the operators whose names the option `lacks` has.
lint::BackendGaps gapsOf(const ir::Model &model, const std::string &lacks)
{
    lint::BackendGaps gaps{"toy", {}};
    for (const ir::FunctionId function : lint::mainFunctions(model)) {
        const ir::Graph &graph = model.at(function).graph;
        for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
            if (lacks.contains(ir::NodeRef(graph, id).opName()))
                gaps.reasons[function].emplace(id, "it has no kernel");
    }
    return gaps;
}

/// A line per finding: "warning: y: draws random numbers [random]".
std::string findingsOf(const GraphCase &given)
{
    ir::Model model = parsed(given.graphs.front());
    if (model.functions.empty())
        return "no graph";
    std::vector<std::string> inputs;
    if (const std::string input = given.option("input"); !input.empty())
        inputs.push_back(input);
    const auto values = request::readGiven(model, ir::FunctionId{0}, {}, inputs).value();
    lint::Options options = optionsOf(given);
    if (const std::string lacks = given.option("lacks"); !lacks.empty())
        options.backend = gapsOf(model, lacks);
    std::string text;
    for (const lint::Finding &finding : lint::lint(model, lint::mainFunctions(model), options, values)) {
        const std::string name = report::placeOf(model, finding).name;
        text += formatted("{}: {}{}{} [{}]\n", lint::levelOf(finding.rule->severity), name, name.empty() ? "" : ": ",
                          finding.message, finding.rule->id);
    }
    return text.empty() ? "nothing" : text;
}

const bool lintCases = forEachCase("Lint", "lint", findingsOf);

TEST(LintRules, haveOneRowEach)
{
    std::set<std::string_view> ids;
    for (const lint::Rule *rule : lint::rules()) {
        EXPECT_TRUE(ids.insert(rule->id).second) << rule->id;
        EXPECT_TRUE(
            std::ranges::all_of(rule->id, [](char c) { return std::islower(c) || std::isdigit(c) || c == '-'; }));
        EXPECT_TRUE(rule->summary.ends_with('.')) << rule->id;
        EXPECT_NE(rule->check, nullptr) << rule->id;
    }
}

/// docs/lint.md says what each means, its severity first.
TEST(LintRules, haveASectionEach)
{
    for (const lint::Rule *rule : lint::rules()) {
        std::string level(lint::levelOf(rule->severity));
        level.front() = static_cast<char>(std::toupper(level.front()));
        EXPECT_TRUE(report::ruleHelp(rule->id).starts_with(level)) << rule->id << ": " << report::ruleHelp(rule->id);
        EXPECT_GT(report::ruleHelp(rule->id).size(), 80u) << rule->id;
    }
    EXPECT_EQ(report::ruleHelp("no-such-rule"), "");
}

/// tests/data/lint/RULE.graph has a case where it finds something and one where it does not; but for what the text form
/// of graphs cannot say: that a file has a name twice, and that a function is of another opset than the model.
TEST(LintRules, haveCasesEach)
{
    constexpr std::array<std::string_view, 2> ofFilesAlone{"duplicate-name", "opset-function"};
    for (const lint::Rule *rule : lint::rules()) {
        if (std::ranges::contains(ofFilesAlone, rule->id))
            continue;
        const CaseFile file = readCases(formatted("{}/lint/{}.graph", dataFolder, rule->id));
        const auto finds = [&](const GraphCase &given) { return given.expected.contains(formatted("[{}]", rule->id)); };
        EXPECT_TRUE(std::ranges::any_of(file.cases, finds)) << rule->id;
        EXPECT_FALSE(std::ranges::all_of(file.cases, finds)) << rule->id;
    }
}

/// The window shows them beside the diagnostics, which have what the analysis says.
TEST(LintRules, giveDiagnostics)
{
    const ir::Model model = modelOf("(%x: float32[2], %y: float32[3]) {\n"
                                    "  %a = aten::add.Tensor(self=%x, other=%y)\n"
                                    "  %r = aten::randn_like(self=%x)\n"
                                    "  return %a, %r\n}");
    const auto found = lint::diagnostics(model, analysis::analyse(model, ir::FunctionId{0}), lint::Origin::File);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(
        found.front(),
        (ir::Diagnostic{ir::Severity::Warning, "random", "draws random numbers", ir::FunctionId{0}, ir::NodeId{1}}));
}

/// A pass leaves the tensors that it replaced, and gives its own results no types; no file was written of that.
TEST(LintRules, askNoModelOfPassesAboutItsFile)
{
    const ir::Model model = modelOf("(%x: float32[2]) { %r = aten::randn_like(self=%x) return %r }",
                                    "format \"pt2\"\nstorage 0: 8 bytes missing \"a test\"\n"
                                    "tensor @w: float32[2] parameter in storage 0\n");
    const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0});
    const auto codesOf = [&](lint::Origin origin) {
        std::vector<std::string> codes;
        for (const ir::Diagnostic &found : lint::diagnostics(model, analysis, origin))
            codes.push_back(found.code);
        return codes;
    };
    EXPECT_EQ(codesOf(lint::Origin::File), (std::vector<std::string>{"missing-type", "random", "unused-weight"}));
    EXPECT_EQ(codesOf(lint::Origin::Passes), std::vector<std::string>{"random"});
}

/// The line of the program stands in SARIF as a related location, with the file's path as a URI.
TEST(LintReport, namesTheLineOfTheProgram)
{
    const ir::Model model = parsed("path \"net.pt\"\nscope net.noise\n"
                                   "graph @forward(%x: float32[2]) {\n"
                                   "  %r = aten::randn_like(self=%x) in net.noise at \"my net.py\":12 return %r\n}");
    const std::vector rules{lint::findRule("random").value()};
    const auto findings = lint::lint(model, lint::mainFunctions(model), {.rules = rules, .opset = {}});
    const std::string sarif = report::lintSarif({model, rules, findings}, "1.0");
    EXPECT_TRUE(sarif.contains(R"("uri":"my%20net.py"},"region":{"startLine":12}})")) << sarif;
    EXPECT_TRUE(sarif.contains(R"("fullyQualifiedName":"forward/net.noise/r")")) << sarif;
    EXPECT_EQ(report::lintText({model, rules, findings}, false),
              "net.pt: r (aten::randn_like in net.noise, my net.py:12): warning: draws random numbers [random]\n"
              "net.pt: 1 warning\n");
}

TEST(LintRules, lookAtWhatIsCalled)
{
    const ir::Model model = modelOf("(%x: float32[2]) { %r = my::f(function=graph @f, %x) return %r }\n"
                                    "function @g(%x: float32[2]) { %r = aten::randn_like(self=%x) return %r }\n"
                                    "function @f(%x: float32[2]) { %r = aten::neg(self=%x) return %r }\n");
    EXPECT_EQ(lint::mainFunctions(model), (std::vector{ir::FunctionId{0}, ir::FunctionId{2}}));
    EXPECT_EQ(lint::mainFunctions(parsed("function @g(%x: float32[2]) { return %x }")),
              (std::vector{ir::FunctionId{0}}));
}

TEST(LintRules, areFoundByName)
{
    EXPECT_EQ(lint::findRule("random").value()->id, "random");
    EXPECT_EQ(lint::findRule("randm").error().text(), "unknown rule 'randm'; there is random");
}

std::vector<std::string_view> idsOf(const lint::Choice &choice)
{
    const auto rules = lint::chosenRules(choice).value();
    std::vector<std::string_view> ids;
    for (const lint::Rule *rule : rules)
        ids.push_back(rule->id);
    return ids;
}

TEST(LintRules, areChosenInTheirOrder)
{
    const auto all = idsOf({.all = true}), byDefault = idsOf({});
    EXPECT_EQ(all.size(), lint::rules().size());
    EXPECT_EQ(byDefault.size(), lint::defaultRules().size());
    EXPECT_FALSE(std::ranges::contains(byDefault, lint::coreAtenRule));
    EXPECT_EQ(idsOf({.targets = {lint::coreAtenRule}}).size(), byDefault.size() + 1);
    EXPECT_EQ(idsOf({.without = {"random"}}).size(), byDefault.size() - 1);
    EXPECT_EQ(idsOf({.only = {"random"}}), std::vector<std::string_view>{"random"});
    EXPECT_EQ(idsOf({.only = {"random"}, .without = {"random"}}), std::vector<std::string_view>{});
    EXPECT_EQ(lint::chosenRules({.without = {"randm"}}).error().text(), "unknown rule 'randm'; there is random");
}

} // namespace
} // namespace cutaway::test
