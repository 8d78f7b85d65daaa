// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/text/function_printer.h"

#include "core/base/text.h"
#include "core/ir/text/text_words.h"
#include "core/ir/text/type_names.h"

#include <algorithm>

namespace cutaway::ir {

namespace {

/// Collects scopes in the order of first use, parents before children.
class Scopes {
public:
    explicit Scopes(const Context &context) : m_context(context) { }

    void add(ScopeId id)
    {
        std::vector<ScopeId> chain;
        for (; id != ScopeId{} && !m_seen[id]; id = m_context.at(id).parent) {
            m_seen[id] = true;
            chain.push_back(id);
        }
        for (; !chain.empty(); chain.pop_back()) {
            const NameId path = m_context.at(chain.back()).path;
            m_labels.add(chain.back(), path);
            m_first.emplace(path, chain.back());
            m_order.push_back(chain.back());
        }
    }

    const std::vector<ScopeId> &order() const { return m_order; }
    const Labels<ScopeId> &labels() const { return m_labels; }

    /// Returns the parent scope that the path alone implies.
    std::optional<ScopeId> parentFromPath(std::string_view path, Context &context) const
    {
        const std::size_t dot = path.rfind('.');
        if (dot == path.npos)
            return ScopeId{};
        const auto found = m_first.find(context.name(path.substr(0, dot)));
        return found == m_first.end() ? std::nullopt : std::optional(found->second);
    }

private:
    const Context &m_context;
    std::unordered_map<ScopeId, bool> m_seen;
    std::unordered_map<NameId, ScopeId> m_first; ///< by path: the first scope with that path
    std::vector<ScopeId> m_order;
    Labels<ScopeId> m_labels;
};

std::string_view lastPart(std::string_view path)
{
    return path.substr(path.rfind('.') + 1); // npos + 1 is 0
}

class FunctionPrinter {
public:
    FunctionPrinter(std::string &out, const Model &model, TextForm form, std::vector<NodePlace> *places)
        : m_model(model),
          m_reading(form == TextForm::Reading),
          m_context(*model.context),
          m_out(out),
          m_places(places),
          m_operands(out, model),
          m_scopes(*model.context)
    {
    }

    void print(std::span<const FunctionId> functions)
    {
        for (const FunctionId function : functions)
            collectScopes(m_model.at(function));
        if (!m_reading)
            printScopes();
        for (const FunctionId function : functions)
            printFunction(function);
        printLocations();
    }

private:
    std::string text(NameId id) const { return quote(m_context.text(id)); }

    template <class... Pieces>
    void put(const Pieces &...pieces)
    {
        (m_out.append(pieces), ...);
    }

    void putIf(bool wanted, std::string_view before, std::string_view what)
    {
        if (wanted)
            put(before, what);
    }

    // ---- scopes and source positions

    void collectScopes(const Function &function)
    {
        const auto walk = [&](const auto &self, RegionId region) -> void {
            for (const NodeId node : function.graph.at(region).nodes) {
                m_scopes.add(function.graph.at(node).scope);
                for (const RegionId inner : function.graph.at(node).regions)
                    self(self, inner);
            }
        };
        walk(walk, Graph::body);
    }

    void printScopeLabel(ScopeId id)
    {
        const std::string_view path = m_context.text(m_context.at(id).path);
        appendName(m_out, path);
        if (const std::uint32_t number = m_scopes.labels().numberOf(id); number > 0)
            put("#", std::to_string(number));
    }

    void printScopes()
    {
        for (const ScopeId id : m_scopes.order()) {
            const Scope &scope = m_context.at(id);
            const std::string_view path = m_context.text(scope.path);
            const bool parent = m_scopes.parentFromPath(path, *m_model.context) != scope.parent;
            const bool named = m_context.text(scope.name) != lastPart(path);
            if (!parent && !named && scope.className == NameId{} && scope.call == 0
                && m_scopes.labels().numberOf(id) == 0)
                continue; // the path already implies the scope
            put("scope ");
            printScopeLabel(id);
            if (parent && scope.parent == ScopeId{}) {
                put(" top");
            } else if (parent) {
                put(" in ");
                printScopeLabel(scope.parent);
            }
            putIf(named, " name ", named ? text(scope.name) : "");
            if (scope.className != NameId{})
                put(" class ", text(scope.className));
            if (scope.call != 0)
                put(" call ", std::to_string(scope.call));
            put("\n");
        }
    }

