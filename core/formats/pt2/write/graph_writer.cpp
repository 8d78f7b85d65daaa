// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/write/graph_writer.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/formats/notes/notes.h"
#include "core/formats/pt2/read/graph_reader.h"
#include "core/formats/pt2/write/provenance_writer.h"
#include "core/formats/pt2/write/type_writer.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"
#include "core/ops/schemas/schema_table.h"

#include <algorithm>
#include <map>

namespace cutaway::formats::pt2 {

namespace {

constexpr std::string_view tables[] = {"tensor_values", "sym_int_values", "sym_bool_values", "sym_float_values",
                                       "custom_obj_values"};
constexpr std::int64_t minorWithKinds = 15, minorWithNodeNames = 20;

std::string joined(const std::vector<std::string> &items)
{
    std::string json = "[";
    for (const std::string &item : items)
        json += (json.size() > 1 ? "," : "") + item;
    return json + "]";
}

std::optional<ops::Schema> schemaOf(const ir::NodeRef &node)
{
    return ops::findSchema(node.dialect(), node.opName(), node.overload() == "default" ? "" : node.overload());
}

/// Returns the union's member for an argument of this type of the schema language; "" if it follows from the operand.
std::string_view kindFor(const ops::SchemaType &type)
{
    const ops::SchemaType &plain = type.kind == ops::SchemaType::Kind::Optional ? type.elements.front() : type;
    if (plain.kind != ops::SchemaType::Kind::List)
        return {};
    const ops::SchemaType &element = plain.elements.front();
    if (element.kind == ops::SchemaType::Kind::Optional)
        return "as_optional_tensors";
    return element.name == "Tensor"                         ? "as_tensors"
        : element.name == "int" || element.name == "SymInt" ? "as_ints"
        : element.name == "float"                           ? "as_floats"
        : element.name == "bool"                            ? "as_bools"
        : element.name == "str"                             ? "as_strings"
                                                            : std::string_view();
}

ir::RegionId regionOf(const ir::ValueRef &value)
{
    return std::visit(Overloaded{[&](const ir::NodeResult &result) { return value.graph().at(result.node).parent; },
                                 [](const ir::NoDefinition &) { return ir::RegionId(ir::Graph::body); },
                                 [](const auto &given) { return given.region; }},
                      value->definition);
}

/// Whether a graph is the condition of a while_loop, which returns a tensor outside of a tuple.
bool asksForIteration(const ir::Graph &graph, ir::RegionId id)
{
    const auto owner = graph.at(id).owner;
    return owner && ir::NodeRef(graph, *owner).fullName() == "higher_order::while_loop"
        && graph.at(*owner).regions.front() == id;
}

std::vector<std::vector<ir::ValueRef>> valuesByRegion(const ir::Graph &graph)
{
    std::vector<std::vector<ir::ValueRef>> regions(graph.regionCount());
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        const ir::ValueRef value(graph, ir::ValueId{i});
        if (const auto producer = value.producer(); !producer || !(*producer)->removed)
            regions[regionOf(value).index].push_back(value);
    }
    return regions;
}

/// Returns a valid Python name that resembles `name`: "layer1_0_scale" for "layer1.0.scale".
std::string identifier(std::string name)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    std::ranges::replace_if(name, [&](char c) { return !isLetter(c) && !isDigit(c); }, '_');
    return isDigit(name.front()) ? "_" + name : name;
}

/// The types of values that a graph of the file records, by the values' names.
class RecordedTypes {
public:
    using Entry = std::pair<std::string_view, Json>; ///< the table, and the entry in it

    explicit RecordedTypes(Json graph)
    {
        for (const std::string_view table : tables)
            graph[table].forEachMember(
                [&](std::string_view name, Json json) { m_entries[name].emplace_back(table, json); });
    }
    std::vector<Entry> of(std::string_view name) const
    {
        const auto found = m_entries.find(name);
        return found == m_entries.end() ? std::vector<Entry>() : found->second;
    }
    template <class Visit>
    void forEach(Visit &&visit) const
    {
        for (const auto &[name, entries] : m_entries)
            for (const auto &[table, json] : entries)
                visit(table, name, json);
    }

private:
    std::map<std::string_view, std::vector<Entry>> m_entries;
};

