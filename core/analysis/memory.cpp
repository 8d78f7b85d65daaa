// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory.h"

#include "core/analysis/sizes/peak.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

namespace cutaway::analysis {

namespace {

/// The times at which storages are alive. A moment is a node, those in regions included, or the beginning or end of a
/// region; moments of nodes in regions lie between the two moments of the node around them.
class Schedule {
public:
    struct Life {
        LiveStorage storage;       ///< the storage, with its life in steps
        std::uint32_t first, last; ///< moments
        bool isInside;             ///< whether the life begins in a region or in a called function
        std::uint32_t *index;      ///< the entry of m_indices or m_unknown that leads to this life
    };

    /// Finds the lives of the storages of a function. Storages with numbers below `firstStorage` are ignored.
    Schedule(const ir::Function &function, const Shapes &shapes, std::span<const ir::Dim> bytes,
             std::uint32_t firstStorage = 0)
        : m_graph(function.graph),
          m_shapes(shapes),
          m_bytes(bytes),
          m_firstStorage(std::max(firstStorage, static_cast<std::uint32_t>(ops::StorageNumber::Weights) + 1)),
          m_indices(bytes.size() - std::min<std::size_t>(m_firstStorage, bytes.size()), nowhere)
    {
        m_lives.reserve(m_indices.size());
        for (const ir::FunctionInput &input : function.inputs)
            if (const auto *value = input.value.as<ir::ValueId>())
                use(*value);
        for (const ir::NodeRef node : ir::nodesOf(m_graph)) {
            ++m_step;
            visit(node);
        }
        ++m_step;
        nextMoment();
        for (const ir::FunctionOutput &output : function.outputs)
            ir::forEachValue(output.value, [this](ir::ValueId value) { use(value); });
    }

    /// Returns the lives of the storages, in the order in which they begin.
    std::vector<Life> &lives() { return m_lives; }
    /// The step of each moment.
    const std::vector<std::uint32_t> &steps() const { return m_steps; }
    std::uint32_t stepCount() const { return m_step + 1; }

private:
    void nextMoment() { m_steps.push_back(m_step); }
    std::uint32_t moment() const { return static_cast<std::uint32_t>(m_steps.size() - 1); }

    void visit(const ir::NodeRef &node)
    {
        nextMoment();
        const bool hasInside = visitInside(node);
        for (const ir::Argument &argument : node->arguments)
            ir::forEachValue(argument.value, [this](ir::ValueId value) { use(value); });
        const std::size_t outside = m_lives.size();
        for (const ir::RegionId region : node->regions)
            useCaptured(region, outside);
        if (hasInside) {
            m_insideDepth += 1;
            for (const ir::RegionId region : node->regions)
                if (mayRun(region)) {
                    const std::size_t before = m_lives.size();
                    visitRegion(region);
                    forget(before); // a result that lies in one of these storages begins a new life after all branches
                }
            m_insideDepth -= 1;
            nextMoment();
            for (const ir::Argument &argument : node->arguments)
                ir::forEachValue(argument.value, [this](ir::ValueId value) { use(value); });
            for (const ir::RegionId region : node->regions)
                useCaptured(region, outside);
        }
        for (const ir::ValueId output : node->outputs)
            use(output);
    }

    bool mayRun(ir::RegionId region) const { return m_shapes.reached[region.index] != Reached::Never; }

    /// Adds what lives and dies in a called function. Returns whether the node has regions that may run.
    bool visitInside(const ir::NodeRef &node)
    {
        const auto called = m_shapes.inside.find(node);
        if (called != m_shapes.inside.end() && ops::number(called->second) != 0 && !node->outputs.empty())
            m_lives.push_back(
                {{node->outputs.front(), called->second, m_step, m_step}, moment(), moment(), true, nullptr});
        // PyTorch's measurements of a program of torch.export take its cond and its loops for one node each.
        const bool isOneNode = node.dialect() == "higher_order";
        return !isOneNode && std::ranges::any_of(node->regions, [this](ir::RegionId region) { return mayRun(region); });
    }

