// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/request.h"
#include "core/base/result.h"
#include "core/lint/choice.h"
#include "core/report/lint/lint_report.h"
#include "core/run/support.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace cutaway::cli {

namespace {

struct LintOptions {
    RequestArguments arguments;
    std::vector<std::string> rules;
    std::vector<std::string> withoutRules;
    bool all = false;
    bool coreAten = false;
    std::optional<std::int64_t> opset;
    run::AskedBackend backend; ///< the backend to ask which nodes it refuses; none if its name is ""
    std::string severity = "error";
    bool json = false;
    bool sarif = false;
    bool allFindings = false;
    bool list = false;
};

ir::Severity severityNamed(std::string_view level)
{
    return level == "error" ? ir::Severity::Error : level == "warning" ? ir::Severity::Warning : ir::Severity::Info;
}

/// Returns the rules to check: those that the user names, and the rule about each target that an option names.
lint::Choice choiceOf(const LintOptions &options)
{
    lint::Choice choice{options.rules, options.withoutRules, {}, options.all};
    if (options.coreAten)
        choice.targets.push_back(lint::coreAtenRule);
    if (options.opset)
        choice.targets.push_back(lint::opsetRule);
    if (!options.backend.name.empty())
        choice.targets.push_back(lint::backendRule);
    return choice;
}

Result<lint::Options> lintOptions(const LintOptions &options)
{
    CUTAWAY_TRY(auto chosen, lint::chosenRules(choiceOf(options)));
    if (!options.opset && std::ranges::contains(options.rules, lint::opsetRule))
        return usageError("the rule opset-target needs --opset N");
    if (options.backend.name.empty() && std::ranges::contains(options.rules, lint::backendRule))
        return usageError("the rule backend-operator needs --backend NAME");
    return lint::Options{std::move(chosen), options.opset};
}

/// Returns the nodes of these functions that the backend refuses, with its reasons. `given` applies to the first
/// function.
Result<lint::BackendGaps> gapsOf(const run::AskedBackend &backend, const ir::Model &model,
                                 const std::vector<ir::FunctionId> &functions, const analysis::Given &given)
{
    lint::BackendGaps gaps{backend.name, {}};
    for (const ir::FunctionId function : functions) {
        const bool isFirst = function == functions.front();
        const auto shapes = analysis::inferShapes(model, function, isFirst ? given : analysis::Given());
        CUTAWAY_TRY(const auto support, run::supportOf(backend, model, function, shapes));
        for (const run::Support::Other &refused : support.refused)
            gaps.reasons[function].emplace(refused.node, refused.reason);
    }
    return gaps;
}

std::string textOf(const LintOptions &options, const report::LintResult &result)
{
    if (options.sarif)
        return report::lintSarif(result, CUTAWAY_VERSION) + "\n";
    return options.json ? report::lintJson(result) + "\n" : report::lintText(result, options.allFindings);
}

Result<Answer> lintModel(const std::string &file, const LintOptions &options)
{
    if (options.list)
        return Answer(report::ruleList());
    if (file.empty())
        return usageError("FILE is required");
    CUTAWAY_TRY(auto asked, lintOptions(options));
    CUTAWAY_TRY(const Request &request, kept(readRequest(file, options.arguments)));
    const ir::Model &model = request.opened.model;
    auto functions = lint::mainFunctions(model);
    if (request.function)
        functions = {*request.function};
    if (!options.backend.name.empty()) {
        CUTAWAY_TRY(asked.backend, gapsOf(options.backend, model, functions, request.given));
    }
    const auto findings = lint::lint(model, functions, asked, request.given);
    const bool isNo = std::ranges::any_of(findings, [&](const lint::Finding &finding) {
        return finding.rule->severity >= severityNamed(options.severity);
    });
    return Answer(textOf(options, {model, asked.rules, findings}), isNo);
}

void declareRules(CLI::App &command, LintOptions &options)
{
    command.add_option("--rule", options.rules, "Check only this rule")->type_name("ID")->allow_extra_args(false);
    command.add_option("--no-rule", options.withoutRules, "Skip this rule")->type_name("ID")->allow_extra_args(false);
    command.add_flag("--all", options.all, "Check all rules, including those that are off by default")
        ->excludes("--rule");
    command.add_flag("--core-aten", options.coreAten, "Also check for operators outside core ATen");
    command.add_option("--opset", options.opset, "Also check for operators that this ONNX opset does not have")
        ->type_name("N");
    command
        .add_option("--backend", options.backend.name,
                    "Also check for nodes that this backend does not run: evaluator, or a plugin such as onnxruntime")
        ->type_name("NAME");
    command.add_option("--target", options.backend.target, "Target from targets.json that the plugin runs on")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--severity", options.severity,
                    "The least severe finding that makes the exit code 1: error, warning or note")
        ->check(CLI::IsMember({"error", "warning", "note"}))
        ->type_name("LEVEL")
        ->capture_default_str();
}

} // namespace

Action declareLint(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<LintOptions>();
    command.add_option("FILE", file, "The model file")->type_name("");
    command.add_option("--bind", options->arguments.bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    declareInputs(command, options->arguments.inputs);
    command
        .add_option("--function", options->arguments.function,
                    "Look at this function instead of the main ones and those that they call")
        ->type_name("NAME");
    declareRules(command, *options);
    auto *json = command.add_flag("--json", options->json, "Write the findings as JSON (schema cutaway.lint/1)");
    command.add_flag("--sarif", options->sarif, "Write the findings as SARIF 2.1.0")->excludes(json);
    command.add_flag("--all-findings", options->allFindings, "Print all findings of a rule, however many there are");
    command.add_flag("--list", options->list, "List the rules; docs/lint.md explains them");
    command.footer("Examples:\n"
                   "  cutaway-cli lint resnet50.onnx\n"
                   "  cutaway-cli lint resnet50.onnx --opset 13 --no-rule random\n"
                   "  cutaway-cli lint llama.pt2 --core-aten --severity warning\n"
                   "  cutaway-cli lint bert.onnx --backend onnxruntime\n"
                   "  cutaway-cli lint bert.onnx --sarif > bert.sarif");
    return [options, &file] { return lintModel(file, *options); };
}

} // namespace cutaway::cli
