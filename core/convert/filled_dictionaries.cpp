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

bool isDictionary(const passes::Rewriter &rewriter, const ValueId value)
{
    const auto maker = ir::ValueRef(rewriter.graph(), value).producer();
    return maker && ops::kindOf(*maker) == ops::kind::dictionary;
}

/// The nodes of the maker's region that read its value, in order.
std::vector<NodeRef> readersOf(passes::Rewriter &rewriter, const NodeRef &maker)
{
    std::vector<NodeRef> found;
    for (const NodeRef node : rewriter.nodes(maker->parent))
        if (!rewriter.isRemoved(node)
            && std::ranges::contains(node->arguments, Operand(maker.output(0).id()), &ir::Argument::value))
            found.push_back(node);
    return found;
}

/// Whether a node that reads the value is such a one. Few are, and only then it is worth to look at the whole region.
template <class Predicate>
bool isReadBy(passes::Rewriter &rewriter, const NodeRef &maker, const Predicate &predicate)
{
    return std::ranges::any_of(rewriter.graph().at(maker.output(0)).uses, [&](const ir::Use &use) {
        const auto *reader = std::get_if<NodeId>(&use);
        return reader && !rewriter.isRemoved(*reader) && predicate(rewriter.node(*reader));
    });
}

/// Whether no node of another region reads the value.
bool isReadWhereItIsMade(passes::Rewriter &rewriter, const NodeRef &maker)
{
    return std::ranges::all_of(rewriter.graph().at(maker.output(0)).uses, [&](const ir::Use &use) {
        const auto *reader = std::get_if<NodeId>(&use);
        return !reader || rewriter.isRemoved(*reader) || rewriter.node(*reader)->parent == maker->parent;
    });
}

class FilledDictionary {
public:
    FilledDictionary(passes::Rewriter &rewriter, const NodeRef &maker)
        : m_rewriter(rewriter),
          m_maker(maker),
          m_value(maker.output(0).id())
    {
    }

    /// Whether it has changed anything.
    bool run()
    {
        for (std::size_t i = 0; i + 1 < m_maker->arguments.size(); i += 2)
            if (!put(m_maker->arguments[i].value, m_maker->arguments[i + 1].value))
                return false;
        if (!isFilledInOrder())
            return false;
        for (const NodeRef node : readersOf(m_rewriter, m_maker))
            if (isWrite(node))
                fill(node);
            else if (isRead(node))
                readItem(node);
        finish();
        return true;
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

    bool isOfThis(const NodeRef &node, ops::OperatorKind kind, std::size_t arguments) const
    {
        return m_rewriter.kind(node) == kind && node->arguments.size() == arguments
            && node->arguments[0].value == Operand(m_value);
    }
    bool isSet(const NodeRef &node) const { return isOfThis(node, ops::kind::setItem, 3); }
    bool isUpdate(const NodeRef &node) const { return isOfThis(node, ops::kind::update, 2); }
    bool isWrite(const NodeRef &node) const { return isSet(node) || isUpdate(node); }
    bool isRead(const NodeRef &node) const { return isOfThis(node, ops::kind::getItem, 2); }

    /// A list or tuple that it is put in, or a dictionary that gets all its items.
    bool isTakenWhole(const NodeRef &node) const
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        return kind == ops::kind::listOf || kind == ops::kind::tupleOf
            || (kind == ops::kind::update && node->arguments[0].value != Operand(m_value));
    }

    /// The dictionary that gives its items to this one, if these are known and do not change.
    std::optional<NodeRef> givenBy(const NodeRef &update)
    {
        const auto *given = update->arguments[1].value.as<ValueId>();
        if (!given || *given == m_value || !isDictionary(m_rewriter, *given))
            return std::nullopt;
        const NodeRef maker = *ir::ValueRef(m_rewriter.graph(), *given).producer();
        for (std::size_t i = 0; i < maker->arguments.size(); i += 2)
            if (!nameOf(maker->arguments[i].value))
                return std::nullopt;
        const std::vector<NodeRef> readers = readersOf(m_rewriter, maker);
        const auto onlyReads = [&](const NodeRef &node) {
            return m_rewriter.kind(node) == ops::kind::getItem
                || (m_rewriter.kind(node) == ops::kind::update && node->arguments[0].value != Operand(*given));
        };
        const auto now = std::ranges::find(readers, update.id(), &NodeRef::id); // later readers do not matter
        const bool isFixed = isReadWhereItIsMade(m_rewriter, maker) && maker->arguments.size() % 2 == 0
            && std::all_of(readers.begin(), now, onlyReads);
        return isFixed ? std::optional(maker) : std::nullopt;
    }

    /// Whether all readers of the dictionary set or read items under known names in the region that made it, or take
    /// the whole dictionary after that, as results of the region do.
    bool isFilledInOrder()
    {
        bool isTaken = false;
        if (!isReadWhereItIsMade(m_rewriter, m_maker)
            || !isReadBy(m_rewriter, m_maker, [this](const NodeRef &node) { return isWrite(node); }))
            return false;
        for (const NodeRef node : readersOf(m_rewriter, m_maker)) {
            const bool isWritten = isWrite(node), isOther = !isWritten && !isRead(node);
            const bool isUnderstood = isUpdate(node) ? givenBy(node).has_value()
                : isOther                            ? isTakenWhole(node)
                                                     : nameOf(node->arguments[1].value).has_value();
            if (!isUnderstood || (isWritten && isTaken)
                || (isSet(node) && node->arguments[2].value == Operand(m_value)))
                return false;
            isTaken = isTaken || isOther;
        }
        return true;
    }

