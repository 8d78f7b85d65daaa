// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/training.h"

#include "core/base/formatted.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/sequence/address.h"
#include "core/sequence/printed.h"
#include "core/sequence/saved.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

// The steps of both graphs are put one after the other. If an input of the backward is a value that the forward made,
// or was given, both graphs have the same name for it. Its storage is one of the forward, which then lives until the
// backward's last use, and counts once. The memory that is live at a step is that of the graph's own analysis, less the
// inputs of the backward that lie in such storages, plus the storages of the forward that live longer because of the
// backward.

namespace cutaway::sequence {

namespace {

/// One of the two graphs, with its known facts.
struct Half {
    ir::Model model;
    analysis::Shapes shapes;
    analysis::Memory memory;
    std::unordered_map<std::string_view, ir::ValueId> values; ///< values by name
    std::map<ops::StorageNumber, std::size_t> storages;       ///< the indices in Memory::storages

    const ir::Graph &graph() const { return model.functions.front().graph; }
    std::string nameOf(ir::ValueId value) const { return std::string(ir::ValueRef(graph(), value).name()); }

    /// Returns the index in Memory::storages of a value's storage.
    std::optional<std::size_t> storageOf(ir::ValueId value) const
    {
        const ops::TensorFact *tensor = ops::asTensor(shapes.of(value));
        const auto found = tensor ? storages.find(tensor->storage) : storages.end();
        return found == storages.end() ? std::nullopt : std::optional(found->second);
    }
};

std::optional<Half> halfOf(const Step *step, std::vector<std::string> &notes, const Task &task)
{
    if (!step)
        return std::nullopt;
    auto model = openStep(*step, task);
    if (!model || model->functions.empty()) {
        notes.push_back(formatted("{} cannot be read{}", step->name, model ? "" : ": " + model.error().text()));
        return std::nullopt;
    }
    Half half{std::move(*model), {}, {}, {}, {}};
    half.shapes = analysis::inferShapes(half.model, ir::FunctionId{0}, {}, task);
    half.memory = analysis::liveMemory(half.model, ir::FunctionId{0}, half.shapes);
    for (ir::ValueId id{0}; id.index < half.graph().valueCount(); ++id.index)
        half.values.emplace(ir::ValueRef(half.graph(), id).name(), id);
    for (std::size_t i = 0; i < half.memory.storages.size(); ++i)
        if (const ops::TensorFact *tensor = ops::asTensor(half.shapes.of(half.memory.storages[i].value)))
            half.storages.emplace(tensor->storage, i);
    return half;
}

/// Joins the memory of both graphs.
class Joining {
public:
    Joining(const Half &forward, const Half &backward)
        : m_forward(forward),
          m_backward(backward),
          m_start(forward.memory.alive.size())
    {
    }

    TrainingMemory run(const std::vector<SavedValue> &saved)
    {
        addSteps(m_forward, Part::Forward);
        addSteps(m_backward, Part::Backward);
        for (const analysis::LiveStorage &storage : m_forward.memory.storages)
            m_memory.storages.push_back(
                {m_forward.nameOf(storage.value), Part::Forward, false, storage.bytes, storage.first, storage.last});
        std::map<std::size_t, std::size_t> same; // by storage of the backward: the same storage in the forward
        for (const SavedValue &value : saved)
            if (const auto pair = samePlace(value.name))
                same.insert(*pair);
        for (std::size_t i = 0; i < m_backward.memory.storages.size(); ++i)
            if (const auto found = same.find(i); found != same.end())
                outlive(m_backward.memory.storages[i], found->second);
            else if (isParameter(m_backward.memory.storages[i].value))
                leaveOut(m_backward.memory.storages[i]);
            else
                add(m_backward.memory.storages[i]);
        addOutlived();
        findPeak();
        return std::move(m_memory);
    }

private:
    void addSteps(const Half &half, Part part)
    {
        const std::vector<ir::NodeId> &nodes = half.graph().at(ir::Graph::body).nodes;
        for (std::size_t i = 0; i < half.memory.alive.size(); ++i) {
            const bool isNode = i > 0 && i <= nodes.size();
            m_memory.steps.push_back(
                {part, isNode ? std::string(ir::NodeRef(half.graph(), nodes[i - 1]).name()) : std::string(),
                 half.memory.alive[i]});
        }
    }

    /// Returns the indices of a saved value's storage in the backward and in the forward; nothing if one of them is not
    /// known.
    std::optional<std::pair<std::size_t, std::size_t>> samePlace(const std::string &name) const
    {
        const auto made = m_forward.values.find(name), used = m_backward.values.find(name);
        if (made == m_forward.values.end() || used == m_backward.values.end())
            return std::nullopt;
        const auto before = m_forward.storageOf(made->second), after = m_backward.storageOf(used->second);
        return before && after ? std::optional(std::pair(*after, *before)) : std::nullopt;
    }

