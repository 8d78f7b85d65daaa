// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A graph is traversed three times: over the regions from the body down (for ownership, and for what is visible
// where: each value is marked when its definition is passed and unmarked when its region ends), over all values (for
// definitions), and over all nodes (nothing live may be outside of the regions). Use lists are compared by their
// length and the sum of their entries' hashes, which keeps the whole linear; a wrong list that agrees in both would
// be a collision of 64-bit hashes.

#include "core/ir/verify.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/ir/context.h"

#include <algorithm>
#include <span>

namespace cutaway::ir {

namespace {

class Findings {
public:
    void add(std::string sentence)
    {
        if (m_sentences.size() < 100)
            m_sentences.push_back(m_prefix + std::move(sentence));
    }

    void check(bool holds, const std::string &subject, std::string_view complaint)
    {
        if (!holds)
            add(subject + " " + std::string(complaint));
    }

    void setPrefix(std::string prefix) { m_prefix = std::move(prefix); }
    std::vector<std::string> take() { return std::move(m_sentences); }

private:
    std::string m_prefix;
    std::vector<std::string> m_sentences;
};

std::uint64_t hashOfUse(const Use &use)
{
    const auto *node = std::get_if<NodeId>(&use);
    const std::uint64_t key = node ? 2ull * node->index : 2ull * std::get<RegionId>(use).index + 1;
    const std::uint64_t mixed = (key + 1) * 0x9E3779B97F4A7C15ull;
    return (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9ull;
}

class GraphVerifier {
public:
    /// `model` serves to check the ids of tensors, functions and objects; nullptr: they are not checked.
    GraphVerifier(const Graph &graph, const Model *model, Findings &findings)
        : m_graph(graph),
          m_context(graph.context()),
          m_model(model),
          m_findings(findings),
          m_reads(graph.valueCount()),
          m_visible(graph.valueCount()),
          m_weights(graph.regionCount()),
          m_seenNodes(graph.nodeCount()),
          m_seenRegions(graph.regionCount())
    {
    }

    void run()
    {
        collectWeights();
        visitRegion(Graph::body, std::nullopt);
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i)
            checkListed(NodeId{i});
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i)
            checkValue(ValueId{i});
    }

private:
    struct Reads {
        std::size_t count = 0;
        std::uint64_t hash = 0;
    };

    // ---- names in messages

    std::string text(NameId id) const { return id.index < m_context.nameCount() ? sanitized(m_context.text(id)) : "?"; }
    std::string describe(NodeId id) const
    {
        return "node #" + std::to_string(id.index) + " (" + text(m_graph.at(id).name) + ")";
    }
    std::string describe(ValueId id) const
    {
        return "value " + std::to_string(id.index) + " (%" + text(m_graph.at(id).name) + ")";
    }
    std::string describe(RegionId id) const
    {
        return "region " + std::to_string(id.index) + " (" + text(m_graph.at(id).name) + ")";
    }

    // ---- regions and visibility

    void collectWeights()
    {
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i)
            if (const auto *weight = std::get_if<Weight>(&m_graph.at(ValueId{i}).definition)) {
                if (weight->region.index < m_graph.regionCount())
                    m_weights[weight->region.index].push_back(ValueId{i});
                else
                    m_findings.add(describe(ValueId{i}) + " is a weight of a region that does not exist");
            }
    }

    void visitRegion(RegionId id, std::optional<NodeId> owner)
    {
        const Region &region = m_graph.at(id);
        if (m_seenRegions[id.index])
            return m_findings.add(describe(id) + " is listed twice");
        m_seenRegions[id.index] = true;
        m_findings.check(region.owner == owner, describe(id), "does not name its owner");
        const std::size_t outside = m_defined.size();
        for (const ValueId weight : m_weights[id.index])
            define(weight);
        for (std::uint32_t i = 0; i < region.inputs.size(); ++i)
            defineIf(region.inputs[i], RegionInput{id, i}, describe(id));
        for (const NodeId node : region.nodes)
            visitNode(node, id);
        for (const Operand &output : region.outputs)
            checkOperand(output, id, "an output of " + describe(id));
        for (; m_defined.size() > outside; m_defined.pop_back())
            m_visible[m_defined.back().index] = false;
    }