    std::string locationNumber(LocationId id)
    {
        const auto [entry, isNew] = m_locationNumbers.emplace(id, m_locations.size());
        if (isNew)
            m_locations.push_back(id);
        return "!" + std::to_string(entry->second);
    }

    void printPlace(const Location &location)
    {
        put(text(location.file));
        if (location.line != 0)
            put(":", std::to_string(location.line));
    }

    void printLocationOf(const Node &node)
    {
        if (node.location == LocationId{})
            return;
        const Location &location = m_context.at(node.location);
        put(" at ");
        const bool isPlain =
            location.function == NameId{} && location.text == NameId{} && location.caller == LocationId{};
        if (isPlain || m_reading)
            printPlace(location);
        else
            put(locationNumber(node.location));
    }

    void printLocations()
    {
        for (std::size_t i = 0; i < m_locations.size(); ++i) { // the loop appends callers
            const Location &location = m_context.at(m_locations[i]);
            put("location !", std::to_string(i), " ");
            printPlace(location);
            if (location.function != NameId{})
                put(" in ", text(location.function));
            if (location.text != NameId{})
                put(" text ", text(location.text));
            if (location.caller != LocationId{})
                put(" from ", locationNumber(location.caller));
            put("\n");
        }
    }

    // ---- functions

    /// The parts of a signature that can be written where the body's inputs are defined.
    struct Signature {
        bool inOrder = true;                ///< whether the signature lists the body's inputs in their order
        std::vector<bool> defines;          ///< by input of the signature: whether the input defines its value
        std::vector<bool> listed;           ///< by input of the body: whether the signature lists it
        std::vector<ValueId> inlineWeights; ///< the weights that the signature defines
        std::vector<bool> isInline;         ///< by value: whether it is one of these weights
    };

    static Signature examine(const Function &function)
    {
        const Graph &graph = function.graph;
        Signature s;
        s.defines.resize(function.inputs.size());
        s.listed.resize(graph.at(Graph::body).inputs.size());
        s.isInline.resize(graph.valueCount());
        std::optional<std::uint32_t> last;
        for (std::size_t i = 0; i < function.inputs.size(); ++i) {
            const auto *value = function.inputs[i].value.as<ValueId>();
            if (!value)
                continue;
            const Definition &definition = graph.at(*value).definition;
            if (const auto *input = std::get_if<RegionInput>(&definition); input && input->region == Graph::body) {
                s.inOrder = s.inOrder && (!last || input->index >= *last);
                last = input->index;
                s.defines[i] = !s.listed[input->index];
                s.listed[input->index] = true;
            } else if (const auto *weight = std::get_if<Weight>(&definition); weight && weight->region == Graph::body
                       && function.inputs[i].tensor == weight->tensor && !s.isInline[value->index]) {
                s.defines[i] = s.isInline[value->index] = true;
                s.inlineWeights.push_back(*value);
            }
        }
        return s;
    }

    void labelValues(const Graph &graph, const Signature &signature)
    {
        m_weights.assign(graph.regionCount(), {});
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i)
            if (const auto *weight = std::get_if<Weight>(&graph.at(ValueId{i}).definition))
                if (!signature.isInline[i])
                    m_weights[weight->region.index].push_back(ValueId{i});
        Labels<ValueId> &labels = m_values = {};
        const auto add = [&](const auto &values) {
            for (const ValueId value : values)
                labels.add(value, graph.at(value).name);
        };
        const auto walk = [&](const auto &self, RegionId id) -> void {
            add(graph.at(id).inputs);
            if (id == Graph::body)
                add(signature.inlineWeights);
            add(m_weights[id.index]);
            for (const NodeId node : graph.at(id).nodes) {
                add(graph.at(node).outputs);
                for (const RegionId inner : graph.at(node).regions)
                    self(self, inner);
            }
        };
        walk(walk, Graph::body);
        m_operands.setValues(&m_values);
    }

