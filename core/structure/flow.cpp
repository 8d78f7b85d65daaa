// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The steps are in the order in which a walk from the results up to their makers leaves them. Makers are visited in the
// order of the file, so the steps stay in that order as far as it does not tear branches apart.
//
// A graph that is trained returns many values beside the flow: those that are kept for the gradients, and the gradients
// of weights. A step beside the flow leads, perhaps through a few others, only to results, while all of its operands
// are also read by the flow. It computes with no weight, as heads do. It stands right after the steps that it reads,
// and its results pass no border.

#include "core/structure/flow.h"

#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/structure/crossings.h"
#include "core/structure/roles.h"

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <optional>
#include <span>
#include <tuple>

namespace cutaway::structure {

namespace {

constexpr std::uint32_t none = Passing::none;
constexpr std::uint32_t trunkReaders = 6; ///< a value with this many readers is computed before all of them
constexpr std::uint32_t mostSide = 6;     ///< the limit of consecutive steps that lead to a result beside the flow

class FlowMaker {
public:
    FlowMaker(const ir::Graph &graph, ir::RegionId region, const Steps &steps, const std::vector<bool> &plumbing)
        : m_graph(graph),
          m_region(region),
          m_steps(steps),
          m_plumbing(plumbing),
          m_stepOfNode(graph.nodeCount(), none),
          m_isAside(steps.size())
    {
    }

    Flow make()
    {
        for (std::uint32_t i = 0; i < m_steps.size(); ++i)
            for (const ir::NodeId node : m_steps[i])
                claim(node, i);
        findReturned();
        findAside();
        findSources();
        findSides();
        walk();
        findPlaces();
        findReads();
        m_flow.crossings = crossingsOf(m_flow.places, std::move(m_passing));
        m_flow.prepares = std::move(m_isAside);
        return std::move(m_flow);
    }

private:
    void claim(ir::NodeId node, std::uint32_t step)
    {
        m_stepOfNode[node.index] = step;
        for (const ir::RegionId inner : m_graph.at(node).regions)
            for (const ir::NodeId below : m_graph.at(inner).nodes)
                claim(below, step);
    }

    template <class Visit>
    void forEachReadOfNode(ir::NodeId id, const Visit &visit) const
    {
        const ir::Node &node = m_graph.at(id);
        forEachRead(node, visit);
        for (const ir::RegionId inner : node.regions) {
            for (const ir::NodeId below : m_graph.at(inner).nodes)
                forEachReadOfNode(below, visit);
            for (const ir::Operand &output : m_graph.at(inner).outputs)
                forEachValue(output, visit);
        }
    }

    template <class Visit>
    void forEachReadOfStep(std::uint32_t step, const Visit &visit) const
    {
        for (const ir::NodeId node : m_steps[step])
            forEachReadOfNode(node, visit);
    }

    std::uint32_t makerOf(ir::ValueId value) const
    {
        const auto *made = std::get_if<ir::NodeResult>(&m_graph.at(value).definition);
        return made ? m_stepOfNode[made->node.index] : none;
    }

    /// Collects the values that the steps make for others: first results of the region, then values that nodes outside
    /// of the steps read.
    void findReturned()
    {
        for (const ir::Operand &output : m_graph.at(m_region).outputs)
            forEachValue(output, [&](ir::ValueId id) {
                if (makerOf(id) != none)
                    m_returned.push_back(id);
            });
        for (const std::vector<ir::NodeId> &step : m_steps)
            for (const ir::NodeId node : step)
                for (const ir::ValueId id : m_graph.at(node).outputs)
                    if (std::ranges::any_of(m_graph.at(id).uses, [&](const ir::Use &use) {
                            const auto *reader = std::get_if<ir::NodeId>(&use);
                            return reader && m_stepOfNode[reader->index] == none;
                        }))
                        m_returned.push_back(id);
    }

    /// Finds the steps that only prepare others: plumbing, and those that depend on weights alone.
    void findAside()
    {
        std::vector<bool> isConstant(m_steps.size());
        for (std::uint32_t i = 0; i < m_steps.size(); ++i) {
            const bool isPlumbing =
                std::ranges::all_of(m_steps[i], [&](ir::NodeId node) { return m_plumbing[node.index]; });
            bool any = false, all = true;
            forEachReadOfStep(i, [&](ir::ValueId id) {
                const std::uint32_t maker = makerOf(id);
                any = true;
                all = all && (ir::ValueRef(m_graph, id).weight() || (maker != none && maker < i && isConstant[maker]));
            });
            isConstant[i] = all && (any || isPlumbing);
            m_isAside[i] = isPlumbing || isConstant[i];
        }
    }

