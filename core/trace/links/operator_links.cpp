// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/links/operator_links.h"

#include "core/base/formatted.h"
#include "core/ir/names.h"
#include "core/trace/links/call_fit.h"
#include "core/trace/links/gradient_links.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace cutaway::trace {

namespace {

constexpr std::string_view compiledRegion = "Torch-Compiled Region: ", compiledGraph = "## Call CompiledFxGraph ";

/// Returns the key of the code that was made of a step's graph, as annotations of its calls have it; "" if unknown.
std::string codeKey(const sequence::FoundStep &step)
{
    for (const sequence::Record &record : step.sequence().records) {
        if (!record.name.starts_with("fx_graph_cache_"))
            continue;
        const auto json = nlohmann::json::parse(record.text.text(), nullptr, false);
        if (json.is_object() && json.contains("key") && json["key"].is_string())
            return json["key"].get<std::string>();
    }
    return {};
}

/// Returns the name of the node in an annotation that an interpreter put around the node: "## relu ##".
std::string_view annotatedNode(std::string_view name)
{
    constexpr std::string_view mark = "## ", end = " ##";
    if (!name.starts_with(mark) || !name.ends_with(end) || name.size() <= mark.size() + end.size())
        return {};
    return name.substr(mark.size(), name.size() - mark.size() - end.size());
}

class OperatorLinks {
public:
    OperatorLinks(const Trace &trace, const Nesting &nesting, const ir::Graph &graph, const Units &units,
                  const sequence::FoundStep *step, Linked &linked)
        : m_trace(trace),
          m_nesting(nesting),
          m_graph(graph),
          m_units(units),
          m_step(step),
          m_codeKey(step ? codeKey(*step) : std::string()),
          m_linked(linked),
          m_holdsUnit(trace.events.size())
    {
        for (const Unit &unit : units.all)
            m_names.insert(unit.name);
        for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
            if (!graph.at(id).removed)
                m_nodes.emplace(ir::nameOf(ir::NodeRef(graph, id)), id);
        findHolders();
    }

    void run(const Task &task)
    {
        for (std::uint32_t i = 0; i < m_linked.iterations.size() && !task.stopRequested(); ++i) {
            m_rows.clear();
            for (const EventIndex event : m_linked.iterations[i].events)
                addRows(i, event, 0);
            std::ranges::stable_sort(m_rows, {}, &Row::event);
            linkInOrder();
            if (!m_units.areKernels)
                linkGradients(m_trace, m_nesting, m_rows);
            giveReasons();
            std::ranges::move(m_rows, std::back_inserter(m_linked.rows));
        }
        report();
    }

private:
    bool isUnit(const Event &event)
    {
        const NameFacts facts = factsOf(event.name);
        return facts.isUnit || (facts.annotated && event.category == Category::Annotation);
    }

    /// Facts about a name of events, found once: a trace has millions of events with few names.
    struct NameFacts {
        bool isKnown = false;
        bool isUnit = false;     ///< whether a unit has this name
        bool isGradient = false; ///< whether autograd made the name
        bool isFused = false;    ///< whether it names an operator of TorchScript's fuser
        std::optional<ir::NodeId> annotated;
    };
    NameFacts factsOf(TextId id)
    {
        const auto index = static_cast<std::size_t>(id);
        if (index >= m_facts.size())
            m_facts.resize(index + 1);
        NameFacts &facts = m_facts[index];
        if (facts.isKnown)
            return facts;
        const std::string_view name = m_trace.texts.at(id);
        const auto node = m_nodes.find(std::string(annotatedNode(name)));
        facts = {.isKnown = true,
                 .isUnit = m_names.contains(operatorName(name)) || name.starts_with(fusedPrefix),
                 .isGradient = trace::isGradient(name),
                 .isFused = name.starts_with(fusedPrefix),
                 .annotated = node == m_nodes.end() ? std::nullopt : std::optional(node->second)};
        return facts;
    }