    void visitNode(NodeId id, RegionId region)
    {
        if (id.index >= m_graph.nodeCount())
            return m_findings.add(describe(region) + " lists node #" + std::to_string(id.index)
                                  + ", which does not exist");
        const Node &node = m_graph.at(id);
        if (m_seenNodes[id.index])
            return m_findings.add(describe(id) + " is listed twice");
        m_seenNodes[id.index] = true;
        if (node.removed)
            m_findings.add(describe(id) + " is removed but still listed in " + describe(region));
        if (node.parent != region)
            m_findings.add(describe(id) + " does not name the region it is in");
        checkIds(id, node);
        for (const Argument &argument : node.arguments)
            checkOperand(argument.value, id, {});
        for (const RegionId inner : node.regions)
            if (inner.index < m_graph.regionCount())
                visitRegion(inner, id);
            else
                m_findings.add(describe(id) + " has a region that does not exist");
        for (std::uint32_t i = 0; i < node.outputs.size(); ++i)
            defineIf(node.outputs[i], NodeResult{id, i}, {});
    }

    void checkIds(NodeId id, const Node &node)
    {
        const bool known = node.op.index < m_context.opCount() && node.name.index < m_context.nameCount()
            && node.scope.index < m_context.scopeCount() && node.location.index < m_context.locationCount();
        if (!known)
            m_findings.add(describe(id) + " has an operator, name, scope or place that its context does not have");
        else if (node.op == OpId{})
            m_findings.add(describe(id) + " has no operator");
        for (const NodeId origin : node.origins)
            if (origin.index >= m_graph.nodeCount())
                m_findings.add(describe(id) + " comes from node #" + std::to_string(origin.index)
                               + ", which does not exist");
        for (const Argument &argument : node.arguments)
            if (argument.name.index >= m_context.nameCount())
                m_findings.add(describe(id) + " has an argument with a name that its context does not have");
    }

    void define(ValueId value)
    {
        m_visible[value.index] = true;
        m_defined.push_back(value);
    }

    void defineIf(ValueId value, const Definition &definition, std::string place)
    {
        if (place.empty() && value.index >= m_graph.valueCount())
            place = describe(std::get<NodeResult>(definition).node);
        if (value.index >= m_graph.valueCount())
            m_findings.add(place + " makes value " + std::to_string(value.index) + ", which does not exist");
        else if (m_graph.at(value).definition != definition)
            m_findings.add(describe(value) + " does not name the place that defines it");
        else
            define(value);
    }

    // ---- uses

    std::string placeOf(const Use &user, const std::string &place) const
    {
        const auto *node = std::get_if<NodeId>(&user);
        return place.empty() && node ? describe(*node) : place;
    }

    void checkRead(ValueId value, const Use &user, const std::string &place)
    {
        if (value.index >= m_graph.valueCount())
            return m_findings.add(placeOf(user, place) + " reads value " + std::to_string(value.index)
                                  + ", which does not exist");
        ++m_reads[value.index].count;
        m_reads[value.index].hash += hashOfUse(user);
        if (!m_visible[value.index])
            m_findings.add(placeOf(user, place) + " reads " + describe(value)
                           + ", which is not defined before it in an enclosing region");
    }

    void checkOperand(const Operand &operand, const Use &user, const std::string &place)
    {
        const auto exists = [&](const auto &id, std::size_t count) {
            if (m_model && id.index >= count)
                m_findings.add(placeOf(user, place) + " names entry " + std::to_string(id.index) + " of a list of "
                               + std::to_string(count));
        };
        if (const auto *value = operand.as<ValueId>())
            checkRead(*value, user, place);
        else if (const auto *tensor = operand.as<TensorId>())
            exists(*tensor, m_model ? m_model->tensors.size() : 0);
        else if (const auto *function = operand.as<FunctionId>())
            exists(*function, m_model ? m_model->functions.size() : 0);
        else if (const auto *object = operand.as<ObjectId>())
            exists(*object, m_model ? m_model->objects.size() : 0);
        else if (const auto *list = operand.as<List>())
            checkOperands(list->items, user, place);
        else if (const auto *dict = operand.as<Dict>()) {
            if (dict->items.size() % 2 != 0)
                m_findings.add(placeOf(user, place) + " has a dict with a key and no value");
            checkOperands(dict->items, user, place);
        }
    }

    void checkOperands(std::span<const Operand> items, const Use &user, const std::string &place)
    {
        for (const Operand &item : items)
            checkOperand(item, user, place);
    }

    // ---- all nodes and values

    void checkListed(NodeId id)
    {
        const Node &node = m_graph.at(id);
        if (!node.removed && !m_seenNodes[id.index])
            m_findings.add(describe(id) + " is neither removed nor in a region");
        if (node.removed && !node.arguments.empty())
            m_findings.add(describe(id) + " is removed but still has arguments");
    }

    bool isDefinedThere(ValueId id, const Definition &definition) const
    {
        const auto listed = [id](const auto &list, std::uint32_t i) { return i < list.size() && list[i] == id; };
        if (const auto *result = std::get_if<NodeResult>(&definition))
            return result->node.index < m_graph.nodeCount() && listed(m_graph.at(result->node).outputs, result->index);
        if (const auto *input = std::get_if<RegionInput>(&definition))
            return input->region.index < m_graph.regionCount()
                && listed(m_graph.at(input->region).inputs, input->index);
        return true;
    }