    /// Finds for each step the steps whose values it reads.
    void findSources()
    {
        m_sources.resize(m_steps.size());
        m_readers.resize(m_steps.size());
        // By step: the number of steps of the main flow that read the step.
        std::vector<std::uint32_t> readers(m_steps.size(), 0);
        for (std::uint32_t i = 0; i < m_steps.size(); ++i) {
            std::vector<std::uint32_t> &sources = m_sources[i];
            forEachReadOfStep(i, [&](ir::ValueId id) {
                if (const std::uint32_t maker = makerOf(id); maker != none && maker != i)
                    sources.push_back(maker);
            });
            std::ranges::sort(sources);
            const auto [first, last] = std::ranges::unique(sources);
            sources.erase(first, last);
            for (const std::uint32_t source : sources) {
                m_readers[source].push_back(i);
                readers[source] += m_isAside[i] ? 0 : 1;
            }
        }
        sortSources(readers);
    }

    /// The steps with many readers that one step depends on, ascending.
    using Trunks = boost::container::static_vector<std::uint32_t, 4>;

    static void addTo(Trunks &trunks, std::uint32_t step)
    {
        const auto place = std::ranges::lower_bound(trunks, step);
        if ((place == trunks.end() || *place != step) && trunks.size() < trunks.capacity())
            trunks.insert(place, step);
    }

    /// Sorts sources in the order in which they are visited: first steps with many readers, wherever they are needed;
    /// then the branch that reaches back furthest in the file; then other branches by their beginning; steps that
    /// prepare come last.
    void sortSources(const std::vector<std::uint32_t> &readers)
    {
        std::vector<std::uint32_t> oldest(m_steps.size());      // by step: the oldest step of its branch
        std::vector<std::uint32_t> beginnings(m_steps.size());  // by step: the first step of the branch that it ends
        std::vector<std::uint32_t> forks(m_steps.size(), none); // by step: the fork at which its oldest branch begins
        std::vector<Trunks> trunks(m_steps.size());
        for (std::uint32_t i = 0; i < m_steps.size(); ++i) {
            oldest[i] = beginnings[i] = i;
            for (const std::uint32_t source : m_sources[i]) {
                if (source > i || m_isAside[source])
                    continue;
                oldest[i] = std::min(oldest[i], oldest[source]);
                if (readers[source] < 2)
                    beginnings[i] = std::min(beginnings[i], beginnings[source]);
                if (readers[source] >= trunkReaders)
                    addTo(trunks[i], source);
                else
                    for (const std::uint32_t trunk : trunks[source])
                        addTo(trunks[i], trunk);
            }
            std::ranges::stable_sort(m_sources[i], {}, [&](std::uint32_t source) {
                return std::tuple(static_cast<bool>(m_isAside[source]), oldest[source], beginnings[source]);
            });
            if (!m_sources[i].empty() && !m_isAside[m_sources[i].front()])
                forks[i] = readers[m_sources[i].front()] < 2 ? forks[m_sources[i].front()] : m_sources[i].front();
            if (m_sources[i].size() < 2)
                continue;
            std::ranges::stable_sort(m_sources[i], {}, [&](std::uint32_t source) {
                return std::pair(static_cast<bool>(m_isAside[source]), beginnings[source]);
            });
            if (forks[i] != none)
                m_sources[i].insert(m_sources[i].begin(), forks[i]);
            m_sources[i].insert(m_sources[i].begin(), trunks[i].begin(), trunks[i].end());
        }
    }

    /// Whether a step may lead to a result beside the flow: it is a single node, and computes with no weight.
    bool isLight(std::uint32_t step, const RoleFinder &roles) const
    {
        if (m_steps[step].size() != 1 || m_isAside[step])
            return false;
        Place place;
        roles.describe(m_steps[step], place);
        return !isWeighted(place.role) || place.role == Role::Product;
    }