/// The JSON texts of the tables with the types of values, for a graph that is being written.
class TableTexts {
public:
    void add(std::string_view table, std::string_view name, std::string_view json)
    {
        std::string &text = m_texts[table];
        text += (text.empty() ? "" : ",") + quotedJson(name) + ":";
        text += json;
    }
    /// Returns the tables as members of the graph, without empty ones that the file's graph did not have.
    std::string print(Json before)
    {
        std::string json;
        for (const std::string_view table : tables)
            if (!m_texts[table].empty() || !before.exists() || before[table].exists())
                json += formatted(",\"{}\":{{{}}}", table, m_texts[table]);
        return json;
    }

private:
    std::map<std::string_view, std::string> m_texts;
};

} // namespace

std::string_view kindOf(Json argument)
{
    const auto member = unionMember(argument);
    return member ? member->first : std::string_view();
}

GraphWriter::GraphWriter(const ir::Model &model, const ir::Function &function, const Original &original)
    : m_graph(function.graph),
      m_context(*model.context),
      m_original(original),
      m_names(m_graph.valueCount()),
      m_valuesOf(valuesByRegion(m_graph)),
      m_valuesBefore(valuesByRegion(original.function().graph)),
      m_arguments(
          m_graph, [this](ir::ValueId id) -> std::string_view { return m_names[id.index]; },
          original.schemaMinor() < minorWithQuotedInfinity),
      m_argumentsBefore(
          original.function().graph,
          [&before = original.function().graph](ir::ValueId id) { return ir::ValueRef(before, id).name(); },
          original.schemaMinor() < minorWithQuotedInfinity)
{
    for (const ir::FunctionInput &input : function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>())
            m_signed.insert(*value);
    for (const ir::Symbol &symbol : model.symbols)
        if (symbol.hint && !std::ranges::contains(original.model().symbols, symbol.name, &ir::Symbol::name))
            m_hints.emplace(symbol.name, *symbol.hint);
    nameValues();
}

/// Names values uniquely within each graph. A value keeps its name, unless another value of the graph has it. torch
/// makes Python code with these names.
void GraphWriter::nameValues()
{
    for (std::vector<ir::ValueRef> &values : m_valuesOf) {
        std::erase_if(values, [&](const ir::ValueRef &value) {
            return value.weight() && value->uses.empty() && !m_signed.contains(value);
        });
        std::unordered_set<std::string> taken;
        for (const ir::ValueRef &value : values) {
            const bool isNew = !m_original.hasValue(value);
            const std::string given(value.name());
            const std::string wanted = given.empty() ? "value" : isNew ? identifier(given) : given;
            std::string name = wanted;
            for (int n = 1; !taken.insert(name).second; ++n)
                name = formatted("{}_{}", wanted, n);
            m_names[value.id().index] = std::move(name);
        }
    }
}

std::string GraphWriter::argument(const ir::Operand &operand, std::string_view kind) const
{
    return m_arguments.write(operand, kind, "the graph's inputs and outputs");
}

std::string GraphWriter::argumentBefore(const ir::Operand &operand, std::string_view kind) const
{
    return resultOf([&] { return m_argumentsBefore.write(operand, kind, {}); }).value_or("");
}