    void checkValue(ValueId id)
    {
        const Value &value = m_graph.at(id);
        if (!isDefinedThere(id, value.definition))
            m_findings.add(describe(id) + " is not listed by what defines it");
        if (const auto *weight = std::get_if<Weight>(&value.definition);
            weight && m_model && weight->tensor.index >= m_model->tensors.size())
            m_findings.add(describe(id) + " is a tensor that does not exist");
        if (value.name.index >= m_context.nameCount() || value.type.index >= m_context.typeCount())
            m_findings.add(describe(id) + " has a name or type that its context does not have");
        Reads listed;
        for (const Use &use : value.uses) {
            ++listed.count;
            listed.hash += hashOfUse(use);
        }
        const Reads &reads = m_reads[id.index];
        if (listed.count != reads.count)
            m_findings.add(describe(id) + " is read " + std::to_string(reads.count) + " times but lists "
                           + std::to_string(listed.count) + " uses");
        else if (listed.hash != reads.hash)
            m_findings.add(describe(id) + " lists other users than those that read it");
    }

    const Graph &m_graph;
    const Context &m_context;
    const Model *m_model;
    Findings &m_findings;
    std::vector<Reads> m_reads;
    std::vector<bool> m_visible;
    std::vector<std::vector<ValueId>> m_weights; ///< by region: its weights
    std::vector<ValueId> m_defined;              ///< the values that are visible, those of the innermost region last
    std::vector<bool> m_seenNodes;
    std::vector<bool> m_seenRegions;
};

class ModelVerifier {
public:
    explicit ModelVerifier(const Model &model) : m_model(model) { }

    std::vector<std::string> run()
    {
        for (const Function &function : m_model.functions)
            checkFunction(function);
        m_findings.setPrefix({});
        for (std::uint32_t i = 0; i < m_model.storages.size(); ++i)
            checkStorage(i);
        for (const Tensor &tensor : m_model.tensors)
            checkTensor(tensor);
        checkModules();
        for (const Attachment &attachment : m_model.attachments)
            if (attachment.range)
                m_findings.check(isInRange(*attachment.range), "attachment " + sanitized(attachment.name),
                                 "lies in a file that does not exist");
        for (const Diagnostic &diagnostic : m_model.diagnostics)
            checkDiagnostic(diagnostic);
        return m_findings.take();
    }

private:
    std::string text(NameId id) const { return sanitized(m_model.context->text(id)); }
    bool exists(TensorId id) const { return id.index < m_model.tensors.size(); }
    bool isInRange(const FileRange &range) const { return range.file.index < m_model.files.size(); }

    // ---- functions

    void checkFunction(const Function &function)
    {
        m_findings.setPrefix("function " + text(function.name) + ": ");
        if (function.graph.sharedContext() != m_model.context)
            return m_findings.add("the graph has another context than the model");
        GraphVerifier(function.graph, &m_model, m_findings).run();
        checkInputs(function);
        checkOutputs(function);
    }

    void checkInputs(const Function &function)
    {
        const Graph &graph = function.graph;
        std::vector<int> listed(graph.at(Graph::body).inputs.size());
        for (const FunctionInput &input : function.inputs) {
            const std::string subject = "the signature's input " + text(input.name);
            m_findings.check(!input.tensor || exists(*input.tensor), subject, "is a tensor that does not exist");
            const auto *value = input.value.as<ValueId>();
            if (!value)
                continue;
            if (value->index >= graph.valueCount()) {
                m_findings.add(subject + " is a value that does not exist");
            } else if (const auto *place = std::get_if<RegionInput>(&graph.at(*value).definition)) {
                m_findings.check(place->region == Graph::body, subject, "is the input of an inner region");
                if (place->region == Graph::body && place->index < listed.size())
                    ++listed[place->index];
            } else {
                const auto *weight = std::get_if<Weight>(&graph.at(*value).definition);
                m_findings.check(weight && (!input.tensor || *input.tensor == weight->tensor), subject,
                                 "is neither an input of the graph nor its weight");
            }
        }
        for (std::size_t i = 0; i < listed.size(); ++i)
            m_findings.check(listed[i] == 1, "input " + std::to_string(i) + " of the graph",
                             "is in the signature " + std::to_string(listed[i]) + " times");
    }