    /// Makes the storages whose lives have the index `first` or a later one begin a new life where they are used next.
    void forget(std::size_t first)
    {
        for (std::size_t i = first; i < m_lives.size(); ++i)
            if (m_lives[i].index)
                *m_lives[i].index = nowhere;
    }

    void visitRegion(ir::RegionId region)
    {
        nextMoment();
        for (const ir::ValueId input : m_graph.at(region).inputs)
            use(input);
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region))
            visit(node);
        nextMoment();
        for (const ir::Operand &output : m_graph.at(region).outputs)
            ir::forEachValue(output, [this](ir::ValueId value) { use(value); });
    }

    /// Uses the values that a region takes from outside, at the node that the region belongs to. Only storages whose
    /// lives have an index below `outside` are used.
    void useCaptured(ir::RegionId region, std::size_t outside)
    {
        const auto reuse = [&](ir::ValueId value) { use(value, outside); };
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            for (const ir::Argument &argument : node->arguments)
                ir::forEachValue(argument.value, reuse);
            for (const ir::RegionId inner : node->regions)
                useCaptured(inner, outside);
        }
        for (const ir::Operand &output : m_graph.at(region).outputs)
            ir::forEachValue(output, reuse);
    }

    /// Uses the storages of the value at the current moment. `known`: only lives with a smaller index are continued; by
    /// default all are, and storages that were not met begin a life.
    void use(ir::ValueId value, std::size_t known = anew)
    {
        if (m_shapes.of(value).as<ops::AnyFact>()) // a value of any type may be a tensor
            use(m_unknown.try_emplace(value, nowhere).first->second, value, ir::UnknownDim{}, known);
        const auto useStorage = [&](const ops::TensorFact &tensor) {
            const auto number = static_cast<std::uint32_t>(tensor.storage);
            if (number >= m_firstStorage)
                use(m_indices[number - m_firstStorage], value, m_bytes[number], known);
        };
        ops::forEachTensor(m_shapes.of(value), useStorage);
        if (const auto then = m_shapes.reshaped.find(value); then != m_shapes.reshaped.end())
            ops::forEachTensor(then->second, useStorage);
    }

    void use(std::uint32_t &index, ir::ValueId value, const ir::Dim &bytes, std::size_t known)
    {
        if (index != nowhere && index < known) {
            m_lives[index].last = moment();
            m_lives[index].storage.last = m_step;
        } else if (index == nowhere && known == anew) {
            index = static_cast<std::uint32_t>(m_lives.size());
            m_lives.push_back({{value, bytes, m_step, m_step}, moment(), moment(), m_insideDepth > 0, &index});
        }
    }

    static constexpr std::size_t anew = std::numeric_limits<std::size_t>::max();
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
    const ir::Graph &m_graph;
    const Shapes &m_shapes;
    const std::span<const ir::Dim> m_bytes;
    const std::uint32_t m_firstStorage;
    std::uint32_t m_step = 0;
    std::vector<std::uint32_t> m_steps{0}; ///< by moment
    int m_insideDepth = 0;
    std::vector<Life> m_lives;
    std::vector<std::uint32_t> m_indices; ///< in m_lives, by StorageNumber from m_firstStorage on
    std::map<ir::ValueId, std::uint32_t> m_unknown;
};