    /// Whether the value is a parameter in the forward. The backward does not distinguish parameters from other inputs.
    bool isParameter(ir::ValueId value) const
    {
        const auto given = m_forward.values.find(ir::ValueRef(m_backward.graph(), value).name());
        const ops::TensorFact *tensor =
            given == m_forward.values.end() ? nullptr : ops::asTensor(m_forward.shapes.of(given->second));
        return tensor && tensor->storage == ops::StorageNumber::Weights;
    }

    /// Subtracts the storage from the steps at which the backward's own analysis has counted it.
    void leaveOut(const analysis::LiveStorage &used)
    {
        for (std::size_t i = used.first; i <= used.last; ++i)
            m_memory.steps[m_start + i].alive = ops::minus(m_memory.steps[m_start + i].alive, used.bytes);
    }

    /// Makes `made`, a storage of the forward, live until its last use in the backward. `used` is the same storage in
    /// the backward's own analysis, which counts it as an input; that is subtracted.
    void outlive(const analysis::LiveStorage &used, std::size_t made)
    {
        TrainingMemory::Storage &storage = m_memory.storages[made];
        storage.isSaved = true;
        storage.last = std::max(storage.last, m_start + used.last);
        leaveOut(used);
    }

    void add(const analysis::LiveStorage &own)
    {
        m_memory.storages.push_back(
            {m_backward.nameOf(own.value), Part::Backward, false, own.bytes, m_start + own.first, m_start + own.last});
    }

    void addOutlived()
    {
        for (std::size_t i = 0; i < m_forward.memory.storages.size(); ++i)
            for (std::size_t at = m_forward.memory.storages[i].last + 1; at <= m_memory.storages[i].last; ++at)
                m_memory.steps[at].alive = ops::plus(m_memory.steps[at].alive, m_memory.storages[i].bytes);
    }

    void findPeak()
    {
        for (std::size_t i = 0; i < m_memory.steps.size(); ++i) {
            const auto alive = ops::number(m_memory.steps[i].alive);
            if (!alive) {
                m_memory.peak = ir::UnknownDim{};
                m_memory.peakStep.reset();
                return;
            }
            if (!m_memory.peakStep || *alive > *ops::number(m_memory.peak)) {
                m_memory.peak = *alive;
                m_memory.peakStep = i;
            }
        }
    }

    const Half &m_forward;
    const Half &m_backward;
    const std::size_t m_start; ///< the index of the step with which the backward begins
    TrainingMemory m_memory;
};

/// Returns the nodes of the backward that have the name, the operator and the operands of a node of the forward.
std::vector<Recomputed> recomputedIn(const Step &forward, const Step &backward, const Half &known)
{
    const PrintedGraph made = printedGraph(*forward.text), again = printedGraph(*backward.text);
    std::unordered_map<std::string_view, std::string_view> code;
    for (const PrintedValue &node : made.nodes)
        code.emplace(node.name, node.code);
    std::unordered_set<std::string_view> names;
    for (const PrintedValue &node : again.nodes)
        if (const auto same = code.find(node.name); same != code.end() && same->second == node.code)
            names.insert(node.name);
    std::vector<Recomputed> found;
    for (const ir::NodeRef node : ir::nodesOf(known.graph())) {
        if (!names.contains(node.name()))
            continue;
        ir::Dim bytes = std::int64_t{0};
        for (const ir::ValueRef output : node.outputs())
            ops::forEachTensor(known.shapes.of(output),
                               [&](const ops::TensorFact &tensor) { bytes = ops::plus(bytes, ops::bytesOf(tensor)); });
        found.push_back({std::string(node.name()), known.shapes.costs[node.id().index], std::move(bytes)});
    }
    return found;
}

} // namespace

std::vector<const TrainingMemory::Storage *> TrainingMemory::aliveAt(std::size_t step) const
{
    std::vector<const Storage *> found;
    for (const Storage &storage : storages)
        if (storage.first <= step && step <= storage.last)
            found.push_back(&storage);
    std::ranges::stable_sort(found, std::greater(),
                             [](const Storage *storage) { return ops::number(storage->bytes).value_or(0); });
    return found;
}

std::optional<Training> trainingOf(const Sequence &forward, const Sequence &backward, const Task &task)
{
    const Step *before = aotGraph(forward), *after = aotGraph(backward);
    if (!before || !after)
        return std::nullopt;
    Training training;
    const auto made = halfOf(before, training.notes, task), used = halfOf(after, training.notes, task);
    if (made && used) {
        training.recomputed = recomputedIn(*before, *after, *used);
        training.memory = Joining(*made, *used).run(savedValues(forward, backward));
    }
    return training;
}

} // namespace cutaway::sequence
