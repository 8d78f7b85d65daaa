// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/created_objects.h"

#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/rewriter.h"

#include <algorithm>
#include <map>
#include <optional>
#include <variant>
#include <vector>

namespace cutaway::convert {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;

class CreatedObject {
public:
    CreatedObject(passes::Rewriter &rewriter, const NodeRef &maker) : m_rewriter(rewriter), m_maker(maker) { }

    void run()
    {
        if (!isUsedByAttributes() || !isSetBeforeRead())
            return;
        std::map<ir::NameId, Operand> held;
        for (const NodeRef node : m_accesses)
            if (isSet(node))
                held.insert_or_assign(*attributeOf(node), *node.argument("value"));
            else
                m_rewriter.replaceUses(node.output(0).id(), held.at(*attributeOf(node)));
        for (const NodeRef node : m_accesses)
            m_rewriter.remove(node);
        m_rewriter.remove(m_maker);
    }

private:
    bool isSet(const NodeRef &node) { return m_rewriter.kind(node) == ops::kind::setAttribute; }

    /// Nothing: the node does something else with the object.
    std::optional<ir::NameId> attributeOf(const NodeRef &node)
    {
        const bool isAccess = isSet(node) || m_rewriter.kind(node) == ops::kind::getAttribute;
        const Operand *self = node.argument("self"), *name = node.argument("name"), *value = node.argument("value");
        const auto *text = name ? name->as<ir::String>() : nullptr;
        const Operand object = m_maker.output(0).id();
        if (!isAccess || !text || !self || *self != object || (isSet(node) && (!value || *value == object)))
            return std::nullopt;
        return text->text;
    }

    /// Whether nodes that get and set attributes are all that use it, and set them in the region of its maker alone.
    bool isUsedByAttributes()
    {
        return std::ranges::all_of(m_rewriter.graph().at(m_maker.output(0)).uses, [this](const ir::Use &use) {
            const auto *reader = std::get_if<NodeId>(&use);
            if (!reader)
                return false;
            const NodeRef node = m_rewriter.node(*reader);
            return m_rewriter.isRemoved(node)
                || (attributeOf(node) && (!isSet(node) || node->parent == m_maker->parent));
        });
    }

    /// Code in a region reads what was set before the region's node.
    bool isSetBeforeRead()
    {
        std::map<ir::NameId, bool> isHeld;
        for (const NodeRef node : m_rewriter.nodes(m_maker->parent)) {
            const auto attribute = m_rewriter.isRemoved(node) ? std::nullopt : attributeOf(node);
            if (!attribute)
                continue;
            if (!isSet(node) && !isHeld[*attribute])
                return false;
            isHeld[*attribute] = true;
            m_accesses.push_back(node);
        }
        return true;
    }

    passes::Rewriter &m_rewriter;
    NodeRef m_maker;
    std::vector<NodeRef> m_accesses; ///< in order
};

} // namespace

bool createsObjects(const ir::Graph &graph)
{
    for (NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const NodeRef node(graph, id); !node->removed && ops::kindOf(node) == ops::kind::createObject)
            return true;
    return false;
}

passes::Pass objectReading()
{
    const auto run = [](passes::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
        for (const NodeRef node : rewriter.nodes())
            if (rewriter.kind(node) == ops::kind::createObject && node.outputCount() == 1)
                CreatedObject(rewriter, node).run();
        return {};
    };
    return {"read-objects", "Reads attributes of objects that code makes in order.", {}, run, false};
}

} // namespace cutaway::convert
