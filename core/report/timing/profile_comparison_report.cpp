// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timing/profile_comparison_report.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/timing/time_json.h"
#include "core/report/timing/time_text.h"
#include "core/run/reopened.h"

#include <algorithm>
#include <cmath>

namespace cutaway::report {

namespace {

using run::NodesChange;
using run::SavedProfile;
using run::TimeChange;
using run::Verdict;

/// A condition that differs between the profiles.
struct ConditionChange {
    std::string what, before, after;
};

/// Returns the conditions that differ, without the date and the momentary clock rate, which always do.
std::vector<ConditionChange> conditionChanges(const SavedProfile &a, const SavedProfile &b)
{
    std::vector<ConditionChange> changes;
    const auto before = protocol::print(a.timing.conditions), after = protocol::print(b.timing.conditions);
    for (const auto &[key, value] : before.items())
        if (key != "time" && key != "clock_hertz" && value != after.at(key))
            changes.push_back({key, value.dump(), after.at(key).dump()});
    if (a.timing.inputs != b.timing.inputs)
        changes.push_back({"inputs", joined(run::inputTexts(a), " "), joined(run::inputTexts(b), " ")});
    return changes;
}

/// Returns the names or operators of the rows, in order, with " + " between them: the member `part` of each saved part,
/// or `ofMeasured` for a row without saved parts.
std::string partTexts(const SavedProfile &profile, const std::vector<std::size_t> &rows,
                      std::string run::SavedPart::*part, std::string protocol::Profile::NodeTime::*ofMeasured)
{
    std::string text;
    const auto add = [&](const std::string &each) { text += (text.empty() ? "" : " + ") + each; };
    for (const std::size_t row : rows) {
        const run::SavedTime &time = profile.nodes[row];
        for (const run::SavedPart &each : time.parts)
            add(each.*part);
        if (time.parts.empty())
            add(time.measured.*ofMeasured);
    }
    return text;
}

struct Labels {
    std::string name, op;
};

/// Returns A's labels, or B's for nodes that only B has.
Labels labelsOf(const ComparedProfiles &profiles, const NodesChange &change)
{
    const bool isOfA = !change.a.empty();
    const SavedProfile &profile = isOfA ? profiles.a : profiles.b;
    const auto &rows = isOfA ? change.a : change.b;
    return {partTexts(profile, rows, &run::SavedPart::name, &protocol::Profile::NodeTime::name),
            partTexts(profile, rows, &run::SavedPart::op, &protocol::Profile::NodeTime::op)};
}

/// Returns a remark for figures that do not show by themselves which side is slower.
std::string_view remark(const NodesChange &change)
{
    const Verdict verdict = change.time.verdict();
    return verdict == Verdict::Slower || verdict == Verdict::Faster ? "" : run::name(verdict);
}

std::string noiseText(Verdict verdict)
{
    return verdict == Verdict::WithinNoise ? ", which is within the noise"
        : verdict == Verdict::NotKnown
        ? formatted("; fewer than {} runs of a side do not tell the noise", run::fewestForNoise)
        : "";
}

std::vector<const NodesChange *> mostChangedFirst(const run::ProfileComparison &comparison)
{
    std::vector<const NodesChange *> sorted;
    for (const NodesChange &change : comparison.nodes)
        sorted.push_back(&change);
    std::ranges::stable_sort(sorted, std::greater(),
                             [](const NodesChange *change) { return std::abs(change->time.difference()); });
    return sorted;
}

// ---------------------------------------------------------------- JSON

void writeChange(JsonWriter &out, const TimeChange &change)
{
    if (change.before)
        writeSpread(out, "a_ms", *change.before);
    if (change.after)
        writeSpread(out, "b_ms", *change.after);
    out.key("ratio");
    change.ratio() ? out.value(*change.ratio()) : out.null();
    const Verdict verdict = change.verdict();
    out.key("beyond_noise");
    verdict == Verdict::NotKnown ? out.null() : out.value(verdict != Verdict::WithinNoise);
}

void writeTimedIds(JsonWriter &out, std::string_view key, const SavedProfile &profile,
                   const std::vector<std::size_t> &rows)
{
    out.key(key);
    out.beginArray();
    for (const std::size_t row : rows)
        for (const run::SavedPart &part : profile.nodes[row].parts)
            out.value(part.id.index);
    out.endArray();
}

void writeNodesChange(JsonWriter &out, const ComparedProfiles &profiles, const NodesChange &change)
{
    const Labels labels = labelsOf(profiles, change);
    out.beginObject();
    out.member("name", labels.name);
    out.member("op", labels.op);
    writeTimedIds(out, "a", profiles.a, change.a);
    writeTimedIds(out, "b", profiles.b, change.b);
    writeChange(out, change.time);
    out.endObject();
}

void writeConditions(JsonWriter &out, const ComparedProfiles &profiles)
{
    out.key("conditions");
    out.beginArray();
    for (const ConditionChange &change : conditionChanges(profiles.a, profiles.b)) {
        out.beginObject();
        out.member("what", change.what);
        out.member("a", change.before);
        out.member("b", change.after);
        out.endObject();
    }
    out.endArray();
}

} // namespace

std::string profileComparisonJson(const ComparedProfiles &profiles)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.profile-comparison/1");
    out.key("whole");
    out.beginObject();
    writeChange(out, profiles.comparison.whole);
    out.endObject();
    writeSeconds(out, "sum_a_ms", profiles.a.sum());
    writeSeconds(out, "sum_b_ms", profiles.b.sum());
    writeConditions(out, profiles);
    out.key("nodes");
    out.beginArray();
    for (const NodesChange &change : profiles.comparison.nodes)
        writeNodesChange(out, profiles, change);
    out.endArray();
    out.endObject();
    return out.take();
}

std::string profileComparisonText(const ComparedProfiles &profiles)
{
    constexpr std::size_t shown = 30;
    using enum print::TextTable::Align;
    print::TextTable table({{Right}, {Right}, {Right}, {Left, 60}, {Left, 40}, {}});
    table.addRow({"A", "B", "B / A", "node", "operator"});
    const auto nodes = mostChangedFirst(profiles.comparison);
    for (std::size_t i = 0; i < std::min(shown, nodes.size()); ++i) {
        const NodesChange &change = *nodes[i];
        const Labels labels = labelsOf(profiles, change);
        table.addRow({medianText(change.time.before), medianText(change.time.after), ratioText(change.time),
                      sanitized(labels.name), sanitized(labels.op), std::string(remark(change))});
    }
    std::string text = table.print(0);
    if (nodes.size() > shown)
        text += formatted("and {} more\n", nodes.size() - shown);
    for (const ConditionChange &change : conditionChanges(profiles.a, profiles.b))
        text += formatted("{}: {} in A, {} in B\n", change.what, sanitized(change.before), sanitized(change.after));
    const TimeChange &whole = profiles.comparison.whole;
    return text
        + formatted("a run takes {} in A and {} in B, {} times as long{}\n", medianText(whole.before),
                    medianText(whole.after), ratioText(whole), noiseText(whole.verdict()));
}

} // namespace cutaway::report