std::string GraphWriter::graph(ir::RegionId id, const std::vector<std::string> &inputs)
{
    const ir::Region &region = m_graph.at(id);
    const Json record = m_original.graph(id);
    std::string json = "{";
    addMember(json, "inputs", joined(inputs));
    std::vector<std::string> outputs;
    record["outputs"].forEach([&](Json output) { outputs.emplace_back(kindOf(output)); });
    for (std::size_t i = 0; i < region.outputs.size(); ++i) {
        const std::string kind = i < outputs.size() ? outputs[i] : std::string();
        outputs.resize(std::max(outputs.size(), i + 1));
        outputs[i] = argument(region.outputs[i], kind);
    }
    outputs.resize(region.outputs.size());
    addMember(json, "outputs", joined(outputs));
    std::vector<std::string> nodes;
    for (const ir::NodeRef inner : ir::nodesOf(m_graph, id))
        nodes.push_back(node(inner));
    addMember(json, "nodes", joined(nodes));
    json += values(id);
    bool saysReturn = false;
    record.forEachMember([&](std::string_view key, Json part) {
        saysReturn |= key == "is_single_tensor_return";
        if (key != "inputs" && key != "outputs" && key != "nodes" && !std::ranges::contains(tables, key))
            addMember(json, key, m_original.copied(part));
    });
    if (!saysReturn)
        addMember(json, "is_single_tensor_return", asksForIteration(m_graph, id) ? "true" : "false");
    return json + "}";
}

/// Returns the tables of types. If a value's type is unchanged, its original record stays, which has hints for sizes.
std::string GraphWriter::values(ir::RegionId region)
{
    const ir::Graph &before = m_original.function().graph;
    const RecordedTypes recorded(m_original.graph(region));
    TableTexts texts;
    for (const ir::ValueRef &value : m_valuesOf[region.index]) {
        const std::string &name = m_names[value.id().index];
        const ir::ValueRef old(before, value);
        if (m_original.hasValue(value) && before.context().print(old->type) == m_context.print(value->type))
            for (const auto &[table, json] : recorded.of(old.name()))
                texts.add(table, name, m_original.copied(json));
        else if (!isComplete(value.type()))
            unwritable("its type or a size is not known, which a program of torch.export must say",
                       "value " + sanitized(name));
        else if (const auto entry = typeEntry(m_context, name, value->type, m_hints))
            texts.add(entry->table, name, entry->json);
    }
    std::unordered_set<std::string_view> wereValues;
    if (region.index < m_valuesBefore.size())
        for (const ir::ValueRef &value : m_valuesBefore[region.index])
            wereValues.insert(value.name());
    recorded.forEach([&](std::string_view table, std::string_view name, Json json) {
        if (!wereValues.contains(name))
            texts.add(table, name, m_original.copied(json));
    });
    return texts.print(m_original.graph(region));
}

bool GraphWriter::isFromFile(const ir::NodeRef &node) const
{
    return m_original.node(node).exists() && node->origins.empty();
}

/// Returns the record that a node is written after: its own, or that of the node that it was made from.
Json GraphWriter::recordFor(const ir::NodeRef &node) const
{
    if (isFromFile(node))
        return m_original.node(node);
    return node->origins.empty() ? Json() : m_original.node(node->origins.front());
}

/// Returns the name of the operator as which the reader reads a target.
const std::string &GraphWriter::operatorName(std::string_view target)
{
    const auto [entry, isNew] = m_operatorNames.try_emplace(target);
    if (isNew) {
        ir::Context context;
        entry->second = context.print(operatorOf(context, target));
    }
    return entry->second;
}

std::string GraphWriter::node(const ir::NodeRef &node)
{
    const Json record = recordFor(node);
    const Json kept = hasOperatorOf(node, record) ? record : Json();
    if (!kept.exists() && (node.isOnnx() || node.dialect() == "prim"))
        unwritable("a program of torch.export cannot have the operator " + node.fullName(), shown(node));
    const bool isUnchanged = kept.exists() && isFromFile(node);
    std::string json = "{";
    addMember(json, "target",
              kept.exists() ? m_original.copied(kept["target"]) : quotedJson(targetOf(m_context, node->op)));
    addMember(json, "inputs", inputs(node, kept));
    addMember(json, "outputs", outputs(node, kept));
    addMember(json, "metadata",
              record["metadata"].exists() ? m_original.copied(record["metadata"]) : provenanceJson(node));
    kept.forEachMember([&](std::string_view key, Json part) {
        constexpr std::string_view written[] = {"target", "inputs", "outputs", "metadata"};
        if (!std::ranges::contains(written, key) && (isUnchanged || key != "name"))
            addMember(json, key, m_original.copied(part));
    });
    if (!isUnchanged && m_original.schemaMinor() >= minorWithNodeNames && !node.name().empty())
        addMember(json, "name", quotedJson(node.name()));
    return json + "}";
}