    void printFunction(FunctionId id)
    {
        const Function &function = m_model.at(id);
        const Graph &graph = function.graph;
        const Signature signature = examine(function);
        labelValues(graph, signature);
        m_nextNode = 0;
        put(nameOf(functionKinds, function.kind), " ");
        m_operands.append(id);
        printInputs(function, signature);
        const bool together = returnsItsOutputs(function);
        if (!together) {
            put(" -> (");
            printOutputs(function);
            put(")");
        }
        if (!function.attributes.empty()) {
            put(" attributes");
            m_operands.appendArguments(function.attributes);
        }
        if (!function.documentation.empty())
            put(" doc ", quote(function.documentation));
        if (const std::uint32_t next = nextId(graph, Graph::body); next < graph.nodeCount())
            put(" next #", std::to_string(graph.nodeCount()));
        put(" {\n");
        printStatements(graph, Graph::body, "  ");
        if (together && !function.outputs.empty()) {
            put("  return ");
            printOutputs(function);
            put("\n");
        } else {
            printReturn(graph.at(Graph::body), "  ");
        }
        put("}\n");
    }

    /// Returns one more than the highest node id in the region and in the regions of its nodes.
    static std::uint32_t nextId(const Graph &graph, RegionId region)
    {
        std::uint32_t next = 0;
        for (const NodeId node : graph.at(region).nodes) {
            next = std::max(next, node.index + 1);
            for (const RegionId inner : graph.at(node).regions)
                next = std::max(next, nextId(graph, inner));
        }
        return next;
    }

    void printDefinition(const Graph &graph, ValueId id)
    {
        m_operands.append(id);
        if (const TypeId type = graph.at(id).type; type != TypeId{})
            put(": ", typeText(type));
    }

    const std::string &typeText(TypeId id)
    {
        if (id.index >= m_typeTexts.size())
            m_typeTexts.resize(m_context.typeCount());
        std::string &cached = m_typeTexts[id.index];
        if (cached.empty())
            cached = m_reading ? m_context.printBriefly(id) : m_context.print(id);
        return cached;
    }

    void printInputs(const Function &function, const Signature &signature)
    {
        const auto &inputs = function.graph.at(Graph::body).inputs;
        std::vector<std::string> entries;
        std::uint32_t next = 0;
        const auto hidden = [&](std::uint32_t end) { // lists the inputs before `end` that no entry defines
            for (; next < end; ++next)
                if (!signature.inOrder || !signature.listed[next])
                    entries.push_back(captured([&] {
                        put("unlisted ");
                        printDefinition(function.graph, inputs[next]);
                    }));
        };
        hidden(signature.inOrder ? 0 : static_cast<std::uint32_t>(inputs.size()));
        for (std::size_t i = 0; i < function.inputs.size(); ++i) {
            const auto *value = function.inputs[i].value.as<ValueId>();
            const auto *input = value ? std::get_if<RegionInput>(&function.graph.at(*value).definition) : nullptr;
            const bool defines = signature.defines[i] && (!input || signature.inOrder);
            if (defines && input)
                hidden(input->index);
            entries.push_back(captured([&] { printInput(function, function.inputs[i], defines); }));
            if (defines && input)
                next = input->index + 1;
        }
        hidden(static_cast<std::uint32_t>(inputs.size()));
        printEntries(entries);
    }

    template <class Print>
    std::string captured(Print print)
    {
        std::string before;
        std::swap(m_out, before);
        print();
        std::swap(m_out, before);
        return before;
    }

    void printEntries(const std::vector<std::string> &entries)
    {
        std::size_t length = 0;
        for (const std::string &entry : entries)
            length += entry.size() + 2;
        const std::string_view between = length > 100 ? ",\n    " : ", ";
        put("(", length > 100 ? "\n    " : "");
        for (const std::string &entry : entries)
            put(&entry == entries.data() ? "" : between, entry);
        put(")");
    }

    void printInput(const Function &function, const FunctionInput &input, bool defines)
    {
        const auto *value = input.value.as<ValueId>();
        putIf(input.kind != FunctionInput::Kind::User || !defines, nameOf(inputKinds, input.kind), " ");
        if (defines) {
            putIf(std::holds_alternative<Weight>(function.graph.at(*value).definition), "weight ", "");
            printDefinition(function.graph, *value);
        } else {
            put("ref ");
            m_operands.append(input.value);
        }
        const NameId ofValue = value ? function.graph.at(*value).name : NameId{};
        if (input.name != ofValue)
            put(" named ", text(input.name));
        if (input.tensor) {
            put(" = ");
            m_operands.append(*input.tensor);
        }
        if (input.defaultValue) {
            put(" default ");
            m_operands.append(*input.defaultValue);
        }
        if (input.target != NameId{})
            put(" target ", text(input.target));
    }