    void checkOutputs(const Function &function)
    {
        std::vector<bool> returned(function.graph.valueCount());
        const auto mark = [&](ValueId value) {
            if (value.index < returned.size())
                returned[value.index] = true;
        };
        for (const Operand &output : function.graph.at(Graph::body).outputs)
            forEachValue(output, mark);
        for (const FunctionOutput &output : function.outputs)
            forEachValue(output.value, [&](ValueId value) {
                m_findings.check(value.index < returned.size() && returned[value.index],
                                 "the signature's output " + text(output.name), "is not returned by the graph");
            });
    }

    // ---- tensors

    void checkStorage(std::uint32_t index)
    {
        const auto *range = std::get_if<FileRange>(&m_model.storages[index].data);
        if (range)
            m_findings.check(isInRange(*range), "storage " + std::to_string(index),
                             "lies in a file that does not exist");
    }

    /// Returns the elements from the storage's start to the view's end; nullopt for negative sizes and on overflow.
    static std::optional<std::int64_t> extent(const Tensor &tensor)
    {
        const auto count = elementCount(tensor);
        if (!count || *count == 0 || !tensor.strides)
            return count ? checkedAdd(tensor.offset, *count) : std::nullopt;
        std::optional<std::int64_t> last = tensor.offset;
        for (std::size_t i = 0; i < tensor.shape.size() && last; ++i) {
            const auto step = checkedMultiply(tensor.shape[i] - 1, (*tensor.strides)[i]);
            last = step ? checkedAdd(*last, *step) : std::nullopt;
        }
        return last ? checkedAdd<std::int64_t>(*last, 1) : std::nullopt;
    }

    void checkTensor(const Tensor &tensor)
    {
        const std::string subject = "tensor " + text(tensor.name);
        m_findings.check(std::ranges::all_of(tensor.parts, [&](TensorId part) { return exists(part); }), subject,
                         "has a part that does not exist");
        if (tensor.strides && tensor.strides->size() != tensor.shape.size())
            return m_findings.add(subject + " has " + std::to_string(tensor.strides->size()) + " strides for "
                                  + std::to_string(tensor.shape.size()) + " dimensions");
        if (tensor.storage.index >= m_model.storages.size())
            return m_findings.add(subject + " lies in a storage that does not exist");
        if (tensor.layout == Layout::Strided)
            checkExtent(tensor, m_model.at(tensor.storage), subject);
    }

    void checkExtent(const Tensor &tensor, const Storage &storage, const std::string &subject)
    {
        if (std::holds_alternative<NoBytes>(storage.data) || elementCount(tensor) == 0)
            return;
        const auto end = extent(tensor);
        if (!end || *end < 0 || tensor.offset < 0)
            return m_findings.add(subject + " has a size, stride or offset that is negative or out of 64 bits");
        if (const auto *strings = std::get_if<InlineStrings>(&storage.data))
            return m_findings.check(static_cast<std::uint64_t>(*end) <= strings->strings.size(), subject,
                                    "ends behind its storage's last string");
        const auto bytes = byteSize(tensor.dtype, *end);
        m_findings.check(bitWidth(tensor.dtype) == std::nullopt
                             || (bytes && static_cast<std::uint64_t>(*bytes) <= storage.byteLength),
                         subject, "ends behind its storage's " + std::to_string(storage.byteLength) + " bytes");
    }

    // ---- the rest

    void checkModules()
    {
        m_findings.check(!m_model.modules.empty(), "the module tree", "has no root");
        for (std::uint32_t i = 0; i < m_model.modules.size(); ++i) {
            const Module &module = m_model.modules[i];
            const std::string subject = "module " + text(module.path);
            m_findings.check(module.parent.index < m_model.modules.size(), subject, "has a parent that does not exist");
            m_findings.check(std::ranges::all_of(module.tensors, [&](TensorId id) { return exists(id); }), subject,
                             "has a tensor that does not exist");
            for (const ModuleId child : module.children)
                m_findings.check(child.index < m_model.modules.size() && m_model.at(child).parent.index == i, subject,
                                 "has a child that is not its own");
        }
    }

    void checkDiagnostic(const Diagnostic &diagnostic)
    {
        const bool place = !diagnostic.function || diagnostic.function->index < m_model.functions.size();
        const bool node = !diagnostic.node
            || (place && diagnostic.function
                && diagnostic.node->index < m_model.at(*diagnostic.function).graph.nodeCount());
        m_findings.check(place && node, "diagnostic " + diagnostic.code,
                         "is about a function or node that does not exist");
    }

    const Model &m_model;
    Findings m_findings;
};

} // namespace

std::vector<std::string> verify(const Model &model) { return ModelVerifier(model).run(); }

std::vector<std::string> verify(const Graph &graph)
{
    Findings findings;
    GraphVerifier(graph, nullptr, findings).run();
    return findings.take();
}

} // namespace cutaway::ir