    /// Finds the steps beside the flow: they and their readers lead only to results, while their operands are also read
    /// by the flow or depend only on inputs.
    void findSides()
    {
        findLeadingAside();
        // By step: the number of its sources that the flow also reads, of those that it does not read, and of both
        // together.
        std::vector<std::uint32_t> going(m_steps.size()), ending(m_steps.size()), others(m_steps.size());
        std::vector<bool> isOfInputs(m_steps.size());
        for (std::uint32_t i = 0; i < m_steps.size(); ++i) {
            isOfInputs[i] = m_isSide[i] && others[i] == 0;
            m_isSide[i] = m_isSide[i] && (isOfInputs[i] || (going[i] > 0 && ending[i] == 0));
            if (m_isAside[i] || isOfInputs[i])
                continue;
            const bool goesOn = m_isSide[i] || std::ranges::any_of(m_readers[i], [&](std::uint32_t reader) {
                                    return !m_isSide[reader] && !m_isAside[reader];
                                });
            for (const std::uint32_t reader : m_readers[i]) {
                ++others[reader];
                ++(goesOn ? going : ending)[reader];
            }
        }
        for (auto i = static_cast<std::uint32_t>(m_steps.size()); i-- > 0;)
            m_isSide[i] = m_isSide[i] && (!isOfInputs[i] || !m_readers[i].empty())
                && std::ranges::all_of(m_readers[i], [&](std::uint32_t reader) { return m_isSide[reader]; });
    }

    /// Finds steps without weights that lead only to results, and through few other steps.
    void findLeadingAside()
    {
        const RoleFinder roles = roleFinder();
        std::vector<std::uint32_t> lengths(m_steps.size(), 1); // numbers of steps on the longest way to a result
        m_isSide.resize(m_steps.size());
        for (auto i = static_cast<std::uint32_t>(m_steps.size()); i-- > 0;) {
            bool leadsAside = true;
            for (const std::uint32_t reader : m_readers[i]) {
                leadsAside = leadsAside && reader > i && m_isSide[reader];
                lengths[i] = std::max(lengths[i], lengths[reader] + 1);
            }
            m_isSide[i] = leadsAside && lengths[i] <= mostSide && isLight(i, roles);
        }
    }

    enum class State : std::uint8_t { New, Open, Done };

    /// Adds the steps beside the flow that read the step `behind`, and in turn their readers. A step is added when the
    /// other steps that it reads are there, or can be added before it.
    void addSides(std::uint32_t behind, std::vector<State> &states)
    {
        std::vector<std::uint32_t> pending{behind};
        while (!pending.empty()) {
            const std::uint32_t step = pending.back();
            pending.pop_back();
            for (const std::uint32_t reader : m_readers[step])
                if (m_isSide[reader] && canAdd(reader, states, mostSide)) {
                    addWithSources(reader, states);
                    pending.push_back(reader);
                }
        }
    }

    /// Whether the step is new and its sources are there, or can be added before it: steps that only prepare, or steps
    /// beside the flow.
    bool canAdd(std::uint32_t step, const std::vector<State> &states, std::uint32_t depth) const
    {
        return states[step] == State::New && depth > 0
            && std::ranges::all_of(m_sources[step], [&](std::uint32_t source) {
                   const bool may = m_isAside[source] || m_isSide[source];
                   return states[source] == State::Done || (may && canAdd(source, states, depth - 1));
               });
    }

    void addWithSources(std::uint32_t step, std::vector<State> &states)
    {
        for (const std::uint32_t source : m_sources[step])
            if (states[source] == State::New)
                addWithSources(source, states);
        states[step] = State::Done;
        m_flow.order.push_back(step);
    }

    void walk()
    {
        struct Visit {
            std::uint32_t step;
            std::size_t next = 0;
        };
        std::vector<State> states(m_steps.size(), State::New);
        std::vector<Visit> path;
        const auto from = [&](std::uint32_t root) {
            if (states[root] != State::New)
                return;
            states[root] = State::Open;
            path.push_back({root});
            while (!path.empty()) {
                Visit &visit = path.back();
                if (visit.next == m_sources[visit.step].size()) {
                    const std::uint32_t done = visit.step;
                    states[done] = State::Done;
                    m_flow.order.push_back(done);
                    path.pop_back();
                    addSides(done, states);
                    continue;
                }
                const std::uint32_t source = m_sources[visit.step][visit.next++];
                m_flow.isTopological = m_flow.isTopological && states[source] != State::Open;
                if (states[source] == State::New) {
                    states[source] = State::Open;
                    path.push_back({source});
                }
            }
        };
        for (const ir::ValueId id : m_returned)
            if (!m_isSide[makerOf(id)])
                from(makerOf(id));
        for (std::uint32_t i = 0; i < m_steps.size(); ++i)
            from(i);
    }

