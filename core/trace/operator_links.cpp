// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/operator_links.h"

#include "core/base/formatted.h"
#include "core/ir/names.h"
#include "core/trace/alignment.h"
#include "core/trace/limits.h"
#include "core/trace/read/json_text.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace cutaway::trace {

namespace {

constexpr std::string_view gradient = "autograd::engine::evaluate_function: ";
constexpr std::string_view compiledRegion = "Torch-Compiled Region: ", compiledGraph = "## Call CompiledFxGraph ";
constexpr std::string_view fused = "fused_";

/// The key of the code that was made of a step's graph, as annotations of its calls have it; "" where it is not known.
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

/// The node in the name of an annotation that an interpreter put around it: "## relu ##".
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
            linkGradients();
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

    /// Facts on a name of events, found once: a trace has millions of events with few names.
    struct NameFacts {
        bool isKnown = false;
        bool isUnit = false;     ///< a unit is called so
        bool isGradient = false; ///< it is code of autograd
        bool isFused = false;    ///< it is an operator of TorchScript's fuser
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
                 .isUnit = m_names.contains(operatorName(name)) || name.starts_with(fused),
                 .isGradient = trace::isGradient(name),
                 .isFused = name.starts_with(fused),
                 .annotated = node == m_nodes.end() ? std::nullopt : std::optional(node->second)};
        return facts;
    }

    /// An event stands behind those that it lies in.
    void findHolders()
    {
        for (auto i = static_cast<EventIndex>(m_trace.events.size()); i-- > 0;)
            if (const auto parent = m_nesting.parentOf(i); parent && (m_holdsUnit[i] || isUnit(m_trace.events[i])))
                m_holdsUnit[*parent] = true;
    }

    /// Whether the operators in an event are rows of their own.
    bool opens(EventIndex i)
    {
        const Event &event = m_trace.events[i];
        if (m_nesting.in(i).empty() || isUnit(event) || isOfOtherCode(m_trace.nameOf(event)))
            return false;
        if (event.category == Category::Annotation)
            return true;
        return m_holdsUnit[i] && (m_units.areKernels || !factsOf(event.name).isGradient);
    }

    /// Whether this calls code that torch.compile made of another graph.
    bool isOfOtherCode(std::string_view name) const
    {
        if (!m_step)
            return false;
        if (const auto &id = m_step->sequence().compileId; id && name.starts_with(compiledRegion))
            return name.substr(compiledRegion.size()) != id->substr(0, id->find('_')); // without the attempt
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

    /// The lane in which the model runs: the one with the most rows.
    TextId mainLane()
    {
        std::unordered_map<TextId, std::size_t> counts;
        for (const Row &row : m_rows)
            counts[m_trace.events[row.event].lane] += row.link.reason.empty() && !isGradient(row);
        const auto most = std::ranges::max_element(counts, {}, [](const auto &lane) { return lane.second; });
        return most == counts.end() ? TextId::None : most->first;
    }

    void linkInOrder()
    {
        const TextId lane = mainLane();
        std::vector<Row *> calls;
        bool hasNamed = false;
        for (Row &row : m_rows) {
            const Event &event = m_trace.events[row.event];
            const auto named =
                event.category == Category::Annotation ? factsOf(event.name).annotated : std::optional<ir::NodeId>();
            hasNamed |= named.has_value();
            if (named)
                row.link = {{*named}, {}, Evidence::Name, true};
            else if (event.lane == lane && row.link.reason.empty() && event.category == Category::Operator
                     && (m_units.areKernels || !isGradient(row)))
                calls.push_back(&row);
        }
        if (m_units.all.empty() || calls.empty())
            return;
        const std::vector<std::uint32_t> kinds = kindsOf(calls);
        const auto known = m_linkedBefore.find(kinds);
        if (known != m_linkedBefore.end() && !hasNamed) {
            for (std::size_t i = 0; i < calls.size(); ++i) {
                calls[i]->link = known->second[i].link;
                calls[i]->phase = known->second[i].phase;
            }
            return;
        }
        linkCalls(calls, kinds);
        constexpr std::size_t mostKept = 16;
        if (hasNamed || m_linkedBefore.size() >= mostKept)
            return;
        auto &rows = m_linkedBefore[kinds];
        for (const Row *call : calls)
            rows.push_back({.phase = call->phase, .link = call->link});
    }

    /// Links calls that follow each other with units.
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
            Fits fits(*this, calls, kinds);
            const auto fit = [&](std::size_t i, std::size_t unit) { return fits.of(i, unit % m_units.all.size()); };
            for (const Aligned &pair : aligned(calls.size(), m_units.all.size() * passes, fit))
                take(*calls[pair.event], pair.unit, pair.count, false);
        }
        for (Row *row : calls)
            if (row->link.nodes.empty() && factsOf(m_trace.events[row->event].name).isFused)
                takeFused(*row);
    }

    /// A number for the operator, shapes and module of each call. Iterations whose calls are of the same kinds are
    /// linked alike.
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

    /// Links a fused operator with nodes that read each other, which others may stand between.
    void takeFused(Row &row)
    {
        std::unordered_set<ir::NodeId> taken;
        for (const Row &other : m_rows)
            taken.insert(other.link.nodes.begin(), other.link.nodes.end());
        for (std::size_t first = 0; first < m_units.all.size(); ++first) {
            std::string_view names = m_trace.nameOf(m_trace.events[row.event]).substr(fused.size());
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
            std::ranges::reverse(nodes); // the last one makes the result
            row.link = {std::move(nodes), Sharing::Fused, Evidence::Order, false};
            row.phase = Phase::Forward;
            return;
        }
    }

    static bool continues(std::string_view names, std::string_view name)
    {
        return names.starts_with(name) && (names.size() == name.size() || names[name.size()] == '_');
    }

    /// Whether a node reads a result of one of these.
    bool reads(ir::NodeId node, const std::vector<ir::NodeId> &from) const
    {
        return std::ranges::any_of(m_graph.at(node).arguments, [&](const ir::Argument &argument) {
            const auto value = ir::valueOf(m_graph, &argument.value);
            return value && value->producer() && std::ranges::contains(from, value->producer()->id());
        });
    }

    const Unit &unitAt(std::size_t index) const { return m_units.all[index % m_units.all.size()]; }

    /// Whether the calls are those of the units, perhaps several times.
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
        for (std::size_t i = count; i-- > 0;) // the last one makes the result
            std::ranges::copy(unitAt(unit + i).nodes, std::back_inserter(link.nodes));
        if (link.nodes.empty()) {
            row.link.reason = "it is a kernel of which the log names no nodes";
            return;
        }
        if (link.nodes.size() > 1)
            link.sharing = Sharing::Fused;
        if (count == 1 && (shapesOf(row, unitAt(unit)) == Shapes::Differ || !unitAt(unit).makesTensor))
            link.isSure = false;
        row.link = std::move(link);
        row.phase = Phase::Forward;
    }

    enum class Shapes : std::uint8_t { Equal, Differ, Unknown };
    Shapes shapesOf(const Row &row, const Unit &unit) const
    {
        const std::string_view written = m_trace.texts.at(m_trace.detailsOf(m_trace.events[row.event]).dims);
        if (written.empty() || unit.dims.empty())
            return Shapes::Unknown;
        std::size_t i = 0;
        bool isKnown = false;
        for (Members dims(written); i < unit.dims.size() && dims.next(); ++i) {
            if (unit.dims[i] && *unit.dims[i] != dims.value())
                return Shapes::Differ;
            isKnown |= unit.dims[i] && *unit.dims[i] != "[]";
        }
        return isKnown ? Shapes::Equal : Shapes::Unknown;
    }

    /// How well units fit the calls of an iteration, computed when it is asked for. Calls of the same operator, shapes
    /// and module share their answers.
    class Fits {
    public:
        Fits(const OperatorLinks &links, const std::vector<Row *> &calls, const std::vector<std::uint32_t> &kinds)
            : m_links(links),
              m_calls(calls)
        {
            std::unordered_map<std::uint32_t, std::size_t> own; // kinds of other iterations need no room
            for (const std::uint32_t kind : kinds)
                m_kinds.push_back(own.emplace(kind, own.size()).first->second);
            const std::size_t units = links.m_units.all.size();
            if (own.size() <= limits::maxComparisons / units)
                m_known.resize(own.size() * units);
        }

        Fit of(std::size_t call, std::size_t unit)
        {
            if (m_known.empty())
                return m_links.fitOf(*m_calls[call], unit);
            auto &known = m_known[m_kinds[call] * m_links.m_units.all.size() + unit];
            if (!known)
                known = m_links.fitOf(*m_calls[call], unit);
            return *known;
        }

    private:
        const OperatorLinks &m_links;
        const std::vector<Row *> &m_calls;
        std::vector<std::size_t> m_kinds;        ///< by call
        std::vector<std::optional<Fit>> m_known; ///< by kind and unit; none: there are too many
    };

    Fit fitOf(const Row &row, std::size_t unit) const
    {
        const Event &event = m_trace.events[row.event];
        const std::string_view name = m_trace.nameOf(event);
        if (name.starts_with(fused))
            return fusedFit(name.substr(fused.size()), unit);
        if (operatorName(name) != unitAt(unit).name)
            return {};
        const std::string_view path = m_trace.texts.at(m_trace.detailsOf(event).hierarchy);
        const bool isElsewhere = !path.empty() && !unitAt(unit).scope.ends_with(path);
        const Shapes shapes = shapesOf(row, unitAt(unit));
        const int score = 3
            + (shapes == Shapes::Equal        ? 2
                   : shapes == Shapes::Differ ? -2
                                              : 0)
            + (isElsewhere ? -2 : 1);
        return {1, static_cast<std::uint8_t>(std::max(score, 1))};
    }

    /// TorchScript's fuser names its operators by what they do: "fused_batch_norm_relu".
    Fit fusedFit(std::string_view names, std::size_t unit) const
    {
        constexpr std::size_t most = 50;
        for (std::size_t count = 0; count < most && unit + count < m_units.all.size(); ++count) {
            const std::string_view name = unitAt(unit + count).name;
            if (!continues(names, name))
                return {};
            names.remove_prefix(std::min(name.size() + 1, names.size()));
            if (names.empty())
                return {static_cast<std::uint8_t>(count + 1), static_cast<std::uint8_t>(5 * (count + 1))};
        }
        return {};
    }

    // ---- gradients

    void noteSequences(EventIndex i, std::size_t row, int depth)
    {
        constexpr int maxDepth = 200;
        if (const auto sequence = m_trace.detailsOf(m_trace.events[i]).sequence)
            m_forwards[*sequence] = row;
        if (depth < maxDepth)
            for (const EventIndex inner : m_nesting.in(i))
                noteSequences(inner, row, depth + 1);
    }

    void linkGradients()
    {
        if (m_units.areKernels || std::ranges::none_of(m_rows, [&](const Row &row) { return isGradient(row); }))
            return;
        m_forwards.clear();
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            if (!isGradient(m_rows[i]) && m_rows[i].link.reason.empty())
                noteSequences(m_rows[i].event, i, 0);
        for (Row &row : m_rows) {
            if (!isGradient(row))
                continue;
            const Event &event = m_trace.events[row.event];
            const auto sequence = m_trace.detailsOf(event).sequence;
            const auto forward = sequence ? m_forwards.find(*sequence) : m_forwards.end();
            if (m_trace.nameOf(event).contains("AccumulateGrad"))
                row.link.reason = "it adds up a gradient of a parameter";
            else if (forward == m_forwards.end())
                row.link.reason = "no operator of the forward has its sequence number";
            else if (m_rows[forward->second].link.nodes.empty())
                row.link.reason = "the operator of the forward with its sequence number is no node's";
            else {
                row.link = m_rows[forward->second].link;
                row.link.evidence = Evidence::Sequence;
                row.phase = Phase::Backward;
            }
        }
    }

    // ---- what is said

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
    std::vector<NameFacts> m_facts;                                      ///< by the id of a name
    std::map<std::tuple<TextId, TextId, TextId>, std::uint32_t> m_kinds; ///< by operator, shapes and module
    /// The link and phase of each call of iterations, by the kinds of the calls.
    std::map<std::vector<std::uint32_t>, std::vector<Row>> m_linkedBefore;
    std::vector<Row> m_rows;                                  ///< of the current iteration
    std::unordered_map<std::int64_t, std::size_t> m_forwards; ///< rows by sequence number
    bool m_isExact = true;
    EventIndex m_firstOther = 0; ///< behind the first event that has no node; 0: all have
};

} // namespace

bool isGradient(std::string_view name) { return name.starts_with(gradient); }

void linkOperators(const Trace &trace, const Nesting &nesting, const ir::Graph &graph, const Units &units,
                   const sequence::FoundStep *step, const Task &task, Linked &linked)
{
    OperatorLinks(trace, nesting, graph, units, step, linked).run(task);
}

} // namespace cutaway::trace