    /// Finds the events that contain the event of a unit. Events are visited from the last to the first, since each
    /// precedes the events in it.
    void findHolders()
    {
        for (auto i = static_cast<EventIndex>(m_trace.events.size()); i-- > 0;)
            if (const auto parent = m_nesting.parentOf(i); parent && (m_holdsUnit[i] || isUnit(m_trace.events[i])))
                m_holdsUnit[*parent] = true;
    }

    /// Whether an event is opened: the operators in it are rows of their own.
    bool opens(EventIndex i)
    {
        const Event &event = m_trace.events[i];
        if (m_nesting.in(i).empty() || isUnit(event) || isOfOtherCode(m_trace.nameOf(event)))
            return false;
        if (event.category == Category::Annotation)
            return true;
        return m_holdsUnit[i] && (m_units.areKernels || !factsOf(event.name).isGradient);
    }

    /// Whether a name is that of code that torch.compile made of another graph.
    bool isOfOtherCode(std::string_view name) const
    {
        if (!m_step)
            return false;
        if (const auto &id = m_step->sequence().compileId; id && name.starts_with(compiledRegion))
            // Annotations name the compilation without the attempt.
            return name.substr(compiledRegion.size()) != id->substr(0, id->find('_'));
        return name.starts_with(compiledGraph) && !m_codeKey.empty() && !name.contains(m_codeKey);
    }

    void addRows(std::uint32_t iteration, EventIndex i, int depth)
    {
        constexpr int maxDepth = 200;
        Row row{i, iteration, m_trace.events[i].duration, {}, {}};
        if (depth < maxDepth && opens(i)) {
            for (const EventIndex inner : m_nesting.in(i)) {
                addRows(iteration, inner, depth + 1);
                row.duration = std::max<std::int64_t>(row.duration - m_trace.events[inner].duration, 0);
            }
            row.link.reason = "the time between the operators in it";
            if (row.duration == 0)
                return;
        }
        m_rows.push_back(std::move(row));
    }

    bool isGradient(const Row &row) { return factsOf(m_trace.events[row.event].name).isGradient; }

    /// Returns the lane in which the model runs: the one with the most rows.
    TextId mainLane()
    {
        std::unordered_map<TextId, std::size_t> counts;
        for (const Row &row : m_rows)
            counts[m_trace.events[row.event].lane] += row.link.reason.empty() && !isGradient(row);
        const auto most = std::ranges::max_element(counts, {}, [](const auto &lane) { return lane.second; });
        return most == counts.end() ? TextId::None : most->first;
    }

    /// Returns the calls of operators in the lane of the model, by start.
    std::vector<Row *> callsOfModel()
    {
        const TextId lane = mainLane();
        std::vector<Row *> calls;
        for (Row &row : m_rows) {
            const Event &event = m_trace.events[row.event];
            if (event.lane == lane && event.category == Category::Operator && row.link.reason.empty()
                && (m_units.areKernels || !isGradient(row)))
                calls.push_back(&row);
        }
        return calls;
    }

    /// Links annotations that an interpreter put around nodes. Returns false if there are none.
    bool linkAnnotated()
    {
        bool hasAny = false;
        for (Row &row : m_rows) {
            const Event &event = m_trace.events[row.event];
            if (event.category != Category::Annotation)
                continue;
            if (const auto node = factsOf(event.name).annotated) {
                row.link = {{*node}, {}, Evidence::Name, true};
                hasAny = true;
            }
        }
        return hasAny;
    }

    /// Links calls. Iterations whose calls have the same kinds are linked alike, unless annotations name nodes in one.
    void linkInOrder()
    {
        const bool hasAnnotated = linkAnnotated();
        const std::vector<Row *> calls = callsOfModel();
        if (m_units.all.empty() || calls.empty())
            return;
        const std::vector<std::uint32_t> kinds = kindsOf(calls);
        if (hasAnnotated)
            return linkCalls(calls, kinds);
        const auto known = m_linkedBefore.find(kinds);
        if (known == m_linkedBefore.end()) {
            linkCalls(calls, kinds);
            return keepLinks(calls, kinds);
        }
        for (std::size_t i = 0; i < calls.size(); ++i) {
            calls[i]->link = known->second[i].link;
            calls[i]->phase = known->second[i].phase;
        }
    }

