// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/file_state.h"

#include "core/ir/json/json.h"
#include "core/ir/json/json_state.h"
#include "core/ir/node_ref.h"
#include "core/ir/tensors/tensor_bytes.h"
#include "core/plugin/node_names.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

// A file has names but no ids. The model read from it is printed as JSON with node and tensor ids matched to the
// previous model, and parsed into that model's context:
//
//   tensors  the previous ones come first, unchanged. A tensor of the file is one of these if name, dtype, shape and
//            bytes agree; the others follow, with their bytes in memory.
//   nodes    a node of the file is a previous one if name, operator and number of results agree and so do the enclosing
//            nodes. The others get new ids. Their origins are the producers of equally named values, and the removed
//            nodes that fed only these: the fused ones.
//   others   functions besides the main one stay: the program has put them in the place of their calls.
//   types    values of an equal name keep their previous type: the file has its own names for symbolic sizes.

namespace cutaway::plugin {

namespace {

using ir::NodeId;
using nlohmann::json;

Result<std::string> elementsOf(const ir::Model &model, ir::TensorId tensor)
{
    std::string elements;
    CUTAWAY_RETURN_IF_ERROR(ir::visitElements(model, tensor, [&](std::span<const std::byte> bytes) {
        elements.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    }));
    return elements;
}

/// Matches the file's tensors to those of the previous state.
class Tensors {
public:
    Tensors(const ir::Model &before, const ir::Model &read) : m_before(before), m_read(read)
    {
        for (std::uint32_t i = 0; i < before.tensors.size(); ++i)
            m_names.try_emplace(before.context->text(before.tensors[i].name), ir::TensorId{i});
    }

    Result<void> match()
    {
        for (std::uint32_t i = 0; i < m_read.tensors.size(); ++i) {
            CUTAWAY_TRY(const auto known, knownOne(ir::TensorId{i}));
            m_places.push_back(known ? known->index
                                     : static_cast<std::uint32_t>(m_before.tensors.size() + m_new.size()));
            if (!known)
                m_new.push_back(ir::TensorId{i});
        }
        return {};
    }

    std::uint32_t placeOf(std::uint32_t tensor) const { return m_places.at(tensor); }
    const std::vector<ir::TensorId> &added() const { return m_new; }

private:
    /// Returns the previous tensor that has the name, dtype, shape and bytes of a tensor of the file, if there is one.
    /// Bytes are compared last, as most weights already differ in the rest. Strings and missing bytes are not compared.
    Result<std::optional<ir::TensorId>> knownOne(ir::TensorId id) const
    {
        const ir::Tensor &tensor = m_read.at(id);
        const auto found = m_names.find(m_read.context->text(tensor.name));
        if (found == m_names.end())
            return std::nullopt;
        const ir::Tensor &other = m_before.at(found->second);
        if (other.dtype != tensor.dtype || other.shape != tensor.shape)
            return std::nullopt;
        const auto bytes = elementsOf(m_read, id), otherBytes = elementsOf(m_before, found->second);
        if (!bytes && otherBytes)
            return std::unexpected(bytes.error());
        return (!bytes && !otherBytes) || *bytes == otherBytes ? std::optional(found->second) : std::nullopt;
    }

    const ir::Model &m_before, &m_read;
    std::unordered_map<std::string_view, ir::TensorId> m_names; ///< tensors of the previous state by name
    std::vector<std::uint32_t> m_places;
    std::vector<ir::TensorId> m_new;
};

/// Matches the file's nodes to those of the previous state.
class Nodes {
public:
    Nodes(const ir::Function &before, const ir::Function &read)
        : m_before(before.graph),
          m_read(read.graph),
          m_names(before)
    {
        matchRegion(ir::Graph::body, std::nullopt);
        for (NodeId id{0}; id.index < m_read.nodeCount(); ++id.index)
            m_ids.push_back(m_kept.contains(id) ? m_kept.at(id) : NodeId{m_before.nodeCount() + m_added++});
    }