    RoleFinder roleFinder() const
    {
        return {m_graph, [this](ir::ValueId value) {
                    const std::uint32_t maker = makerOf(value);
                    return maker != none && m_isAside[maker];
                }};
    }

    void findPlaces()
    {
        const RoleFinder roles = roleFinder();
        m_placeOfStep.assign(m_steps.size(), none);
        std::uint32_t begin = 0;
        for (std::uint32_t i = 0; i < m_flow.order.size(); ++i) {
            const std::uint32_t step = m_flow.order[i];
            if (m_isAside[step])
                continue;
            m_placeOfStep[step] = static_cast<std::uint32_t>(m_flow.places.size());
            Place place{.step = step, .isSide = m_isSide[step], .sources = {}, .readers = {}};
            roles.describe(m_steps[step], place);
            m_flow.places.push_back(std::move(place));
            m_flow.begins.push_back(begin);
            begin = i + 1;
        }
    }

    void findReads()
    {
        m_passing.resize(m_graph.valueCount());
        for (std::uint32_t i = 0; i < m_flow.places.size(); ++i) {
            const std::uint32_t step = m_flow.places[i].step;
            forEachReadOfStep(step, [&](ir::ValueId id) {
                const ir::ValueRef value(m_graph, id);
                const std::uint32_t maker = makerOf(id);
                if (value.weight() || maker == step || (maker == none ? !isInput(id) : m_isAside[maker]))
                    return;
                Passing &passing = m_passing[id.index];
                if (maker == none)
                    m_flow.places[i].readsOutside = true;
                else
                    passing.maker = m_placeOfStep[maker];
                if (passing.readers.empty() || passing.readers.back() != i)
                    passing.readers.push_back(i);
            });
        }
        for (const ir::ValueId id : m_returned) {
            if (m_isAside[makerOf(id)])
                continue;
            m_passing[id.index].maker = m_placeOfStep[makerOf(id)];
            m_passing[id.index].isReturned = true;
        }
        linkPlaces();
    }

    /// Connects positions with those that they read.
    void linkPlaces()
    {
        for (const Passing &passing : m_passing)
            for (const std::uint32_t reader : passing.readers)
                if (passing.maker != none && passing.maker < reader) {
                    m_flow.places[reader].sources.push_back(passing.maker);
                    m_flow.places[passing.maker].readers.push_back(reader);
                }
        for (Place &place : m_flow.places)
            for (std::vector<std::uint32_t> *list : {&place.sources, &place.readers}) {
                std::ranges::sort(*list);
                const auto [first, last] = std::ranges::unique(*list);
                list->erase(first, last);
            }
    }

    /// Whether a value comes from outside of the steps: an input of the region, or made by a node that is no step.
    bool isInput(ir::ValueId id) const
    {
        const ir::Definition &definition = m_graph.at(id).definition;
        if (const auto *made = std::get_if<ir::NodeResult>(&definition))
            return !m_plumbing[made->node.index];
        const auto *input = std::get_if<ir::RegionInput>(&definition);
        return input && input->region == m_region;
    }

    const ir::Graph &m_graph;
    const ir::RegionId m_region;
    const Steps &m_steps;
    const std::vector<bool> &m_plumbing;
    std::vector<std::uint32_t> m_stepOfNode;
    std::vector<bool> m_isAside; ///< by step: whether the step only prepares others
    std::vector<bool> m_isSide;  ///< by step: whether the step leads only to results beside the flow
    std::vector<std::vector<std::uint32_t>> m_sources, m_readers;
    std::vector<ir::ValueId> m_returned;
    std::vector<std::uint32_t> m_placeOfStep;
    std::vector<Passing> m_passing; ///< by value
    Flow m_flow;
};

} // namespace

Flow flowOf(const ir::Graph &graph, ir::RegionId region, const Steps &steps, const std::vector<bool> &plumbing)
{
    return FlowMaker(graph, region, steps, plumbing).make();
}

} // namespace cutaway::structure