    void keepLinks(const std::vector<Row *> &calls, const std::vector<std::uint32_t> &kinds)
    {
        constexpr std::size_t mostKept = 16;
        if (m_linkedBefore.size() >= mostKept)
            return;
        auto &rows = m_linkedBefore[kinds];
        for (const Row *call : calls)
            rows.push_back({.phase = call->phase, .link = call->link});
    }

    /// Links calls to units by aligning both in order.
    void linkCalls(const std::vector<Row *> &calls, const std::vector<std::uint32_t> &kinds)
    {
        const bool isExact = isSameOrder(calls);
        m_isExact &= isExact;
        const std::size_t passes =
            std::max<std::size_t>(1, (calls.size() + m_units.all.size() / 2) / m_units.all.size());
        if (isExact) {
            for (std::size_t i = 0; i < calls.size(); ++i)
                take(*calls[i], i, 1, true);
        } else {
            CallFits fits(m_trace, m_units.all, calls, kinds);
            const auto fit = [&](std::size_t i, std::size_t unit) { return fits.of(i, unit % m_units.all.size()); };
            for (const Aligned &pair : aligned(calls.size(), m_units.all.size() * passes, fit))
                take(*calls[pair.event], pair.unit, pair.count, false);
        }
        for (Row *row : calls)
            if (row->link.nodes.empty() && factsOf(m_trace.events[row->event].name).isFused)
                takeFused(*row);
    }

    /// Returns a number for the operator, shapes and module of each call. Iterations whose calls have the same kinds
    /// are linked alike.
    std::vector<std::uint32_t> kindsOf(const std::vector<Row *> &calls)
    {
        std::vector<std::uint32_t> kinds;
        for (const Row *call : calls) {
            const Event &event = m_trace.events[call->event];
            const Details &details = m_trace.detailsOf(event);
            const auto next = static_cast<std::uint32_t>(m_kinds.size());
            kinds.push_back(
                m_kinds.emplace(std::tuple(event.name, details.dims, details.hierarchy), next).first->second);
        }
        return kinds;
    }

    /// Links a fused operator to nodes that read each other; other nodes may stand between them.
    void takeFused(Row &row)
    {
        std::unordered_set<ir::NodeId> taken;
        for (const Row &other : m_rows)
            taken.insert(other.link.nodes.begin(), other.link.nodes.end());
        for (std::size_t first = 0; first < m_units.all.size(); ++first) {
            std::string_view names = m_trace.nameOf(m_trace.events[row.event]).substr(fusedPrefix.size());
            std::vector<ir::NodeId> nodes;
            for (std::size_t unit = first; unit < m_units.all.size() && !names.empty(); ++unit) {
                if (nodes.empty() && unit != first)
                    break;
                const Unit &next = m_units.all[unit];
                if (next.nodes.size() != 1 || taken.contains(next.nodes.front()) || !continues(names, next.name)
                    || (!nodes.empty() && !reads(next.nodes.front(), nodes)))
                    continue;
                nodes.push_back(next.nodes.front());
                names.remove_prefix(std::min(next.name.size() + 1, names.size()));
            }
            if (!names.empty() || nodes.size() < 2)
                continue;
            std::ranges::reverse(nodes); // the last node makes the result
            row.link = {std::move(nodes), Sharing::Fused, Evidence::Order, false};
            row.phase = Phase::Forward;
            return;
        }
    }

    /// Whether a node reads a result of one of the nodes in `from`.
    bool reads(ir::NodeId node, const std::vector<ir::NodeId> &from) const
    {
        return std::ranges::any_of(m_graph.at(node).arguments, [&](const ir::Argument &argument) {
            const auto value = ir::valueOf(m_graph, &argument.value);
            return value && value->producer() && std::ranges::contains(from, value->producer()->id());
        });
    }