    NodeId idOf(NodeId read) const { return m_ids[read.index]; }
    bool isKept(NodeId read) const { return m_kept.contains(read); }
    std::uint32_t count() const { return m_before.nodeCount() + m_added; }

    /// Returns the previous nodes that a new node replaces, in execution order.
    std::vector<NodeId> originsOf(NodeId read) const
    {
        const ir::NodeRef node(m_read, read);
        std::vector<NodeId> origins;
        for (const ir::ValueRef output : node.outputs())
            if (const auto maker = m_names.maker(output.name()))
                addWithFused(*maker, origins);
        if (origins.empty())
            if (const auto named = m_names.maker(node.name()))
                origins.push_back(*named);
        std::ranges::sort(origins);
        return origins;
    }

private:
    void matchRegion(ir::RegionId region, std::optional<NodeId> owner)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_read, region)) {
            const auto same = sameAs(node, owner);
            if (same && m_taken.insert(*same).second)
                m_kept.emplace(node, *same);
            for (const ir::RegionId inner : node->regions)
                matchRegion(inner, m_kept.contains(node) ? std::optional(m_kept.at(node)) : NodeId{~0U});
        }
    }

    std::optional<NodeId> sameAs(const ir::NodeRef &node, std::optional<NodeId> owner) const
    {
        std::string_view name = node.name();
        if (name.empty() && node.outputCount() > 0)
            name = node.output(0).name();
        const auto found = m_names.exact(name);
        if (!found)
            return std::nullopt;
        const ir::NodeRef other(m_before, *found);
        const bool isSame = other.fullName() == node.fullName() && other.outputCount() == node.outputCount()
            && other->regions.size() == node->regions.size() && m_before.at(other->parent).owner == owner;
        return isSame ? found : std::nullopt;
    }

    bool isGone(NodeId before) const { return !m_taken.contains(before); }

    /// Adds a node and, if it was removed, the removed nodes that fed it and whose values the file no longer has.
    void addWithFused(NodeId node, std::vector<NodeId> &origins) const
    {
        if (std::ranges::contains(origins, node))
            return;
        origins.push_back(node);
        if (!isGone(node))
            return;
        for (const ir::Argument &argument : m_before.at(node).arguments)
            if (const auto value = ir::valueOf(m_before, &argument.value))
                if (const auto maker = value->producer(); maker && isGone(*maker) && !isMade(*value))
                    addWithFused(*maker, origins);
    }

    /// Whether a value of the file has the name of `before`: it still exists, made by another node.
    bool isMade(const ir::ValueRef &before) const
    {
        if (m_made.empty())
            for (ir::ValueId id{0}; id.index < m_read.valueCount(); ++id.index)
                m_made.insert(ir::ValueRef(m_read, id).name());
        return m_made.contains(before.name());
    }

    const ir::Graph &m_before, &m_read;
    NodeNames m_names; ///< names of the previous state's nodes
    std::unordered_map<NodeId, NodeId> m_kept;
    std::unordered_set<NodeId> m_taken;
    std::vector<NodeId> m_ids; ///< by NodeId in the file: the node's id in the new state
    std::uint32_t m_added = 0;
    mutable std::unordered_set<std::string_view> m_made; ///< names of the file's values, filled on first use
};

/// Renumbers each {"tensor": n} within operands.
void renumberTensors(json &operand, const Tensors &tensors)
{
    if (operand.is_object() && operand.size() == 1 && operand.contains("tensor") && operand["tensor"].is_number())
        operand["tensor"] = tensors.placeOf(operand["tensor"].get<std::uint32_t>());
    else if (operand.is_structured())
        for (json &item : operand)
            renumberTensors(item, tensors);
}

/// Visits the items of a list that is left out if it is empty, such as that of a branch without nodes.
template <class Visit>
void forEachIn(json &object, const char *list, const Visit &visit)
{
    if (object.contains(list))
        for (json &item : object[list])
            visit(item);
}

