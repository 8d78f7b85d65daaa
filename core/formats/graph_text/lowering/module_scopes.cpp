// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Texts of torch.compile name no modules, but weights ("layers.0.attn.qkv.weight") and the lines of code that nodes
// come from. A node that reads a weight, or something that was computed from weights alone, is in that weight's
// module if its line calls the module or is in the module's own code. A line is in the forward of one class: if
// neighbouring nodes of one line were found to have the same `self`, the other nodes of that line are in the same
// module. Nodes that lie between two nodes in the data flow are in the module that contains both of these, if that
// module is called once and as a whole. A module is not called as a whole if a line calls a module inside of it
// (`self.block.conv(x)`). A list of modules never is, because only its items are called.
#include "core/formats/graph_text/lowering/module_scopes.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/formats/graph_text/read/module_call.h"
#include "core/formats/limits.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>
#include <variant>

namespace cutaway::formats::graph_text {

namespace {

/// The line of code of a node, or the node itself if it has none.
using Line = std::variant<ir::LocationId, ir::NodeId>;

/// A conclusion about the module of a node.
struct Guess {
    std::optional<std::string> module;
    std::optional<std::string> self; ///< the module whose forward contains the node's line
};

std::string_view parentOf(std::string_view module) { return moduleOfWeight(module); }

bool isItem(std::string_view module)
{
    const std::string_view name = module.substr(module.rfind('.') + 1); // npos + 1 is 0
    return !name.empty() && name.find_first_not_of("0123456789") == name.npos;
}

/// Returns the innermost module that contains both modules; it may be one of them.
std::string_view common(std::string_view a, std::string_view b)
{
    const auto contains = [](std::string_view outer, std::string_view inner) {
        return outer.empty() || inner == outer || (inner.starts_with(outer) && inner[outer.size()] == '.');
    };
    while (!contains(a, b))
        a = parentOf(a);
    return a;
}

class ModuleGuesses {
public:
    ModuleGuesses(Reading &reading, ir::Function &function)
        : m_reading(reading),
          m_graph(function.graph),
          m_nodes(m_graph.at(ir::Graph::body).nodes),
          m_guesses(m_nodes.size())
    {
        for (const ir::FunctionInput &input : function.inputs)
            if (const auto *value = input.value.as<ir::ValueId>(); value && input.kind != ir::FunctionInput::Kind::User)
                m_weights.emplace(*value, m_reading.context().text(input.target));
    }

    void run()
    {
        findWeights();
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            guessByWeights(i);
            if (const ir::NodeRef ref(m_graph, m_nodes[i]); ref.dialect() == "call_module")
                m_guesses[i].module = ref.opName();
            m_isKnown.push_back(m_guesses[i].module.has_value());
        }
        if (std::ranges::none_of(m_isKnown, std::identity()))
            return;
        guessByLines();
        guessByData();
        apply();
    }

private:
    const ir::Node &node(std::size_t i) const { return m_graph.at(m_nodes[i]); }
    bool isBackward(std::size_t i) const
    {
        return !ir::NodeRef(m_graph, m_nodes[i]).metadata("autograd_backward").empty();
    }

    std::string_view weightIn(ir::ValueId value) const
    {
        if (const auto known = m_weights.find(value); known != m_weights.end())
            return known->second;
        const auto tensor = ir::ValueRef(m_graph, value).weight();
        return tensor ? m_reading.context().text(m_reading.model.at(*tensor).name) : std::string_view();
    }