    const Unit &unitAt(std::size_t index) const { return m_units.all[index % m_units.all.size()]; }

    /// Whether the calls are those of the units in their order, once or repeated as a whole.
    bool isSameOrder(const std::vector<Row *> &calls) const
    {
        if (calls.size() % m_units.all.size() != 0)
            return false;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const Event &event = m_trace.events[calls[i]->event];
            if (operatorName(m_trace.nameOf(event)) != unitAt(i).name)
                return false;
        }
        return true;
    }

    void take(Row &row, std::size_t unit, std::size_t count, bool isExact)
    {
        Link link{{}, {}, m_units.areKernels ? Evidence::Name : Evidence::Order, isExact};
        for (std::size_t i = count; i-- > 0;) // the last node makes the result
            std::ranges::copy(unitAt(unit + i).nodes, std::back_inserter(link.nodes));
        if (link.nodes.empty()) {
            row.link.reason = "it is a kernel of which the log names no nodes";
            return;
        }
        if (link.nodes.size() > 1)
            link.sharing = Sharing::Fused;
        if (count == 1
            && (shapesOf(m_trace, m_trace.events[row.event], unitAt(unit)) == Shapes::Differ
                || !unitAt(unit).makesTensor))
            link.isSure = false;
        row.link = std::move(link);
        row.phase = Phase::Forward;
    }

    void giveReasons()
    {
        for (Row &row : m_rows) {
            if (!row.link.nodes.empty() || !row.link.reason.empty())
                continue;
            const Event &event = m_trace.events[row.event];
            row.link.reason = isOfOtherCode(m_trace.nameOf(event)) ? "it is code of another graph"
                : isUnit(event)                                    ? "the model has no such operator at this position"
                                                                   : "the model has no such operator";
            if (m_firstOther == 0 && event.category == Category::Operator)
                m_firstOther = row.event + 1;
        }
    }

    void report()
    {
        if (m_isExact || m_firstOther == 0)
            return;
        const Event &other = m_trace.events[m_firstOther - 1];
        const double share = linkedShare(m_linked);
        const bool isOther = share < 0.5;
        m_linked.diagnostics.push_back(
            {isOther ? ir::Severity::Warning : ir::Severity::Info,
             isOther ? "trace.other-model" : "trace.order",
             formatted("{}: {:.0f} % of the operators' time fits; the first operator that does not is '{}' (event {})",
                       isOther ? "this may be a run of another model, or one that took another way"
                               : "the run has not only the model's operators in the model's order",
                       100 * share, m_trace.nameOf(other), other.position),
             {},
             {}});
    }

    const Trace &m_trace;
    const Nesting &m_nesting;
    const ir::Graph &m_graph;
    const Units &m_units;
    const sequence::FoundStep *m_step;
    std::string m_codeKey;
    Linked &m_linked;
    std::unordered_set<std::string_view> m_names;
    std::unordered_map<std::string, ir::NodeId> m_nodes;
    std::vector<bool> m_holdsUnit;
    std::vector<NameFacts> m_facts;                                      ///< by TextId of the name of events
    std::map<std::tuple<TextId, TextId, TextId>, std::uint32_t> m_kinds; ///< by operator, shapes and module
    /// The link and phase of each call of iterations, by the kinds of the calls.
    std::map<std::vector<std::uint32_t>, std::vector<Row>> m_linkedBefore;
    std::vector<Row> m_rows; ///< the rows of the current iteration
    bool m_isExact = true;
    EventIndex m_firstOther = 0; ///< the position after the first event without a node; 0 if all have nodes
};

} // namespace

void linkOperators(const Trace &trace, const Nesting &nesting, const ir::Graph &graph, const Units &units,
                   const sequence::FoundStep *step, const Task &task, Linked &linked)
{
    OperatorLinks(trace, nesting, graph, units, step, linked).run(task);
}

} // namespace cutaway::trace
