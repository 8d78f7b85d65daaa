// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint.h"

#include "core/lint/subject.h"

#include <algorithm>
#include <iterator>

namespace cutaway::lint {

namespace {

/// Returns the functions that nodes of this function call.
std::vector<ir::FunctionId> calledBy(const ir::Function &function)
{
    std::vector<ir::FunctionId> called;
    for (ir::NodeId id{0}; id.index < function.graph.nodeCount(); ++id.index)
        if (!function.graph.at(id).removed)
            for (const ir::Argument &argument : function.graph.at(id).arguments)
                if (const auto *callee = argument.value.as<ir::FunctionId>())
                    called.push_back(*callee);
    return called;
}

void ask(Subject &subject, const Options &options, bool isFirst)
{
    for (const Rule *rule : options.rules) {
        if ((rule->scope == Rule::Scope::File && !isFirst) || subject.task().stopRequested())
            continue;
        subject.setRule(*rule);
        rule->check(subject);
    }
}

std::vector<Finding> findingsIn(const ir::Model &model, const analysis::Analysis &analysis, const Options &options,
                                bool isFirst, const Task &task)
{
    Subject subject(model, analysis, options, task);
    ask(subject, options, isFirst);
    return subject.takeFindings();
}

} // namespace

std::vector<ir::FunctionId> mainFunctions(const ir::Model &model)
{
    std::vector<ir::FunctionId> all;
    for (std::uint32_t i = 0; i < model.functions.size(); ++i)
        if (model.functions[i].kind == ir::Function::Kind::Main)
            all.push_back({i});
    if (all.empty() && !model.functions.empty())
        all.push_back({0});
    for (std::size_t at = 0; at < all.size(); ++at)
        for (const ir::FunctionId callee : calledBy(model.at(all[at])))
            if (!std::ranges::contains(all, callee))
                all.push_back(callee);
    return all;
}

std::vector<Finding> lint(const ir::Model &model, const std::vector<ir::FunctionId> &functions, const Options &options,
                          const analysis::Given &given, const Task &task)
{
    std::vector<Finding> all;
    for (const ir::FunctionId function : functions) {
        const bool isFirst = function == functions.front();
        const analysis::Analysis analysis =
            analysis::analyse(model, function, isFirst ? given : analysis::Given(), task);
        std::ranges::move(findingsIn(model, analysis, options, isFirst, task), std::back_inserter(all));
    }
    std::ranges::stable_sort(
        all, {}, [](const Finding &finding) { return std::ranges::find(rules(), finding.rule) - rules().begin(); });
    return all;
}

std::vector<ir::Diagnostic> diagnostics(const ir::Model &model, const analysis::Analysis &analysis, Origin origin,
                                        const Task &task)
{
    Options options;
    std::erase_if(options.rules, [&](const Rule *rule) {
        return rule->restates || (origin == Origin::Passes && rule->scope != Rule::Scope::Function);
    });
    std::vector<ir::Diagnostic> all;
    for (Finding &finding : findingsIn(model, analysis, options, analysis.function == ir::FunctionId{}, task))
        all.push_back({finding.rule->severity, std::string(finding.rule->id), std::move(finding.message),
                       finding.function, finding.node});
    return all;
}

} // namespace cutaway::lint
