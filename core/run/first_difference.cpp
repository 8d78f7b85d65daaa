// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/first_difference.h"

#include "core/base/result.h"
#include "core/diff/diff.h"
#include "core/ir/node_ref.h"
#include "core/run/points.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace cutaway::run {

namespace {

/// Whether a pass changed weights or attributes of a node, so that it computes something else on purpose.
bool isChanged(const diff::Pair &pair)
{
    return std::ranges::any_of(pair.changes, [](const diff::Change &change) {
        return change.kind == diff::Change::Kind::Operator || change.kind == diff::Change::Kind::Argument
            || change.kind == diff::Change::Kind::Weight;
    });
}

/// Runs two states to compare one value of each.
class ValuePairs {
public:
    ValuePairs(Backend &backend, const Subject &before, const Subject &after, const Inputs &inputs,
               const Inputs &inputsAfter, const Task &task)
        : m_backend(backend),
          m_before(before),
          m_after(after),
          m_inputs(inputs),
          m_inputsAfter(inputsAfter),
          m_task(task)
    {
    }

    /// Returns the largest error between the two values; infinity if they cannot be compared.
    Result<double> largestError(const Point &point)
    {
        CUTAWAY_TRY(const auto a, last(m_before, point.a, m_inputs));
        CUTAWAY_TRY(const auto b, last(m_after, point.b, m_inputsAfter));
        const auto distance = compare(a, b, {}).distance;
        return distance ? distance->maxAbsolute : std::numeric_limits<double>::infinity();
    }

private:
    Result<Output> last(const Subject &subject, ir::ValueId value, const Inputs &inputs)
    {
        CUTAWAY_TRY(auto outcome, m_backend.runWithValues(subject, std::span(&value, 1), inputs, m_task));
        if (outcome.outputs.empty())
            return backendError("the backend returned nothing");
        return std::move(outcome.outputs.back());
    }

    Backend &m_backend;
    const Subject &m_before, &m_after;
    const Inputs &m_inputs, &m_inputsAfter;
    const Task &m_task;
};

using Nodes = std::unordered_set<ir::NodeId>;

/// Returns the nodes of the later state that are new or changed.
Nodes changedNodes(const diff::Difference &difference)
{
    Nodes changed(difference.onlyB.begin(), difference.onlyB.end());
    for (const diff::Pair &pair : difference.pairs)
        if (isChanged(pair))
            changed.insert(pair.b);
    return changed;
}

/// Whether the elements of a value follow from shapes, as sizes do: they are then the same whatever the inputs are.
bool isDerived(const diff::Side &side, ir::ValueId value)
{
    const ops::TensorFact *tensor = ops::asTensor(side.analysis.shapes.of(value));
    return tensor && tensor->elements;
}

/// Returns the nodes of the body that depend on the changed ones; all other nodes have equal results. A node with
/// regions counts as one of them, since it may read anything.
Nodes comingFrom(const Nodes &changed, const diff::Side &side)
{
    const ir::Graph &graph = side.graph();
    Nodes coming;
    std::unordered_set<ir::ValueId> values;
    for (const ir::NodeRef node : ir::nodesOf(graph)) {
        bool isOne = changed.contains(node) || !node->regions.empty();
        for (const ir::Argument &argument : node->arguments)
            ir::forEachValue(argument.value, [&](ir::ValueId value) { isOne = isOne || values.contains(value); });
        const auto isData = [&](ir::ValueId value) { return !isDerived(side, value); };
        if (!isOne || std::ranges::none_of(node->outputs, isData))
            continue;
        coming.insert(node);
        std::ranges::copy_if(node->outputs, std::inserter(values, values.end()), isData);
    }
    return coming;
}

/// Returns the changed nodes after `first` up to and including `last`, in the order of the body.
std::vector<ir::NodeId> changedBetween(const diff::Side &after, const Nodes &changed, std::optional<ir::NodeId> first,
                                       std::optional<ir::NodeId> last)
{
    std::vector<ir::NodeId> between;
    bool isInside = !first;
    for (const ir::NodeId node : after.graph().at(ir::Graph::body).nodes) {
        if (isInside && changed.contains(node))
            between.push_back(node);
        isInside = (isInside || node == first) && node != last;
    }
    return between;
}

} // namespace

Result<FirstDifference> firstDifference(Backend &backend, const ir::Model &before, const ir::Model &after,
                                        ir::FunctionId function, const Inputs &inputs, double tolerance,
                                        const Task &task)
{
    CUTAWAY_TRY(const auto inputsAfter, inputsOfState(after, function, inputs));
    const auto analysisBefore = analysis::analyse(before, function), analysisAfter = analysis::analyse(after, function);
    const diff::Side a{before, analysisBefore}, b{after, analysisAfter};
    const diff::Difference difference = diff::compareStates(a, b);
    diff::Difference alike;
    std::ranges::copy_if(difference.pairs, std::back_inserter(alike.pairs), std::not_fn(isChanged));
    const Nodes changed = changedNodes(difference);
    std::vector<Point> all = points(a, b, alike);
    std::erase_if(all, [coming = comingFrom(changed, b)](const Point &at) { return !coming.contains(at.nodeB); });
    const Subject first{before, function, std::nullopt}, second{after, function, std::nullopt};
    ValuePairs values(backend, first, second, inputs, inputsAfter, task);
    FirstDifference found;
    std::size_t equal = 0, different = all.size(); // values before `equal` agree, from `different` on not
    while (equal < different) {
        const std::size_t middle = equal + (different - equal) / 2;
        CUTAWAY_TRY(const auto error, values.largestError(all[middle]));
        if (error <= tolerance) {
            equal = middle + 1;
        } else {
            different = middle;
            found.largest = error;
        }
    }
    std::optional<ir::NodeId> lastInAfter, firstInAfter;
    if (equal > 0) {
        found.lastEqual = all[equal - 1].nodeA;
        lastInAfter = all[equal - 1].nodeB;
    }
    if (different < all.size()) {
        found.firstDifferent = all[different].nodeA;
        firstInAfter = all[different].nodeB;
    }
    found.changed = changedBetween(b, changed, lastInAfter, firstInAfter);
    return found;
}

} // namespace cutaway::run