    static bool returnsItsOutputs(const Function &function)
    {
        const auto &returned = function.graph.at(Graph::body).outputs;
        return std::ranges::equal(function.outputs, returned, {}, &FunctionOutput::value);
    }

    void printOutputs(const Function &function)
    {
        for (const FunctionOutput &output : function.outputs) {
            put(&output == function.outputs.data() ? "" : ", ");
            putIf(output.kind != FunctionOutput::Kind::User, nameOf(outputKinds, output.kind), " ");
            m_operands.append(output.value);
            const auto *value = output.value.as<ValueId>();
            if (output.name != (value ? function.graph.at(*value).name : NameId{}))
                put(" named ", text(output.name));
            if (output.target != NameId{})
                put(" target ", text(output.target));
        }
    }

    // ---- regions and nodes

    void printStatements(const Graph &graph, RegionId id, const std::string &indent)
    {
        for (const ValueId weight : m_weights[id.index]) {
            put(indent, "weight ");
            printDefinition(graph, weight);
            put(" = ");
            m_operands.append(std::get<Weight>(graph.at(weight).definition).tensor);
            put("\n");
        }
        for (const NodeId node : graph.at(id).nodes)
            printNode(graph, node, indent);
    }

    void printReturn(const Region &region, const std::string &indent)
    {
        if (region.outputs.empty())
            return;
        put(indent, "return ");
        for (const Operand &output : region.outputs) {
            put(&output == region.outputs.data() ? "" : ", ");
            m_operands.append(output);
        }
        put("\n");
    }

    void printNode(const Graph &graph, NodeId id, const std::string &indent)
    {
        const Node &node = graph.at(id);
        if (m_places)
            m_places->push_back({m_out.size(), id});
        put(indent);
        if (id.index != m_nextNode)
            put("#", std::to_string(id.index), " ");
        m_nextNode = id.index + 1;
        for (const ValueId output : node.outputs) {
            put(output == node.outputs[0] ? "" : ", ");
            printDefinition(graph, output);
        }
        put(node.outputs.empty() ? "" : " = ");
        appendOperator(m_out, m_context, node.op);
        m_operands.appendArguments(node.arguments);
        printClauses(graph, node);
        put("\n");
        for (const RegionId region : node.regions)
            printRegion(graph, region, indent + "  ");
    }

    void printClauses(const Graph &graph, const Node &node)
    {
        if (node.name != (node.outputs.empty() ? NameId{} : graph.at(node.outputs[0]).name))
            put(" name ", text(node.name));
        if (node.scope != ScopeId{}) {
            put(" in ");
            printScopeLabel(node.scope);
        }
        printLocationOf(node);
        for (const NodeId &origin : node.origins)
            put(&origin == node.origins.data() ? " from #" : ", #", std::to_string(origin.index));
        if (m_reading)
            return;
        for (const auto &entry : node.metadata)
            put(&entry == node.metadata.data() ? " meta {" : ", ", text(entry.first), " = ", text(entry.second));
        put(node.metadata.empty() ? "" : "}");
    }

    void printRegion(const Graph &graph, RegionId id, const std::string &indent)
    {
        const Region &region = graph.at(id);
        put(indent, "region");
        if (region.name != NameId{})
            put(" ", text(region.name));
        for (const ValueId input : region.inputs) {
            put(input == region.inputs[0] ? " (" : ", ");
            printDefinition(graph, input);
        }
        put(region.inputs.empty() ? " {\n" : ") {\n");
        printStatements(graph, id, indent + "  ");
        printReturn(region, indent + "  ");
        put(indent, "}\n");
    }

    const Model &m_model;
    const bool m_reading;
    const Context &m_context;
    std::string &m_out;
    std::vector<NodePlace> *m_places;
    OperandPrinter m_operands;
    Labels<ValueId> m_values;                    ///< the labels of the current function's values
    std::vector<std::vector<ValueId>> m_weights; ///< by region: the weights that are printed on a line of their own
    std::uint32_t m_nextNode = 0;                ///< the id that a reader assumes for the next node
    Scopes m_scopes;
    std::vector<LocationId> m_locations;
    std::unordered_map<LocationId, std::size_t> m_locationNumbers;
    std::vector<std::string> m_typeTexts;
};

} // namespace

void printFunctions(std::string &out, const Model &model, std::span<const FunctionId> functions, TextForm form,
                    std::vector<NodePlace> *places)
{
    FunctionPrinter(out, model, form, places).print(functions);
}

} // namespace cutaway::ir
