// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/comparison.h"

#include "core/base/text.h"
#include "core/report/cells.h"
#include "core/survey/family.h"
#include "core/survey/lacking.h"
#include "core/survey/measurement_section.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cutaway::survey {

namespace fs = std::filesystem;
using report::Cell;
using report::Column;
using Kind = report::Column::Kind;

namespace {

/// Returns the models by their paths below the common folder.
std::map<std::string, const Entry *> named(const std::vector<Entry> &entries)
{
    const fs::path folder = commonFolder(entries);
    std::map<std::string, const Entry *> byName;
    for (const Entry &entry : entries)
        byName[fs::path(entry.path).lexically_relative(folder).string()] = &entry;
    return byName;
}

/// Returns "1,234 → 2,468 (+100 %)".
std::string change(std::int64_t before, std::int64_t after)
{
    std::string text = grouped(before) + " → " + grouped(after);
    if (before > 0) {
        const double share =
            100 * (static_cast<double>(after) - static_cast<double>(before)) / static_cast<double>(before);
        const auto percent = std::llround(share);
        text += " (" + std::string(percent > 0 ? "+" : "") + std::to_string(percent) + " %)";
    }
    return text;
}

/// Returns how much a size has changed, as a key to sort by: the logarithm of the factor, without its sign.
double growth(std::int64_t before, std::int64_t after)
{
    return before > 0 && after > 0 ? std::abs(std::log(static_cast<double>(after) / static_cast<double>(before)))
                                   : (before == after ? 0 : 1e3);
}

struct Changes {
    std::vector<std::string> texts;
    double weight = 0; ///< the growth of the largest change

    void number(const char *what, std::int64_t before, std::int64_t after)
    {
        if (before == after)
            return;
        texts.push_back(std::string(what) + " " + change(before, after));
        weight = std::max(weight, growth(before, after));
    }
    void number(const char *what, std::optional<std::int64_t> before, std::optional<std::int64_t> after)
    {
        if (before && after)
            return number(what, *before, *after);
        if (before || after)
            texts.push_back(std::string(what) + (before ? " no longer known" : " known now"));
    }
    void text(const char *what, const std::string &before, const std::string &after)
    {
        if (before != after)
            texts.push_back(std::string(what) + ": " + before + " → " + after);
    }
};

/// Adds changes such as "onnx::Loop 0 → 2".
void addOperators(const Entry &before, const Entry &after, Changes &changes)
{
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> counts;
    for (const OperatorUse &use : before.operators)
        counts[use.dialect + "::" + use.name].first += use.count;
    for (const OperatorUse &use : after.operators)
        counts[use.dialect + "::" + use.name].second += use.count;
    for (const auto &[name, count] : counts)
        if (count.first != count.second)
            changes.texts.push_back(name + " " + grouped(count.first) + " → " + grouped(count.second));
}

Changes changesOf(const Entry &before, const Entry &after)
{
    Changes changes;
    changes.text("inputs", before.inputs, after.inputs);
    changes.text("outputs", before.outputs, after.outputs);
    changes.number("FLOPs", before.costs.flops.value, after.costs.flops.value);
    changes.number("peak bytes", before.costs.peakBytes.value, after.costs.peakBytes.value);
    changes.number("parameters", before.parameters, after.parameters);
    changes.number("nodes", before.nodes, after.nodes);
    addOperators(before, after, changes);
    if (changes.texts.empty() && before.graph != after.graph)
        changes.texts.emplace_back("the graph is another, its figures are the same");
    changes.number("bytes of the file", before.bytes, after.bytes);
    return changes;
}

report::Section list(std::string id, std::string title, report::Table table)
{
    return {.id = std::move(id), .title = std::move(title), .tables = {std::move(table)}};
}

} // namespace

Comparison compare(const std::vector<Entry> &before, const std::vector<Entry> &after)
{
    const auto old = named(before), now = named(after);
    report::Table states{.columns = {{"Model", Kind::Name}, {"Before"}, {"Now"}, {"Why"}}, .rows = {}};
    report::Table changed{.columns = {{"Model", Kind::Name}, {"Change"}}, .rows = {}};
    report::Table came{.columns = {{"Model", Kind::Name}, {"Nodes", Kind::Number}}, .rows = {}}, went = came;
    Comparison made;
    std::vector<std::pair<double, std::vector<Cell>>> weighed;
    for (const auto &[name, entry] : now) {
        const auto found = old.find(name);
        if (found == old.end()) {
            came.rows.push_back({{name}, report::countCell(entry->nodes)});
            continue;
        }
        const Entry &earlier = *found->second;
        if (earlier.state != entry->state) {
            made.broken += earlier.state == State::Read;
            states.rows.push_back({{name},
                                   {std::string(survey::name(earlier.state))},
                                   {std::string(survey::name(entry->state))},
                                   {entry->message}});
        } else if (Changes changes = changesOf(earlier, *entry); !changes.texts.empty()) {
            weighed.emplace_back(changes.weight, std::vector<Cell>{{name}, {joined(changes.texts, "; ")}});
        }
    }
    for (const auto &[name, entry] : old)
        if (!now.contains(name))
            went.rows.push_back({{name}, report::countCell(entry->nodes)});
    std::ranges::stable_sort(weighed, std::greater{}, [](const auto &row) { return row.first; });
    std::ranges::stable_sort(states.rows, {}, [](const auto &row) { return row[1].text != "read"; });
    for (auto &[weight, row] : weighed)
        changed.rows.push_back(std::move(row));
    made.changed = changed.rows.size();
    made.came = came.rows.size();
    made.went = went.rows.size();
    made.document.title = "Comparison of two surveys";
    made.document.headlines = {{"models before", grouped(std::ssize(before)), ""},
                               {"models now", grouped(std::ssize(after)), ""},
                               {"not readable any more", grouped(static_cast<long long>(made.broken)), ""},
                               {"changed", grouped(static_cast<long long>(made.changed)), ""}};
    for (auto &[id, title, table] :
         {std::tuple{"states", "Other states", &states}, std::tuple{"changed", "Changed models", &changed},
          std::tuple{"came", "New models", &came}, std::tuple{"went", "Models that are gone", &went}})
        if (!table->rows.empty())
            made.document.sections.push_back(list(id, title, std::move(*table)));
    return made;
}