void renumberNodes(json &region, const Nodes &nodes)
{
    forEachIn(region, "nodes", [&](json &node) {
        const NodeId read{node["id"].get<std::uint32_t>()};
        node["id"] = nodes.idOf(read).index;
        node.erase("origins");
        if (!nodes.isKept(read))
            for (const NodeId origin : nodes.originsOf(read))
                node["origins"].push_back(origin.index);
        forEachIn(node, "regions", [&](json &inner) { renumberNodes(inner, nodes); });
    });
}

/// Stands for the bytes of a new tensor, which are set once the state is parsed.
json placeholder(std::size_t bytes) { return {{"bytes", bytes}, {"missing", "not read yet"}}; }

void replaceTensors(json &document, const json &before, const ir::Model &read, const Tensors &tensors)
{
    const json all = document.value("tensors", json::array());
    for (const char *list : {"tensors", "storages", "files"})
        document[list] = before.value(list, json::array());
    for (const ir::TensorId id : tensors.added()) {
        json tensor = all.at(id.index);
        for (const char *member : {"strides", "offset", "parts"})
            tensor.erase(member);
        tensor["storage"] = document["storages"].size();
        document["storages"].push_back(placeholder(static_cast<std::size_t>(ir::byteSize(read.at(id)).value_or(0))));
        document["tensors"].push_back(std::move(tensor));
    }
}

void replaceNumbers(json &function, const Nodes &nodes, const Tensors &tensors)
{
    function["node_count"] = nodes.count();
    for (const char *list : {"values", "inputs"})
        forEachIn(function, list, [&](json &item) {
            if (item.contains("tensor"))
                item["tensor"] = tensors.placeOf(item["tensor"].get<std::uint32_t>());
        });
    renumberTensors(function["body"], tensors);
    renumberNodes(function["body"], nodes);
}

Result<void> fillIn(ir::Model &state, std::size_t known, const ir::Model &read, const Tensors &tensors)
{
    for (std::size_t i = 0; i < tensors.added().size(); ++i) {
        CUTAWAY_TRY(auto elements, elementsOf(read, tensors.added()[i]));
        const auto bytes = std::as_bytes(std::span(elements));
        ir::Storage &storage = state.storages.edit(state.tensors[known + i].storage.index);
        storage.data = ir::InlineBytes{std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end())};
        storage.byteLength = bytes.size();
    }
    return {};
}

void keepTypes(ir::Graph &graph, const ir::Graph &before)
{
    std::unordered_map<ir::NameId, ir::TypeId> types;
    for (ir::ValueId id{0}; id.index < before.valueCount(); ++id.index)
        types.try_emplace(before.at(id).name, before.at(id).type);
    for (ir::ValueId id{0}; id.index < graph.valueCount(); ++id.index) {
        const auto known = types.find(graph.at(id).name);
        const bool isResult = std::holds_alternative<ir::NodeResult>(graph.at(id).definition);
        if (known != types.end())
            graph.setType(id, known->second);
        else if (isResult)
            graph.setType(id, {});
    }
}

} // namespace

Result<ir::Model> stateOfFile(const ir::Model &before, const ir::Model &read)
{
    if (read.functions.size() != 1)
        return unreadable("the file has functions besides the main one");
    Tensors tensors(before, read);
    CUTAWAY_RETURN_IF_ERROR(tensors.match());
    const Nodes nodes(before.functions.front(), read.functions.front());
    json document = json::parse(ir::printJson(read));
    const json known = json::parse(ir::printJson(before));
    replaceTensors(document, known, read, tensors);
    replaceNumbers(document["functions"][0], nodes, tensors);
    document["functions"][0]["name"] = known["functions"][0]["name"];
    for (const char *list : {"modules", "objects", "attachments", "diagnostics"})
        document.erase(list);
    auto state = ir::parseJsonState(document.dump(), before.context);
    if (!state)
        return state;
    CUTAWAY_RETURN_IF_ERROR(fillIn(*state, before.tensors.size(), read, tensors));
    keepTypes(state->functions.front().graph, before.functions.front().graph);
    state->functions.insert(state->functions.end(), before.functions.begin() + 1, before.functions.end());
    return state;
}

} // namespace cutaway::plugin
