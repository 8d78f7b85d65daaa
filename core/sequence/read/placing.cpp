// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/placing.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/sequence/read/traced_inputs.h"
#include "core/sequence/saved.h"

#include <algorithm>
#include <map>
#include <set>

namespace cutaway::sequence {

namespace {

/// Returns a name as a part of an address, without characters that have a meaning for shells or terminals.
std::string addressPart(std::string_view name)
{
    std::string part(name);
    std::ranges::replace_if(
        part,
        [](unsigned char c) {
            return c <= ' ' || c == '#' || c == 0x7f || std::string_view("'\"\\$`").contains(char(c));
        },
        '_');
    return part;
}

void compare(Step &step, const Step &with)
{
    step.previous = with.address;
    // The fingerprints of a model file, which has no text, and of a printed graph cannot be compared.
    const bool isComparable = step.text.has_value() == with.text.has_value();
    if (isComparable && step.outline && with.outline)
        step.changed = step.outline->fingerprint != with.outline->fingerprint;
}

/// Sets the addresses of steps. Steps with the same name are numbered, from the second one on.
void giveAddresses(std::vector<Sequence> &sequences, const std::string &source)
{
    std::map<std::string, int> given;
    std::set<std::string> taken;
    for (Sequence &sequence : sequences)
        for (Step &step : sequence.steps) {
            const std::string label = labelOf(sequence);
            const std::string name =
                formatted("{}#{}{}{}", source, label, label.empty() ? "" : "/", addressPart(step.name));
            int &count = given[name];
            step.address = ++count > 1 ? formatted("{}:{}", name, count) : name;
            while (!taken.insert(step.address).second) // a name may itself end in a number
                step.address = formatted("{}:{}", name, ++count);
        }
}

using CompilationKey = std::pair<std::optional<int>, std::optional<std::string>>;

CompilationKey keyOf(const Sequence &sequence) { return {sequence.rank, sequence.compileId}; }

std::map<CompilationKey, const Step *> jointGraphs(const std::vector<Sequence> &sequences)
{
    std::map<CompilationKey, const Step *> graphs;
    for (const Sequence &sequence : sequences)
        if (sequence.part == Part::Forward)
            if (const auto joint = std::ranges::find(sequence.steps, Kind::Joint, &Step::kind);
                joint != sequence.steps.end())
                graphs.emplace(keyOf(sequence), &*joint);
    return graphs;
}

/// Connects the graphs by which the inputs of a compilation are known: Dynamo's graph, the first graph of AOTAutograd
/// made from it, and the graphs after them. Returns the inputs that the last graphs get; nullptr if there is no graph
/// of Dynamo.
std::shared_ptr<TracedInputs> connectInputs(Sequence &forward)
{
    std::shared_ptr<TracedInputs> inputs;
    bool isInDynamo = false;
    for (Step &step : forward.steps) {
        const bool isDynamo = step.kind == Kind::Dynamo;
        if (isDynamo && !isInDynamo)
            inputs = std::make_shared<TracedInputs>();
        isInDynamo = isDynamo;
        if (isDynamo && step.text)
            inputs->dynamo.push_back(*step.text);
        const bool isAot = step.kind == Kind::Joint || step.kind == Kind::Aot;
        if (isAot && inputs && !inputs->aot)
            inputs->aot = step.text;
        step.inputs = inputs;
    }
    return inputs;
}

void connectInputs(std::vector<Sequence> &sequences)
{
    std::map<CompilationKey, std::shared_ptr<TracedInputs>> known;
    for (Sequence &sequence : sequences)
        if (sequence.part == Part::Forward)
            known[keyOf(sequence)] = connectInputs(sequence);
    for (Sequence &sequence : sequences)
        if (sequence.part == Part::Backward) {
            const std::shared_ptr<TracedInputs> inputs = known[keyOf(sequence)];
            const Step *graph = aotGraph(sequence);
            if (inputs && graph)
                inputs->backward = graph->text;
            for (Step &step : sequence.steps)
                step.inputs = inputs;
        }
}

std::uint64_t positionOf(const Sequence &sequence)
{
    return sequence.steps.empty() ? sequence.firstLine : sequence.steps.front().line.value_or(0);
}

} // namespace

std::string labelOf(const Sequence &sequence)
{
    std::vector<std::string> parts;
    if (sequence.rank)
        parts.push_back(formatted("rank{}", *sequence.rank));
    if (sequence.compileId)
        parts.push_back(addressPart(*sequence.compileId));
    if (sequence.part == Part::Backward)
        parts.emplace_back(name(sequence.part));
    return joined(parts, "/");
}

void compareNeighbours(Sequence &sequence)
{
    for (std::size_t i = 1; i < sequence.steps.size(); ++i)
        compare(sequence.steps[i], sequence.steps[i - 1]);
}

void place(std::vector<Sequence> sequences, const std::string &source, Document &document)
{
    std::ranges::stable_sort(sequences, {}, positionOf);
    giveAddresses(sequences, source);
    connectInputs(sequences);
    const auto joints = jointGraphs(sequences);
    bool hasGraphs = false;
    for (Sequence &sequence : sequences) {
        compareNeighbours(sequence);
        hasGraphs |= !sequence.steps.empty();
        if (sequence.part == Part::Backward && !sequence.steps.empty())
            if (const auto joint = joints.find(keyOf(sequence)); joint != joints.end())
                compare(sequence.steps.front(), *joint->second);
    }
    if (!hasGraphs)
        document.diagnostics.push_back({ir::Severity::Info, "the log holds no graph", source, {}});
    std::ranges::move(sequences, std::back_inserter(document.sequences));
}

} // namespace cutaway::sequence