namespace {

template <class Key>
report::Table counted(const std::vector<Entry> &entries, Column column, Key key)
{
    std::map<std::string, std::int64_t> counts;
    for (const Entry &entry : entries)
        ++counts[key(entry)];
    report::Table table{.columns = {std::move(column), {"Models", Kind::Number}}, .rows = {}};
    for (const auto &[name, count] : counts)
        table.rows.push_back({{name}, report::countCell(count)});
    std::ranges::stable_sort(table.rows, std::greater{}, [](const auto &row) { return row[1].order.value_or(0); });
    return table;
}

report::Table operatorsByUse(const std::vector<Entry> &entries)
{
    struct Use {
        std::int64_t models = 0, nodes = 0;
    };
    std::map<std::string, Use> uses;
    for (const Entry &entry : entries) {
        std::map<std::string, std::int64_t> own;
        for (const OperatorUse &each : entry.operators)
            own[each.dialect + "::" + each.name] += each.count;
        for (const auto &[name, count] : own) {
            ++uses[name].models;
            uses[name].nodes += count;
        }
    }
    report::Table table{.columns = {{"Operator", Kind::Name}, {"Models", Kind::Number}, {"Nodes", Kind::Number}},
                        .rows = {}};
    for (const auto &[name, use] : uses)
        table.rows.push_back({{name}, report::countCell(use.models), report::countCell(use.nodes)});
    std::ranges::stable_sort(table.rows, std::greater{}, [](const auto &row) { return row[1].order.value_or(0); });
    return table;
}

using DialectAndName = std::pair<std::string, std::string>;

/// Returns the backends that do not support an operator of a model, by the answers to checks "backend:NAME".
std::set<std::string> backendsLacking(const Entry &entry, const OperatorUse &use)
{
    constexpr std::string_view kind = "backend:";
    const std::string name = use.dialect + "::" + use.name + (use.overload.empty() ? "" : "." + use.overload);
    std::set<std::string> backends;
    for (const CheckAnswer &check : entry.checks)
        if (check.check.starts_with(kind) && check.passed == false
            && (", " + check.message + ", ").contains(", " + name + ", "))
            backends.insert(check.check.substr(kind.size()));
    return backends;
}

/// The number of models that use an operator, one of these models, and the backends that lack the operator.
struct LackedUse {
    std::int64_t models = 0;
    const Entry *example = nullptr;
    std::set<std::string> backends = {};
};

std::map<DialectAndName, LackedUse> usesOf(const std::vector<Entry> &entries)
{
    std::map<DialectAndName, LackedUse> uses;
    for (const Entry &entry : entries)
        for (const OperatorUse &use : entry.operators) {
            if (std::ranges::contains(entry.functions, use.dialect + "::" + use.name, &FunctionUse::name))
                continue; // the model defines the function itself
            LackedUse &known = uses[{use.dialect, use.name}];
            known.models += known.example != &entry || known.models == 0;
            known.example = &entry;
            known.backends.merge(backendsLacking(entry, use));
        }
    return uses;
}

/// Returns a table of the operators that models use and that are missing in Cutaway, in a backend that was asked, or in
/// a version of ONNX.
report::Table operatorsLacking(const std::vector<Entry> &entries)
{
    report::Table table{.columns = {{"Operator", Kind::Name},
                                    {"Models", Kind::Number},
                                    {"Evaluator"},
                                    {"Backends without it"},
                                    {"Conversion to ONNX"},
                                    {"Operator sets without it"},
                                    {"For example", Kind::Name}},
                        .rows = {}};
    for (const auto &[op, use] : usesOf(entries))
        if (const Lacking lacking = lackingOf(op.first, op.second); !lacking.isNone() || !use.backends.empty())
            table.rows.push_back({{op.first + "::" + op.second},
                                  report::countCell(use.models),
                                  {lacking.evaluator},
                                  {joined(std::vector(use.backends.begin(), use.backends.end()), ", ")},
                                  {lacking.onnx},
                                  {lacking.opsets},
                                  {use.example->path}});
    std::ranges::stable_sort(table.rows, std::greater{}, [](const auto &row) { return row[1].order.value_or(0); });
    return table;
}

/// Returns a table of failed checks, grouped by the reason: a backend's message names the operator that it lacks.
report::Table failedChecks(const std::vector<Entry> &entries)
{
    std::map<std::pair<std::string, std::string>, std::pair<std::int64_t, const Entry *>> models;
    for (const Entry &entry : entries)
        for (const CheckAnswer &check : entry.checks)
            if (check.passed != true)
                ++models.try_emplace({check.check, check.message}, 0, &entry).first->second.first;
    report::Table table{.columns = {{"Check"}, {"Models", Kind::Number}, {"Why"}, {"For example", Kind::Name}},
                        .rows = {}};
    for (const auto &[check, use] : models)
        table.rows.push_back({{check.first}, report::countCell(use.first), {check.second}, {use.second->path}});
    std::ranges::stable_sort(table.rows, std::greater{}, [](const auto &row) { return row[1].order.value_or(0); });
    return table;
}

report::Table largest(const std::vector<Entry> &entries, const ReportLinks &links)
{
    const std::size_t shown = links.empty() ? 500 : entries.size(); // with links, each model has to be in the table
    std::vector<const Entry *> sorted;
    for (const Entry &entry : entries)
        sorted.push_back(&entry);
    std::ranges::stable_sort(sorted, std::greater{},
                             [](const Entry *entry) { return entry->costs.flops.value.value_or(-1); });
    report::Table table{.columns = {{"Model", Kind::Name},
                                    {"FLOPs", Kind::Number},
                                    {"Parameters", Kind::Number},
                                    {"Peak bytes", Kind::Number},
                                    {"Nodes", Kind::Number},
                                    {"Bytes", Kind::Number}},
                        .rows = {}};
    table.leftOut = sorted.size() - std::min(sorted.size(), shown);
    sorted.resize(sorted.size() - table.leftOut);
    const auto orUnknown = [](const std::optional<std::int64_t> &n) { return n ? report::countCell(*n) : Cell{"?"}; };
    const auto linkOf = [&](const Entry &entry) {
        const auto found = links.find(entry.path);
        return found == links.end() ? "" : found->second;
    };
    for (const Entry *entry : sorted)
        table.rows.push_back({{.text = entry->path, .link = linkOf(*entry)},
                              orUnknown(entry->costs.flops.value),
                              report::countCell(entry->parameters),
                              orUnknown(entry->costs.peakBytes.value),
                              report::countCell(entry->nodes),
                              report::countCell(entry->bytes)});
    return table;
}

report::Table failures(const std::vector<Entry> &entries)
{
    report::Table table{.columns = {{"Model", Kind::Name}, {"State"}, {"Why"}}, .rows = {}};
    for (const Entry &entry : entries)
        if (entry.state != State::Read)
            table.rows.push_back({{entry.path}, {std::string(name(entry.state))}, {entry.message}});
    return table;
}

report::Table equalGraphs(const std::vector<Entry> &entries)
{
    std::map<std::string, std::vector<std::string>> paths;
    for (const Entry &entry : entries)
        if (!entry.graph.empty())
            paths[entry.graph].push_back(entry.path);
    report::Table table{.columns = {{"Models", Kind::Number}, {"Paths", Kind::Name}}, .rows = {}};
    for (const auto &[graph, each] : paths)
        if (each.size() > 1)
            table.rows.push_back({report::countCell(std::ssize(each)), {joined(each, ", ")}});
    std::ranges::stable_sort(table.rows, std::greater{}, [](const auto &row) { return row[0].order.value_or(0); });
    return table;
}

} // namespace

report::Document zooReport(const std::vector<Entry> &entries, const ReportLinks &links)
{
    const auto failed = std::ranges::count_if(entries, [](const Entry &entry) { return entry.state != State::Read; });
    report::Document document{.title = "Survey", .subtitle = {}, .headlines = {}, .sections = {}};
    document.headlines = {{"models", grouped(std::ssize(entries)), ""}, {"not read", grouped(failed), ""}};
    document.sections.push_back(list("states", "States", counted(entries, {"State"}, [](const Entry &entry) {
                                         return std::string(name(entry.state));
                                     })));
    document.sections.push_back(list("operators", "Operators by use", operatorsByUse(entries)));
    document.sections.push_back(list("lacking", "Operators that something lacks", operatorsLacking(entries)));
    document.sections.push_back(list("checks", "Checks that failed", failedChecks(entries)));
    document.sections.push_back(measurementSection(entries));
    document.sections.push_back(list("models", "Models", largest(entries, links)));
    document.sections.push_back(list("equal", "Equal graphs", equalGraphs(entries)));
    document.sections.push_back(list("failures", "Not read", failures(entries)));
    std::erase_if(document.sections, [](const report::Section &section) { return section.tables[0].rows.empty(); });
    return document;
}

} // namespace cutaway::survey