/// Whether a record is of the node's operator, so that its arguments fit.
bool GraphWriter::hasOperatorOf(const ir::NodeRef &node, Json record)
{
    const Json name = record["target"]["name"];
    const auto target = name.exists() ? name.text() : record["target"].text();
    return target && node.fullName() == operatorName(*target);
}

/// Returns the arguments of a node without a record, with the graphs where torch's higher-order operators have them.
std::string GraphWriter::newInputs(const ir::NodeRef &node)
{
    std::vector<std::string> list;
    const std::string op = node.fullName();
    const std::size_t before = op == "higher_order::cond" ? 1 : 0; // the number of arguments in front of the graphs
    if (!node->regions.empty() && before == 0 && op != "higher_order::while_loop")
        unwritable("where its graphs stand among its arguments is not known", shown(node));
    for (std::size_t i = 0; i < std::max(node->arguments.size(), before + 1); ++i) {
        for (std::size_t r = 0; i == before && r < node->regions.size(); ++r)
            list.push_back(newSubgraph(node->regions[r]));
        if (i < node->arguments.size())
            list.push_back(newInput(node, i));
    }
    return joined(list);
}

/// Returns the inputs of a node, arguments and graphs, as JSON in the order in which its record has them.
std::string GraphWriter::inputs(const ir::NodeRef &node, Json record)
{
    if (!record.exists() && !node->regions.empty())
        return newInputs(node);
    const ir::Node *before = record.exists() && isFromFile(node) ? &m_original.function().graph.at(node) : nullptr;
    std::vector<bool> done(node->arguments.size());
    std::vector<std::string> list;
    std::size_t region = 0, index = 0;
    record["inputs"].forEach([&](Json input) {
        if (input["arg"]["as_graph"].exists()) {
            if (region < node->regions.size())
                list.push_back(subgraph(node->regions[region++], input));
            return;
        }
        const std::string_view name = input["name"].text().value_or("");
        for (std::size_t i = 0; i < node->arguments.size(); ++i)
            if (!done[i] && m_context.text(node->arguments[i].name) == name) {
                done[i] = true;
                list.push_back(this->input(node, i, input, before, index));
                break;
            }
        ++index;
    });
    for (std::size_t i = 0; i < node->arguments.size(); ++i)
        if (!done[i])
            list.push_back(newInput(node, i));
    if (region < node->regions.size())
        unwritable("it has more graphs than the operator in the original file", shown(node));
    return joined(list);
}

std::string GraphWriter::input(const ir::NodeRef &node, std::size_t argument, Json record, const ir::Node *before,
                               std::size_t index)
{
    const std::string_view kind = kindOf(record["arg"]);
    const std::string now = m_arguments.write(node->arguments[argument].value, kind, shown(node));
    if (before && index < before->arguments.size() && now == argumentBefore(before->arguments[index].value, kind))
        return m_original.copied(record);
    std::string json = "{";
    record.forEachMember(
        [&](std::string_view key, Json part) { addMember(json, key, key == "arg" ? now : m_original.copied(part)); });
    return json + "}";
}

/// Writes an argument that has no record; the operator's schema gives its name and kind.
std::string GraphWriter::newInput(const ir::NodeRef &node, std::size_t index)
{
    const ir::Argument &argument = node->arguments[index];
    const auto schema = schemaOf(node);
    std::string_view name = m_context.text(argument.name);
    if (name.empty() && schema && index < schema->arguments.size())
        name = schema->arguments[index].name;
    const ops::SchemaArgument *declared = nullptr;
    if (schema)
        if (const auto found = std::ranges::find(schema->arguments, name, &ops::SchemaArgument::name);
            found != schema->arguments.end())
            declared = &*found;
    std::string json = "{";
    addMember(json, "name", quotedJson(name));
    addMember(json, "arg",
              m_arguments.write(argument.value, declared ? kindFor(declared->type) : std::string_view(), shown(node)));
    if (m_original.schemaMinor() >= minorWithKinds)
        addMember(json, "kind", name.empty() || (declared && !declared->keywordOnly) ? "1" : "2");
    return json + "}";
}