    /// Finds which weights each node reads, and in how many lines each weight is read.
    void findWeights()
    {
        m_read.resize(m_nodes.size());
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            bool isMadeOfWeights = true;
            for (const ir::Argument &argument : node(i).arguments)
                ir::forEachValue(argument.value, [&](ir::ValueId value) {
                    const std::string_view weight = weightIn(value);
                    isMadeOfWeights = isMadeOfWeights && !weight.empty();
                    if (!weight.empty())
                        m_read[i].push_back(weight);
                });
            if (isBackward(i)) {
                m_read[i].clear();
                continue;
            }
            for (const std::string_view weight : m_read[i])
                m_lines[weight].insert(node(i).location == ir::LocationId{} ? Line(m_nodes[i]) : node(i).location);
            if (isMadeOfWeights && !m_read[i].empty())
                for (const ir::ValueId output : node(i).outputs)
                    m_weights.emplace(output, m_read[i].front());
            else
                for (const std::string_view weight : m_read[i])
                    if (++m_readers[weight] > 1)
                        m_notWhole.emplace(moduleOfWeight(weight));
        }
    }

    void guessByWeights(std::size_t i)
    {
        const std::vector<std::string_view> &read = m_read[i];
        const auto isOfOther = [&](std::string_view weight) {
            return moduleOfWeight(weight) != moduleOfWeight(read.front());
        };
        if (read.empty() || std::ranges::any_of(read, isOfOther)
            || std::ranges::count(read.front(), '.') > limits::maxNesting)
            return;
        const ir::Location &location = m_reading.context().at(node(i).location);
        const auto call = moduleCall(m_reading.context().text(location.file), m_reading.context().text(location.text),
                                     read.front(), m_lines.at(read.front()).size() > 1);
        if (!call)
            return;
        m_guesses[i] = {call->module, call->self};
        if (call->called.empty())
            return;
        m_called.insert(call->called);
        for (std::string_view past = parentOf(call->called); past.size() > call->self->size(); past = parentOf(past))
            m_notWhole.emplace(past);
    }

    /// Guesses the module of each run of nodes of one line.
    void guessByLines()
    {
        for (std::size_t first = 0, end = 0; first < m_nodes.size(); first = end) {
            const ir::LocationId line = node(first).location;
            std::set<std::string> selves;
            for (end = first; end < m_nodes.size() && node(end).location == line; ++end)
                if (m_guesses[end].self)
                    selves.insert(*m_guesses[end].self);
            if (line == ir::LocationId{} || selves.size() != 1)
                continue;
            for (std::size_t i = first; i < end; ++i)
                if (!m_guesses[i].module && !isBackward(i))
                    m_guesses[i] = {*selves.begin(), *selves.begin()};
        }
    }