/// Visits the moments with the storages that are alive at each of them.
class Timeline {
public:
    explicit Timeline(Schedule &schedule) : m_schedule(schedule), m_alive(schedule.stepCount())
    {
        const std::vector<Schedule::Life> &lives = schedule.lives();
        for (const Schedule::Life &life : lives)
            m_terms.push_back(m_products.termsOf(life.storage.bytes));
        // Indices of `lives`, which are in the order of their beginnings.
        std::vector<std::uint32_t> byEnd(lives.size());
        std::iota(byEnd.begin(), byEnd.end(), 0u);
        std::ranges::stable_sort(byEnd, {}, [&](std::uint32_t i) { return lives[i].last; });
        std::size_t begun = 0, ended = 0;
        for (std::uint32_t moment = 0; moment < schedule.steps().size(); ++moment) {
            for (; begun < lives.size() && lives[begun].first == moment; ++begun)
                m_terms[begun] ? void(m_isKnown = m_isKnown && addTo(m_now, *m_terms[begun], 1)) : void(++m_unknown);
            note(moment);
            for (; ended < byEnd.size() && lives[byEnd[ended]].last == moment; ++ended) {
                const Terms *gone = m_terms[byEnd[ended]];
                gone ? void(m_isKnown = m_isKnown && addTo(m_now, *gone, -1)) : void(--m_unknown);
            }
        }
    }

    /// Returns the storages, the live memory of each step, and the peak.
    Memory memory()
    {
        Memory memory;
        for (Step &step : m_alive)
            memory.alive.push_back(step.isKnown && m_isKnown ? step.peak.bytes(m_products) : ir::UnknownDim{});
        for (const Schedule::Life &life : m_schedule.lives()) {
            const auto most = m_alive[life.storage.first].peak.step();
            const bool isListed = !life.isInside || life.storage.first != life.storage.last
                || (most && life.first <= *most && *most <= life.last);
            if (isListed)
                memory.storages.push_back(life.storage);
        }
        if (!m_isKnown)
            return memory;
        const ir::Dim bytes = m_peak.bytes(m_products);
        memory.peakAtLeast = ops::isKnown(bytes) ? bytes : ir::Dim(std::int64_t{0});
        if (std::ranges::none_of(m_terms, [](const Terms *known) { return !known; })) {
            memory.peak = bytes;
            if (const auto moment = m_peak.step())
                memory.peakStep = m_schedule.steps()[*moment];
        }
        return memory;
    }

private:
    void note(std::uint32_t moment)
    {
        Step &step = m_alive[m_schedule.steps()[moment]];
        step.isKnown = step.isKnown && m_unknown == 0 && m_isKnown;
        step.peak.offer(moment, m_now);
        m_peak.offer(moment, m_now);
    }

    struct Step {
        Peak peak; ///< the largest of the step's moments
        bool isKnown = true;
    };
    Schedule &m_schedule;
    Products m_products;
    std::vector<const Terms *> m_terms; ///< by life
    std::vector<Step> m_alive;
    Peak m_peak; ///< the largest of all moments, over all steps
    Terms m_now;
    std::size_t m_unknown = 0; ///< storages of unknown size that are alive now
    bool m_isKnown = true;     ///< whether no sum has overflowed so far
};

} // namespace

std::vector<const LiveStorage *> Memory::aliveAt(std::size_t step) const
{
    std::vector<const LiveStorage *> found;
    for (const LiveStorage &storage : storages)
        if (storage.first <= step && step <= storage.last)
            found.push_back(&storage);
    return found;
}

Memory liveMemory(const ir::Model &model, ir::FunctionId id, const Shapes &shapes)
{
    Schedule schedule(model.at(id), shapes, shapes.storages);
    return Timeline(schedule).memory();
}

ir::Dim peakInside(const ir::Function &function, const Shapes &shapes, std::span<const ir::Dim> bytes,
                   std::uint32_t first)
{
    Schedule schedule(function, shapes, bytes, first);
    std::vector<Schedule::Life> &lives = schedule.lives();
    const auto end = static_cast<std::uint32_t>(schedule.steps().size() - 1);
    std::erase_if(lives, [&](const Schedule::Life &life) { return life.last == end; });
    return lives.empty() ? ir::Dim(std::int64_t{0}) : Timeline(schedule).memory().peak;
}

} // namespace cutaway::analysis
