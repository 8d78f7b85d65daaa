// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/filled_dictionaries.h"

#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/program/container.h"
#include "core/passes/rewriter.h"

#include <algorithm>

namespace cutaway::convert {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

class FilledDictionary {
public:
    FilledDictionary(passes::Rewriter &rewriter, const NodeRef &maker)
        : m_rewriter(rewriter),
          m_maker(maker),
          m_value(maker.output(0).id())
    {
    }

    void run()
    {
        for (std::size_t i = 0; i + 1 < m_maker->arguments.size(); i += 2)
            if (!put(m_maker->arguments[i].value, m_maker->arguments[i + 1].value))
                return;
        if (!isFilledInOrder())
            return;
        for (const NodeRef node : readers())
            if (m_rewriter.kind(node) == ops::kind::setItem) {
                put(node->arguments[1].value, node->arguments[2].value);
                m_sets.push_back(node);
            } else {
                readItem(node);
            }
        finish();
    }

private:
    struct Item {
        std::string name;
        Operand key, value;
    };

    std::optional<std::string> nameOf(const Operand &key)
    {
        const ops::Fact fact = m_rewriter.fact(key);
        const auto *text = fact.as<ops::TextFact>();
        return text ? std::optional(text->text) : std::nullopt;
    }

    bool put(const Operand &key, const Operand &value)
    {
        const auto name = nameOf(key);
        if (!name)
            return false;
        const auto found = std::ranges::find(m_items, *name, &Item::name);
        if (found == m_items.end())
            m_items.push_back({*name, ir::String{m_rewriter.text(*name)}, value});
        else
            found->value = value;
        return true;
    }

    /// In order.
    std::vector<NodeRef> readers()
    {
        std::vector<NodeRef> found;
        for (const NodeRef node : m_rewriter.nodes(m_maker->parent))
            if (!m_rewriter.isRemoved(node) && std::ranges::any_of(node->arguments, [&](const ir::Argument &argument) {
                    return argument.value == Operand(m_value);
                }))
                found.push_back(node);
        return found;
    }

    /// Whether all uses are items that are set and read under known names, where it was made, or results of the region.
    bool isFilledInOrder()
    {
        std::size_t sets = 0;
        for (const ir::Use &use : m_rewriter.graph().at(m_value).uses) {
            const auto *reader = std::get_if<NodeId>(&use);
            if (!reader)
                continue;
            const NodeRef node = m_rewriter.node(*reader);
            const bool isSet = m_rewriter.kind(node) == ops::kind::setItem && node->arguments.size() == 3;
            const bool isRead = m_rewriter.kind(node) == ops::kind::getItem && node->arguments.size() == 2;
            if (node->parent != m_maker->parent || (!isSet && !isRead) || node->arguments[0].value != Operand(m_value)
                || !nameOf(node->arguments[1].value) || (isSet && node->arguments[2].value == Operand(m_value)))
                return false;
            sets += isSet;
        }
        return sets > 0;
    }

    void readItem(const NodeRef &node)
    {
        const auto found = std::ranges::find(m_items, *nameOf(node->arguments[1].value), &Item::name);
        if (found == m_items.end())
            return;
        m_rewriter.replaceUses(node.output(0).id(), found->value);
        m_rewriter.remove(node);
    }

    void finish()
    {
        std::vector<ir::Argument> arguments;
        for (const Item &item : m_items) {
            arguments.push_back({{}, item.key});
            arguments.push_back({{}, item.value});
        }
        m_rewriter.from({m_maker});
        const ValueId made = m_rewriter.makeBefore(m_sets.back(), {"prim", "DictConstruct", "", std::move(arguments)},
                                                   m_rewriter.graph().at(m_value).type);
        for (const NodeId set : m_sets)
            m_rewriter.remove(set);
        m_rewriter.replaceUses(m_value, made);
    }

    passes::Rewriter &m_rewriter;
    NodeRef m_maker;
    ValueId m_value;
    std::vector<Item> m_items;
    std::vector<NodeId> m_sets;
};

} // namespace

bool setsItems(const ir::Graph &graph)
{
    for (NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const NodeRef node(graph, id); !node->removed && ops::kindOf(node) == ops::kind::setItem)
            return true;
    return false;
}

passes::Pass dictionaryReading()
{
    const auto run = [](passes::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
        for (const NodeRef node : rewriter.nodes())
            if (!rewriter.isRemoved(node) && rewriter.kind(node) == ops::kind::dictionary && node.outputCount() == 1)
                FilledDictionary(rewriter, node).run();
        return {};
    };
    return {"read-dictionaries", "Reads items of dictionaries in order.", {}, run, false};
}

} // namespace cutaway::convert