    void fill(const NodeRef &node)
    {
        m_writes.push_back(node);
        if (isSet(node)) {
            put(node->arguments[1].value, node->arguments[2].value);
            return;
        }
        const std::vector<ir::Argument> given = (*givenBy(node))->arguments;
        for (std::size_t i = 0; i < given.size(); i += 2)
            put(given[i].value, given[i + 1].value);
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
        const ValueId made = m_rewriter.makeBefore(m_writes.back(), {"prim", "DictConstruct", "", std::move(arguments)},
                                                   m_rewriter.graph().at(m_value).type);
        for (const NodeId write : m_writes)
            m_rewriter.remove(write);
        m_rewriter.replaceUses(m_value, made);
    }

    passes::Rewriter &m_rewriter;
    NodeRef m_maker;
    ValueId m_value;
    std::vector<Item> m_items;
    std::vector<NodeId> m_writes;
};

/// A list that dictionaries are appended to. A node that takes one of them out reads that dictionary instead, and the
/// list is made of them after everything that happens to them.
class ListOfDictionaries {
public:
    ListOfDictionaries(passes::Rewriter &rewriter, const NodeRef &maker) : m_rewriter(rewriter), m_maker(maker) { }

    void run()
    {
        if (!isFilledInOrder())
            return;
        std::vector<ir::Argument> items = m_maker->arguments;
        for (const NodeRef node : readersOf(m_rewriter, m_maker)) {
            if (m_rewriter.kind(node) == ops::kind::append)
                items.push_back({{}, node->arguments[1].value});
            else
                m_rewriter.replaceUses(node.output(0).id(), items[*placeOf(node, items.size())].value);
            m_rewriter.remove(node);
        }
        m_rewriter.from({m_maker});
        const NodeId made = m_rewriter.append(m_maker->parent,
                                              {.op = m_maker->op,
                                               .name = {},
                                               .scope = m_maker->scope,
                                               .location = m_maker->location,
                                               .arguments = std::move(items),
                                               .origins = {},
                                               .metadata = {}});
        m_rewriter.replaceUses(m_maker.output(0),
                               m_rewriter.addOutput(made, m_maker.output(0)->type, m_maker.output(0).name()));
    }

private:
    std::optional<std::size_t> placeOf(const NodeRef &node, std::size_t count)
    {
        const auto index = ops::asInt(m_rewriter.fact(node->arguments[1].value));
        const auto at = index ? ops::number(*index) : std::nullopt;
        return at ? ops::dimension(*at, count) : std::nullopt;
    }

    /// Whether nodes, where it was made, append dictionaries and take them out again, and others only get the whole.
    bool isFilledInOrder()
    {
        std::size_t count = m_maker->arguments.size();
        const auto isItem = [this](const Operand &operand) {
            const auto *value = operand.as<ValueId>();
            return value && isDictionary(m_rewriter, *value);
        };
        const auto appendsItem = [&](const NodeRef &node) {
            return m_rewriter.kind(node) == ops::kind::append && isItem(node->arguments.back().value);
        };
        if ((count == 0 && !isReadBy(m_rewriter, m_maker, appendsItem)) || !isReadWhereItIsMade(m_rewriter, m_maker)
            || !std::ranges::all_of(m_maker->arguments, isItem, &ir::Argument::value))
            return false;
        for (const NodeRef node : readersOf(m_rewriter, m_maker)) {
            if (node->arguments.size() != 2 || node->arguments[0].value != Operand(m_maker.output(0).id()))
                return false;
            const bool isAppend = m_rewriter.kind(node) == ops::kind::append && isItem(node->arguments[1].value)
                && std::ranges::all_of(node.outputs(), [](const ir::ValueRef &same) { return same->uses.empty(); });
            const bool isRead = m_rewriter.kind(node) == ops::kind::getItem && placeOf(node, count);
            if (!isAppend && !isRead)
                return false;
            count += isAppend;
        }
        return true;
    }

    passes::Rewriter &m_rewriter;
    NodeRef m_maker;
};

} // namespace

bool fillsDictionaries(const ir::Graph &graph)
{
    for (NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const NodeRef node(graph, id);
            !node->removed && (ops::kindOf(node) == ops::kind::setItem || ops::kindOf(node) == ops::kind::update))
            return true;
    return false;
}

passes::Pass dictionaryReading()
{
    const auto run = [](passes::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
        const auto areMade = [&](const NodeRef &node, ops::OperatorKind kind) {
            return !rewriter.isRemoved(node) && rewriter.kind(node) == kind && node.outputCount() == 1;
        };
        for (const NodeRef node : rewriter.nodes())
            if (areMade(node, ops::kind::listOf))
                ListOfDictionaries(rewriter, node).run();
        for (bool hasChanged = true; hasChanged;) { // one that was filled can fill another one
            hasChanged = false;
            for (const NodeRef node : rewriter.nodes())
                if (areMade(node, ops::kind::dictionary) && FilledDictionary(rewriter, node).run())
                    hasChanged = true;
        }
        return {};
    };
    return {"read-dictionaries", "Reads items of dictionaries, and dictionaries in lists, in order.", {}, run, false};
}

} // namespace cutaway::convert