    /// Guesses the modules of nodes whose module is not known from a weight or a call: the module that contains both
    /// the nearest node before and the nearest node after in the data flow whose modules are known.
    void guessByData()
    {
        const std::vector<std::optional<std::string>> before = modulesBefore(), behind = modulesBehind();
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            if (!before[i] || !behind[i] || isBackward(i) || m_isKnown[i])
                continue;
            std::string_view module = common(*before[i], *behind[i]);
            while (!module.empty() && !isCalledAsWhole(module, *before[i]))
                module = parentOf(module);
            if (module.size() > m_guesses[i].module.value_or("").size())
                m_guesses[i].module = module;
        }
    }

    bool isCalledAsWhole(std::string_view module, std::string_view inner) const
    {
        if (m_notWhole.contains(module))
            return false;
        const std::string_view item = inner.substr(0, inner.find('.', std::min(module.size() + 1, inner.size())));
        return m_called.contains(module) || !isItem(item) || item == module;
    }

    std::vector<std::optional<std::string>> modulesBefore() const
    {
        std::vector<std::optional<std::string>> modules(m_nodes.size());
        std::unordered_map<ir::ValueId, std::size_t> makers;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            std::optional<std::size_t> last;
            for (const ir::Argument &argument : node(i).arguments)
                ir::forEachValue(argument.value, [&](ir::ValueId value) {
                    const auto maker = makers.find(value);
                    if (maker != makers.end() && modules[maker->second] && !m_weights.contains(value))
                        last = std::max(last.value_or(0), maker->second);
                });
            modules[i] = m_isKnown[i] ? m_guesses[i].module : last ? modules[*last] : std::nullopt;
            for (const ir::ValueId output : node(i).outputs)
                makers.emplace(output, i);
        }
        return modules;
    }

    std::vector<std::optional<std::string>> modulesBehind() const
    {
        std::vector<std::optional<std::string>> modules(m_nodes.size());
        std::unordered_map<ir::NodeId, std::size_t> positions;
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            positions.emplace(m_nodes[i], i);
        for (std::size_t i = m_nodes.size(); i-- > 0;) {
            std::optional<std::size_t> first;
            for (const ir::ValueId output : node(i).outputs)
                for (const ir::Use &use : m_graph.at(output).uses) {
                    const auto *user = std::get_if<ir::NodeId>(&use);
                    const auto at = user ? positions.find(*user) : positions.end();
                    if (at != positions.end() && modules[at->second])
                        first = std::min(first.value_or(at->second), at->second);
                }
            modules[i] = m_isKnown[i] ? m_guesses[i].module : first ? modules[*first] : std::nullopt;
        }
        return modules;
    }

    void apply()
    {
        std::size_t count = 0;
        std::set<std::string_view> modules;
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            if (const Guess &guess = m_guesses[i]; guess.module && !guess.module->empty()
                && static_cast<std::size_t>(std::ranges::count(*guess.module, '.')) <= limits::maxNesting) {
                m_graph.setScope(m_nodes[i], scopeAt(*guess.module));
                if (ir::NodeRef(m_graph, m_nodes[i]).dialect() == "call_module")
                    continue;
                modules.insert(*guess.module);
                ++count;
            }
        std::ranges::for_each(modules, [this](std::string_view module) { markAsGuessed(module); });
        if (count > 0)
            m_reading.notes.info("fx-text.modules",
                                 formatted("the modules of {} are guessed from the names of weights and the lines of "
                                           "code",
                                           quantity(count, "node")));
    }

    void markAsGuessed(std::string_view module)
    {
        ir::Module &known = m_reading.model.modules.edit(m_reading.model.moduleAt(module).index);
        std::vector<ir::ModuleAttribute> attributes(known.attributes.begin(), known.attributes.end());
        attributes.push_back(
            {m_reading.name("nodes_guessed_from"), {}, ir::String{m_reading.name("names of weights, lines of code")}});
        known.attributes = std::move(attributes);
    }

    ir::ScopeId scopeAt(std::string_view module)
    {
        ir::ScopeId scope;
        while (!module.empty()) {
            const std::size_t dot = std::min(module.find('.'), module.size());
            scope = m_reading.context().childScope(scope, module.substr(0, dot));
            module.remove_prefix(std::min(dot + 1, module.size()));
        }
        return scope;
    }

    Reading &m_reading;
    ir::Graph &m_graph;
    const std::vector<ir::NodeId> m_nodes;                        ///< the nodes of the function's body
    std::vector<Guess> m_guesses;                                 ///< by node: what was concluded about it
    std::vector<std::vector<std::string_view>> m_read;            ///< by node: the weights that it reads
    std::unordered_map<ir::ValueId, std::string_view> m_weights;  ///< the input or weight that a value was made from
    std::unordered_map<std::string_view, std::set<Line>> m_lines; ///< by weight: the lines that read it
    std::vector<bool> m_isKnown; ///< by node: whether a weight or the call itself names its module
    /// By weight: the number of nodes that compute with it.
    std::unordered_map<std::string_view, std::size_t> m_readers;
    std::set<std::string, std::less<>> m_called; ///< the modules that some line calls
    /// The modules that are called twice, or whose lines are interrupted by other modules.
    std::set<std::string, std::less<>> m_notWhole;
};

} // namespace

void guessModules(Reading &reading, ir::Function &function) { ModuleGuesses(reading, function).run(); }

} // namespace cutaway::formats::graph_text
