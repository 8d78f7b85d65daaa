// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/read/graph_reader.h"

#include "core/base/text.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::formats::pt2 {

namespace {

bool isGraph(Json argument) { return argument["as_graph"].exists(); }

/// Returns the name in a union's member: {"name": …}, {"as_name": …} or, in an optional, the same one level deeper.
std::string_view referredName(Json member)
{
    for (const std::string_view key : {"name", "as_name"})
        if (const auto name = member[key].text())
            return *name;
    if (const Json inner = member["as_tensor"]; inner.exists())
        return inner.text() ? *inner.text() : referredName(inner);
    return {};
}

/// Calls visit(name) for every value among a node's outputs, also in lists; the name is empty for an output None.
template <class Visit>
void forEachOutputName(Json output, Visit &&visit)
{
    const auto member = unionMember(output);
    if (!member)
        return;
    const auto visitOne = [&](std::string_view name, bool isNone) {
        if (!name.empty() || isNone)
            visit(name);
    };
    visitOne(referredName(member->second), member->first == "as_none");
    member->second.forEach([&](Json item) { visitOne(referredName(item), item["as_none"].exists()); });
}

/// Returns torch.fx's name for a node: "_assert_scalar_default" for "torch.ops.aten._assert_scalar.default".
std::string baseName(std::string_view target)
{
    static constexpr std::string_view ops = "torch.ops.";
    if (target.starts_with(ops)) {
        target.remove_prefix(ops.size());
        target.remove_prefix(std::min(target.find('.') + 1, target.size()));
    } else {
        target.remove_prefix(target.rfind('.') + 1);
    }
    std::string name;
    char before = '.';
    for (const char c : target) {
        const bool isUpper = c >= 'A' && c <= 'Z';
        if (isUpper && before >= 'a' && before <= 'z')
            name += '_';
        name += c == '.' ? '_' : isUpper ? static_cast<char>(c - 'A' + 'a') : c;
        before = c;
    }
    return name;
}

} // namespace

std::string_view valueName(Json argument)
{
    const auto member = unionMember(argument);
    return member ? referredName(member->second) : std::string_view();
}

GraphReader::GraphReader(Reading &reading, TypeReader &types, ProvenanceReader &provenance, ir::Graph &graph,
                         ir::RegionId region, Json json)
    : m_reading(reading),
      m_types(types),
      m_provenance(provenance),
      m_graph(graph),
      m_region(region),
      m_json(json),
      m_valueTypes(types.valuesOf(json)),
      m_arguments(reading, types, m_names)
{
    for (const std::string_view part : {"inputs", "nodes", "outputs"})
        if (!json[part].isArray())
            reading.fail("the graph's " + std::string(part) + " were expected to be a list, found "
                         + json[part].print().substr(0, 40));
    if (json["tensor_values"].exists() && !json["tensor_values"].isObject())
        reading.fail("tensor_values was expected to be an object");
}

ir::ValueId GraphReader::addInput(std::string_view name)
{
    const ir::ValueId value = m_graph.addInput(m_region, m_reading.name(name), typeOf(name));
    if (!name.empty())
        define(name, value);
    return value;
}

void GraphReader::define(std::string_view name, ir::ValueId value)
{
    if (!m_names.emplace(name, value).second)
        m_reading.fail("the value \"" + sanitized(name) + "\" is made twice");
}

ir::TypeId GraphReader::typeOf(std::string_view name) const
{
    const auto found = m_valueTypes.find(name);
    return found == m_valueTypes.end() ? ir::TypeId{} : found->second;
}

void GraphReader::readNodes(ir::ScopeId inherited)
{
    const std::size_t total = m_json["nodes"].size();
    std::size_t done = 0;
    m_json["nodes"].forEach([&](Json node) {
        if (++done % 1024 == 0) {
            m_reading.task.report("reading nodes", done, total);
            if (m_reading.task.stopRequested())
                throw Unusable(cancelled().error());
        }
        readNode(node, inherited);
    });
}