std::string GraphWriter::graphArgument(ir::RegionId region)
{
    const ir::Region &inner = m_graph.at(region);
    std::vector<std::string> inputs;
    for (const ir::ValueId input : inner.inputs)
        inputs.push_back(argument(input));
    return formatted(R"({{"as_graph":{{"name":{},"graph":{}}}}})", quotedJson(m_context.text(inner.name)),
                     this->graph(region, inputs));
}

std::string GraphWriter::newSubgraph(ir::RegionId region)
{
    std::string json = "{";
    addMember(json, "name", quotedJson(""));
    addMember(json, "arg", graphArgument(region));
    if (m_original.schemaMinor() >= minorWithKinds)
        addMember(json, "kind", "1");
    return json + "}";
}

std::string GraphWriter::subgraph(ir::RegionId region, Json record)
{
    const std::string graph = graphArgument(region);
    std::string json = "{";
    record.forEachMember(
        [&](std::string_view key, Json part) { addMember(json, key, key == "arg" ? graph : m_original.copied(part)); });
    return json + "}";
}

namespace {

/// Copies a record's outputs with other names for the values, in order.
class OutputRenamer {
public:
    explicit OutputRenamer(std::vector<std::string_view> names) : m_names(std::move(names)) { }

    std::string renamed(Json json)
    {
        if (const auto name = json["name"].text())
            return objectWith(json, "name", *name);
        if (const auto name = json["as_name"].text())
            return objectWith(json, "as_name", *name);
        if (json["as_none"].exists())
            ++m_next; // a value without a name is skipped
        if (json.isObject()) {
            std::string object = "{";
            json.forEachMember([&](std::string_view key, Json part) { addMember(object, key, renamed(part)); });
            return object + "}";
        }
        if (!json.isArray())
            return json.print();
        std::vector<std::string> items;
        json.forEach([&](Json item) { items.push_back(renamed(item)); });
        return joined(items);
    }

    std::size_t count() const { return m_next; }

private:
    std::string objectWith(Json json, std::string_view key, std::string_view name)
    {
        if (!name.empty())
            name = m_next < m_names.size() ? m_names[m_next] : name;
        m_next += name.empty() ? 0 : 1;
        std::string object = "{";
        json.forEachMember(
            [&](std::string_view k, Json part) { addMember(object, k, k == key ? quotedJson(name) : part.print()); });
        return object + "}";
    }

    std::vector<std::string_view> m_names;
    std::size_t m_next = 0;
};

} // namespace

std::string GraphWriter::outputs(const ir::NodeRef &node, Json record)
{
    std::vector<std::string_view> names;
    for (const ir::ValueId output : node->outputs)
        names.push_back(m_names[output.index]);
    OutputRenamer renamer(names);
    std::string renamed = renamer.renamed(record["outputs"]);
    return record.exists() && renamer.count() == names.size() ? renamed : newOutputs(node);
}

std::string GraphWriter::newOutputs(const ir::NodeRef &node)
{
    const auto schema = schemaOf(node);
    const bool isList = schema
        ? schema->returns.size() == 1 && schema->returns.front().type.kind == ops::SchemaType::Kind::List
        // torch 2.6 marks a tuple of one tensor in this way, to distinguish it from a tensor.
        : !node->regions.empty() && node.outputCount() == 1;
    if (isList)
        return "[" + argument(ir::List{{node->outputs.begin(), node->outputs.end()}}, "as_tensors") + "]";
    std::vector<std::string> list;
    for (const ir::ValueId output : node->outputs)
        list.push_back(argument(output));
    return joined(list);
}

} // namespace cutaway::formats::pt2