void GraphReader::readNode(Json node, ir::ScopeId inherited)
{
    const Json versioned = node["target"]["name"]; // before schema 3 a target is {name, version}
    const auto target = versioned.exists() ? versioned.text() : node["target"].text();
    if (!target)
        m_reading.fail("a node was expected to have a target, found " + node.print().substr(0, 120));
    const ir::NodeId id = m_graph.append(m_region, draft(node, *target, nodeName(node, *target), inherited));
    node["inputs"].forEach([&](Json input) {
        if (isGraph(input["arg"]))
            readSubgraph(id, input["arg"]["as_graph"]);
    });
    node["outputs"].forEach([&](Json output) { addOutputs(id, output); });
}

ir::NodeDraft GraphReader::draft(Json node, std::string_view target, const std::string &name, ir::ScopeId inherited)
{
    ir::NodeDraft draft{operatorOf(m_reading.context(), target), m_reading.name(name), inherited, {}, {}, {}, {}};
    const std::string where = "node " + sanitized(name);
    node["inputs"].forEach([&](Json input) {
        if (!isGraph(input["arg"]))
            draft.arguments.push_back(
                {m_reading.name(input["name"].text().value_or("")), m_arguments.read(input["arg"], where)});
    });
    readMetadata(node["metadata"], draft);
    return draft;
}

void GraphReader::readMetadata(Json metadata, ir::NodeDraft &draft)
{
    metadata.forEachMember([&](std::string_view key, Json value) {
        const auto text = value.text();
        if (text && key == "nn_module_stack")
            draft.scope = m_provenance.scope(*text);
        else if (text && key == "stack_trace")
            draft.location = m_provenance.location(*text);
        else
            draft.metadata.emplace_back(m_reading.name(key), m_reading.name(text ? *text : value.print()));
    });
}

/// Returns the name of a node. Schema 8.20 has it. In older schemas, a node's only result has the node's name, and
/// unused results are called `<node>_unused_<i>`. If there is a list, or several results or none, the node's name is
/// not recorded: it gets the name of its operator, as torch gives it when it loads the file.
std::string GraphReader::nodeName(Json node, std::string_view target)
{
    std::string_view only;
    std::string_view unused;
    std::size_t results = 0;
    node["outputs"].forEach([&](Json output) {
        results += output["as_tensors"].exists() ? 2 : 1; // a list counts as several results
        forEachOutputName(output, [&](std::string_view name) {
            only = only.empty() ? name : only; // an output that is None has no name
            if (const std::size_t at = name.rfind("_unused_"); at != name.npos)
                unused = name.substr(0, at);
        });
    });
    const std::string_view derived = !unused.empty() ? unused : results == 1 ? only : std::string_view();
    std::string base(node["name"].text().value_or(derived));
    if (base.empty())
        base = baseName(target);
    const int before = m_nodeNames[base]++;
    return before == 0 ? base : base + "_" + std::to_string(before);
}

void GraphReader::readSubgraph(ir::NodeId owner, Json argument)
{
    const ir::RegionId region = m_graph.addRegion(owner, m_reading.name(argument["name"].text().value_or("")));
    GraphReader reader(m_reading, m_types, m_provenance, m_graph, region, argument["graph"]);
    argument["graph"]["inputs"].forEach([&](Json input) { reader.addInput(valueName(input)); });
    reader.readNodes(m_graph.at(owner).scope);
    m_graph.setOutputs(region, reader.readOutputs());
}

void GraphReader::addOutputs(ir::NodeId node, Json output)
{
    forEachOutputName(output, [&](std::string_view name) {
        const bool isNone = name.empty();
        const ir::TypeId type =
            isNone ? m_reading.context().type(ir::PlainType{ir::PlainType::Kind::None}) : typeOf(name);
        const ir::ValueId value = m_graph.addOutput(node, m_reading.name(name), type);
        if (!isNone)
            define(name, value);
    });
}

std::vector<ir::Operand> GraphReader::readOutputs()
{
    std::vector<ir::Operand> outputs;
    m_json["outputs"].forEach([&](Json output) { outputs.push_back(m_arguments.read(output, "the graph's outputs")); });
    return outputs;
}

} // namespace cutaway::formats::pt2
