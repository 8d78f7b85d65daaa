// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/followed_containers.h"

#include "core/convert/container_store.h"
#include "core/convert/preparation.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/program/container.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/size.h"
#include "core/ops/tensor/slicing.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <unordered_map>

// The graph is walked from front to back with a store of the containers' items. The first walks change nothing, since a
// finding about a container, such as a write in a branch or a use by an unknown operator, may forbid replacements at
// earlier nodes. The last walk changes the graph.

namespace cutaway::convert {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::RegionId;
using ir::ValueId;
using Items = std::vector<Operand>;

constexpr int maxWalks = 32;
constexpr std::size_t maxItems = 4096; // the limit is needed since a file can double a list at every node

bool isListOrTuple(const ir::ValueRef &value)
{
    const auto *type = std::get_if<ir::CompoundType>(&value.type());
    return type && (type->kind == ir::CompoundType::Kind::List || type->kind == ir::CompoundType::Kind::Tuple);
}

bool isComparable(const ops::Fact &key)
{
    const auto number = ops::asInt(key);
    return key.as<ops::TextFact>() || (number && ops::number(*number));
}

std::optional<ir::TensorId> tensorNamed(const ir::Model &model, ir::NameId name)
{
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i)
        if (model.tensors[i].name == name)
            return ir::TensorId{i};
    return std::nullopt;
}

class FollowedContainers {
public:
    FollowedContainers(rewrite::Rewriter &rewriter, std::vector<std::string> &lost) : m_rewriter(rewriter), m_lost(lost)
    {
    }

    void run()
    {
        for (int walks = 0; walks == 0 || m_store.hasForgotten(); ++walks) {
            if (walks == maxWalks || m_rewriter.task().stopRequested())
                return;
            begin();
        }
        m_changes = true;
        begin();
        assert(!m_store.hasForgotten());
        removeMakers();
    }

private:
    /// Follows a node of one kind; returns false if it is in a form that is not understood.
    using Follow = bool (FollowedContainers::*)(const NodeRef &node);
    struct Row {
        ops::OperatorKind kind;
        Follow follow;
    };

    // ---- the walk

    void begin()
    {
        m_store.clear();
        for (const ValueId given : m_rewriter.graph().at(ir::Graph::body).inputs)
            if (std::get_if<ir::ClassType>(&ir::ValueRef(m_rewriter.graph(), given).type()))
                m_store.add(given, {Container::Kind::Object, ir::Graph::body, {}});
        walk(ir::Graph::body);
    }

    void walk(RegionId region)
    {
        const std::vector<ir::NodeId> nodes = m_rewriter.graph().at(region).nodes;
        for (const ir::NodeId id : nodes) {
            const NodeRef node = m_rewriter.node(id);
            if (m_rewriter.isRemoved(id) || follow(node))
                continue;
            readWhole(node);
            const std::vector<RegionId> regions = node->regions;
            for (const RegionId inner : regions)
                walk(inner);
        }
        leave(region);
    }

    bool follow(const NodeRef &node)
    {
        if (node.isOnnx() || !node->regions.empty())
            return false;
        const auto row = std::ranges::find(rows, m_rewriter.kind(node), &Row::kind);
        return row != std::end(rows) && (this->*row->follow)(node);
    }

    /// Makes a region return its containers with the contents that they have at its end.
    void leave(RegionId region)
    {
        std::vector<Operand> outputs = m_rewriter.graph().at(region).outputs;
        for (Operand &output : outputs) {
            const auto isOther = [&](ValueId value) {
                const Container &container = *m_store.of(value);
                return container.kind == Container::Kind::Object
                    || (container.kind != Container::Kind::Tuple && container.home != region);
            };
            if (std::ranges::any_of(m_store.reached(output), isOther))
                m_store.forget(output);
            if (m_changes)
                output = rebuilt(output, region, std::nullopt);
        }
        if (outputs != m_rewriter.graph().at(region).outputs)
            m_rewriter.setOutputs(region, std::move(outputs));
    }

    /// Makes a node that is not followed read containers with their present contents.
    void readWhole(const NodeRef &node)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        if (kind == ops::kind::callMethod || kind == ops::kind::callFunction) // called code may reach any object
            for (const ValueId given : m_rewriter.graph().at(ir::Graph::body).inputs)
                m_store.forget(given);
        std::vector<ir::Argument> arguments = node->arguments;
        for (ir::Argument &argument : arguments) {
            if (mayKeep(node, argument))
                m_store.forget(argument.value);
            else if (m_changes)
                argument.value = rebuilt(argument.value, node->parent, node.id());
        }
        if (arguments != node->arguments)
            m_rewriter.setArguments(node.id(), std::move(arguments));
    }

    /// Whether a node may write to a container in its argument, or return one of the containers in it.
    bool mayKeep(const NodeRef &node, const ir::Argument &argument)
    {
        std::vector<ValueId> reached = m_store.reached(argument.value);
        std::erase_if(reached, [&](ValueId each) { return m_store.of(each)->kind == Container::Kind::Tuple; });
        if (reached.empty())
            return false;
        const auto isObject = [&](ValueId each) { return m_store.of(each)->kind == Container::Kind::Object; };
        const ops::Signature *known = m_rewriter.signature(node->op);
        if (!node->regions.empty() || std::ranges::any_of(reached, isObject) || m_rewriter.writes(node)
            || (!known && !m_rewriter.isPure(node)))
            return true;
        const auto shares = [&](const ops::SchemaArgument &declared) {
            const Operand *given = m_rewriter.argument(node, declared.name);
            return declared.type.alias && given && *given == argument.value;
        };
        const auto canHold = [](const ir::ValueRef &output) {
            return !output->uses.empty() && !output.tensorType() && !std::get_if<ir::NumberType>(&output.type());
        };
        const bool givesItemsOn = reached.size() > 1 || m_store.resolved(argument.value) != Operand(reached.front());
        const bool mayShare = !known || givesItemsOn || std::ranges::any_of(known->schema.arguments, shares);
        return mayShare && std::ranges::any_of(node.outputs(), canHold);
    }

    /// Returns an operand with its containers made anew, in front of the node `before` or at the end of the region.
    Operand rebuilt(const Operand &operand, RegionId region, std::optional<ir::NodeId> before)
    {
        std::unordered_map<ValueId, Operand> made;
        const auto now = [&](const Operand &each) {
            return ir::withValues(m_store.resolved(each), [&](ValueId value) -> Operand {
                const auto found = made.find(value);
                return found == made.end() ? value : found->second;
            });
        };
        for (const ValueId value : m_store.reached(operand)) {
            const Container &container = *m_store.of(value);
            bool isFixed = !m_store.isWritten(value);
            std::vector<ir::Argument> arguments;
            for (const Container::Item &item : container.items) {
                if (container.kind == Container::Kind::Dictionary)
                    arguments.push_back({{}, item.key});
                arguments.push_back({{}, now(item.value)});
                isFixed = isFixed && arguments.back().value == m_store.resolved(item.value);
            }
            made.emplace(value, isFixed ? value : madeOf(value, std::move(arguments), region, before));
        }
        return now(operand);
    }

    ValueId madeOf(ValueId value, std::vector<ir::Argument> arguments, RegionId region,
                   std::optional<ir::NodeId> before)
    {
        using Kind = Container::Kind;
        const Kind kind = m_store.of(value)->kind;
        const NodeRef maker = *ir::ValueRef(m_rewriter.graph(), value).producer();
        const std::string_view name = kind == Kind::List ? "ListConstruct"
            : kind == Kind::Tuple                        ? "TupleConstruct"
                                                         : "DictConstruct";
        ir::NodeDraft draft;
        draft.op = m_rewriter.context().op("prim", name);
        draft.scope = maker->scope;
        draft.location = maker->location;
        draft.arguments = std::move(arguments);
        m_rewriter.from({maker.id()});
        const ir::NodeId made = before ? m_rewriter.insertBefore(*before, std::move(draft)).id()
                                       : m_rewriter.append(region, std::move(draft)).id();
        return m_rewriter.addOutput(made, m_rewriter.graph().at(value).type, maker.output(0).name());
    }

    void removeMakers()
    {
        for (std::size_t i = m_makers.size(); i-- > 0;)
            if (m_rewriter.useCount(m_makers[i].output(0)) == 0)
                m_rewriter.remove(m_makers[i].id());
    }

    // ---- what nodes get and give

    Operand argument(const NodeRef &node, std::size_t position) const
    {
        return position < node->arguments.size() ? m_store.resolved(node->arguments[position].value) : Operand();
    }

    std::optional<std::int64_t> integer(const Operand &operand)
    {
        const auto size = ops::asInt(m_rewriter.proven(m_store.resolved(operand)));
        return size ? ops::number(*size) : std::nullopt;
    }

    /// Replaces the node by `results`. Returns false if it has another number of results.
    bool give(const NodeRef &node, const Items &results)
    {
        if (results.size() != node.outputCount())
            return false;
        for (std::size_t i = 0; i < results.size(); ++i) {
            m_store.alias(node.output(i), results[i]);
            if (m_changes)
                m_rewriter.replaceUses(node.output(i), results[i]);
        }
        remove(node);
        return true;
    }

    void remove(const NodeRef &node)
    {
        if (m_changes)
            m_rewriter.remove(node.id());
    }

    bool make(const NodeRef &node, Container::Kind kind, std::vector<Container::Item> items)
    {
        if (node.outputCount() != 1)
            return false;
        m_store.add(node.output(0), {kind, node->parent, std::move(items)});
        if (m_changes)
            m_makers.push_back(node);
        return true;
    }

    /// Makes a list of these items as the result of the node.
    bool derive(const NodeRef &node, const Items &items)
    {
        if (items.size() > maxItems)
            return false;
        std::vector<Container::Item> made;
        for (const Operand &item : items)
            made.push_back({item});
        return make(node, Container::Kind::List, std::move(made)) && write(node, node.output(0).id());
    }

    /// Marks a container as written to by the node, which puts `item` into it; nullptr if the container is forgotten.
    Container *write(const NodeRef &node, const Operand &container, const Operand &item = {})
    {
        return m_store.written(container, node->parent, item);
    }

    /// Removes a node that has written to its first argument, and replaces its results by that argument.
    bool hasWritten(const NodeRef &node)
    {
        for (const ir::ValueRef output : node.outputs()) {
            m_store.alias(output, argument(node, 0));
            if (m_changes)
                m_rewriter.replaceUses(output, argument(node, 0));
        }
        remove(node);
        return true;
    }

    /// Returns the items of a list. If the list is not followed, new nodes take the items out of it.
    std::optional<Items> itemsOf(const Operand &list, const NodeRef &here)
    {
        if (auto known = m_store.itemsOf(list))
            return known;
        const auto *value = list.as<ValueId>();
        if (!value || m_store.isForgotten(*value) || m_rewriter.written().contains(*value)
            || !isListOrTuple({m_rewriter.graph(), *value}))
            return std::nullopt;
        const ops::Fact fact = m_rewriter.proven(list);
        const auto *sequence = fact.as<ops::SequenceFact>();
        if (!sequence || !sequence->items())
            return std::nullopt;
        Items items;
        for (const ops::Fact &item : sequence->each())
            items.push_back(constantOf(m_rewriter.context(), item).value_or(Operand()));
        if (m_changes && std::ranges::contains(items, Operand()))
            takeOut(*value, items, here);
        return items;
    }

    void takeOut(ValueId list, Items &items, const NodeRef &here)
    {
        m_rewriter.from({here.id()});
        const NodeRef unpack = m_rewriter.insertBefore(here.id(), {"prim", "ListUnpack", "", {{{}, list}}});
        const auto *type = std::get_if<ir::CompoundType>(&ir::ValueRef(m_rewriter.graph(), list).type());
        const bool isTuple = type->kind == ir::CompoundType::Kind::Tuple;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const std::size_t position = isTuple ? i : 0;
            const ir::TypeId of = position < type->elements.size() ? type->elements[position] : ir::TypeId();
            const ValueId item = m_rewriter.addOutput(unpack.id(), of, "item");
            if (items[i] == Operand())
                items[i] = item;
        }
    }

    // ---- makers

    bool construct(const NodeRef &node)
    {
        std::vector<Container::Item> items;
        for (const ir::Argument &argument : node->arguments)
            items.push_back({m_store.resolved(argument.value)});
        return make(node, m_rewriter.kind(node) == ops::kind::tupleOf ? Container::Kind::Tuple : Container::Kind::List,
                    std::move(items));
    }

    bool put(Container &dictionary, const Operand &key, const Operand &value)
    {
        ops::Fact name = m_rewriter.proven(m_store.resolved(key));
        if (!isComparable(name))
            return false;
        if (Container::Item *known = dictionary.find(name))
            known->value = m_store.resolved(value);
        else
            dictionary.items.push_back(
                {m_store.resolved(value), constantOf(m_rewriter.context(), name).value_or(key), std::move(name)});
        return true;
    }

    /// Follows prim::DictConstruct(key, value, …), and aten::dict() with nothing, pairs or another dictionary.
    bool dictionary(const NodeRef &node)
    {
        Container made{Container::Kind::Dictionary, node->parent, {}};
        if (node.dialect() == "prim") {
            for (std::size_t i = 0; i + 1 < node->arguments.size(); i += 2)
                if (!put(made, node->arguments[i].value, node->arguments[i + 1].value))
                    return false;
            return make(node, made.kind, std::move(made.items));
        }
        if (const Container *other = m_store.of(argument(node, 0)); other && other->kind == made.kind)
            made.items = other->items;
        else if (!node->arguments.empty()) {
            const auto pairs = itemsOf(argument(node, 0), node);
            for (const Operand &each : pairs.value_or(Items())) {
                const auto pair = m_store.itemsOf(each);
                if (!pair || pair->size() != 2 || !put(made, (*pair)[0], (*pair)[1]))
                    return false;
            }
            if (!pairs)
                return false;
        }
        return make(node, made.kind, std::move(made.items)) && write(node, node.output(0).id());
    }

    bool createObject(const NodeRef &node) { return make(node, Container::Kind::Object, {}); }

    bool copyList(const NodeRef &node)
    {
        const auto items = isOfLists(node) ? itemsOf(argument(node, 0), node) : std::nullopt;
        return items && derive(node, *items);
    }

    /// Whether the node's first argument is a list or tuple: the operators also take numbers and tensors.
    bool isOfLists(const NodeRef &node)
    {
        const Operand first = argument(node, 0);
        const auto value = ir::valueOf(m_rewriter.graph(), &first);
        return node.outputCount() == 1
            && (first.as<ir::List>() || m_store.of(first) || (value && isListOrTuple(*value)));
    }

    bool join(const NodeRef &node)
    {
        if (!isOfLists(node) || node->arguments.size() != 2)
            return false;
        if (node.opName().ends_with('_'))
            return extend(node);
        auto items = itemsOf(argument(node, 0), node);
        const auto more = items ? itemsOf(argument(node, 1), node) : std::nullopt;
        if (!more)
            return false;
        items->insert(items->end(), more->begin(), more->end());
        return derive(node, *items);
    }

    bool repeat(const NodeRef &node)
    {
        const auto times = isOfLists(node) ? integer(argument(node, 1)) : std::nullopt;
        const auto items = times ? itemsOf(argument(node, 0), node) : std::nullopt;
        if (!items || *times > static_cast<std::int64_t>(maxItems))
            return false;
        Items made;
        for (std::int64_t i = 0; i < *times && made.size() <= maxItems; ++i)
            made.insert(made.end(), items->begin(), items->end());
        return derive(node, made);
    }

    /// Returns a bound of a slice as a position in a list of `size` items; nothing if it is not known.
    std::optional<std::int64_t> bound(const NodeRef &node, std::string_view name, std::int64_t defaultBound,
                                      std::int64_t size)
    {
        const Operand *given = m_rewriter.argument(node, name);
        const auto known = given && *given != Operand() ? integer(*given) : std::optional(defaultBound);
        return known.transform([size](std::int64_t at) { return std::clamp(at < 0 ? at + size : at, 0L, size); });
    }

    bool slice(const NodeRef &node)
    {
        const auto items = isOfLists(node) ? itemsOf(argument(node, 0), node) : std::nullopt;
        if (!items)
            return false;
        const std::int64_t size = std::ssize(*items);
        const Operand *given = m_rewriter.argument(node, "step");
        const auto begin = bound(node, "start", 0, size), end = bound(node, "end", size, size);
        const auto step = given ? integer(*given) : std::optional<std::int64_t>(1);
        if (!begin || !end || !step || *step < 1)
            return false;
        Items made;
        for (std::int64_t i = *begin; i < *end; i += std::min(*step, size))
            made.push_back((*items)[static_cast<std::size_t>(i)]);
        return derive(node, made);
    }

    /// Follows keys(), values() and items().
    bool parts(const NodeRef &node)
    {
        const Container *from = m_store.of(argument(node, 0));
        if (!from || from->kind != Container::Kind::Dictionary)
            return false;
        const ops::OperatorKind kind = m_rewriter.kind(node);
        Items made;
        for (const Container::Item &item : from->items) {
            if (kind == ops::kind::items && item.value.as<ir::List>()) // tuples in tuples could grow without end
                return false;
            made.push_back(kind == ops::kind::keys         ? item.key
                               : kind == ops::kind::values ? item.value
                                                           : ir::List{{item.key, item.value}, ir::List::Kind::Tuple});
        }
        return derive(node, made);
    }

    // ---- readers

    bool sameAs(const NodeRef &node)
    {
        return m_store.of(argument(node, 0)) && node->arguments.size() <= 2 && give(node, {argument(node, 0)});
    }

    bool getItem(const NodeRef &node)
    {
        const Operand *named = node.argument("index");
        const Operand key = named ? m_store.resolved(*named) : argument(node, 1);
        if (Container *from = m_store.of(argument(node, 0)); from && from->kind == Container::Kind::Dictionary) {
            const Container::Item *item = from->find(m_rewriter.proven(key));
            return item && give(node, {item->value});
        }
        const auto items = m_store.itemsOf(argument(node, 0));
        const auto index = items ? integer(key) : std::nullopt;
        const auto at = index ? ops::dimension(*index, items->size()) : std::nullopt;
        return at && give(node, {(*items)[*at]});
    }

    bool unpack(const NodeRef &node)
    {
        const auto items = m_store.itemsOf(argument(node, 0));
        return items && give(node, *items);
    }

    bool length(const NodeRef &node)
    {
        const Container *of = m_store.of(argument(node, 0));
        return of && give(node, {std::ssize(of->items)});
    }

    bool contains(const NodeRef &node)
    {
        Container *in = m_store.of(argument(node, 0));
        const ops::Fact key = m_rewriter.proven(argument(node, 1));
        if (!in || !isComparable(key))
            return false;
        if (in->kind == Container::Kind::Dictionary)
            return give(node, {in->find(key) != nullptr});
        std::vector<ops::Fact> items;
        for (const Container::Item &item : in->items)
            items.push_back(m_rewriter.proven(m_store.resolved(item.value)));
        return std::ranges::all_of(items, isComparable) && give(node, {std::ranges::contains(items, key)});
    }

    // ---- writers

    /// Forgets all containers that a node writes to in a way that is not understood.
    bool spoil(const NodeRef &node)
    {
        for (const ir::Argument &argument : node->arguments)
            m_store.forget(argument.value);
        return false;
    }

    bool append(const NodeRef &node)
    {
        Container *list = write(node, argument(node, 0), argument(node, 1));
        if (!list || list->items.size() > maxItems)
            return spoil(node);
        list->items.push_back({argument(node, 1)});
        return hasWritten(node);
    }

    bool extend(const NodeRef &node)
    {
        const auto more = m_store.of(argument(node, 0)) ? itemsOf(argument(node, 1), node) : std::nullopt;
        Container *list = more ? write(node, argument(node, 0), ir::List{*more}) : nullptr;
        if (!list || list->items.size() + more->size() > maxItems)
            return spoil(node);
        for (const Operand &item : *more)
            list->items.push_back({item});
        return hasWritten(node);
    }

    bool insert(const NodeRef &node)
    {
        const auto index = integer(argument(node, 1));
        Container *list = index ? write(node, argument(node, 0), argument(node, 2)) : nullptr;
        if (!list || list->items.size() > maxItems)
            return spoil(node);
        const std::int64_t size = std::ssize(list->items);
        const std::int64_t at = std::clamp(*index < 0 ? *index + size : *index, 0L, size);
        list->items.insert(list->items.begin() + at, {argument(node, 2)});
        return hasWritten(node);
    }

    bool setItem(const NodeRef &node)
    {
        Container *in = write(node, argument(node, 0), argument(node, 2));
        if (in && in->kind == Container::Kind::Dictionary)
            return put(*in, argument(node, 1), argument(node, 2)) ? hasWritten(node) : spoil(node);
        const auto index = in ? integer(argument(node, 1)) : std::nullopt;
        const auto at = index ? ops::dimension(*index, in->items.size()) : std::nullopt;
        if (!at)
            return spoil(node);
        in->items[*at].value = argument(node, 2);
        return hasWritten(node);
    }

    bool update(const NodeRef &node)
    {
        const Container *more = m_store.of(argument(node, 1));
        Container *into = more ? write(node, argument(node, 0), argument(node, 1)) : nullptr;
        if (!into || into->kind != Container::Kind::Dictionary || more->kind != into->kind)
            return spoil(node);
        for (const Container::Item &item : more->items)
            if (!put(*into, item.key, item.value))
                return spoil(node);
        return hasWritten(node);
    }

    bool pop(const NodeRef &node)
    {
        const Operand *given = m_rewriter.argument(node, "idx");
        Container *list = m_store.of(argument(node, 0));
        const auto index = given ? integer(*given) : std::optional<std::int64_t>(-1);
        const auto at = list && list->isSequence() && index ? ops::dimension(*index, list->items.size()) : std::nullopt;
        list = at ? write(node, argument(node, 0)) : nullptr;
        if (!list)
            return spoil(node);
        const Operand taken = list->items[*at].value;
        list->items.erase(list->items.begin() + static_cast<std::ptrdiff_t>(*at));
        return give(node, {taken});
    }

    bool clear(const NodeRef &node)
    {
        Container *in = write(node, argument(node, 0));
        if (!in)
            return spoil(node);
        in->items.clear();
        return hasWritten(node);
    }

    // ---- attributes

    /// Returns the object of which a node reads or sets an attribute; nullptr if the object is not followed.
    Container *objectOf(const NodeRef &node)
    {
        const Operand *self = node.argument("self");
        Container *known = self ? m_store.of(*self) : nullptr;
        return known && known->kind == Container::Kind::Object ? known : nullptr;
    }

    std::optional<ops::Fact> attributeOf(const NodeRef &node)
    {
        const Operand *name = node.argument("name");
        const auto *text = name ? name->as<ir::String>() : nullptr;
        return text ? std::optional<ops::Fact>(ops::TextFact{std::string(m_rewriter.context().text(text->text))})
                    : std::nullopt;
    }

    bool setAttribute(const NodeRef &node)
    {
        const Operand *self = node.argument("self"), *value = node.argument("value");
        const auto name = attributeOf(node);
        const bool isKnown = objectOf(node) && value && name;
        Container *object = isKnown ? write(node, *self, *value) : nullptr;
        if (!object)
            return spoil(node);
        if (Container::Item *known = object->find(*name))
            known->value = m_store.resolved(*value);
        else
            object->items.push_back({m_store.resolved(*value), *node.argument("name"), *name});
        if (m_changes && isGiven(*self))
            lose(name->as<ops::TextFact>()->text);
        remove(node);
        return true;
    }

    bool isGiven(const Operand &object) const
    {
        const auto value = ir::valueOf(m_rewriter.graph(), &object);
        return value && !value->producer();
    }

    void lose(const std::string &attribute)
    {
        if (!std::ranges::contains(m_lost, attribute))
            m_lost.push_back(attribute);
    }

    bool getAttribute(const NodeRef &node)
    {
        Container *object = objectOf(node);
        const auto name = attributeOf(node);
        if (!object || !name || node.outputCount() != 1)
            return false;
        if (const Container::Item *known = object->find(*name))
            return give(node, {known->value});
        const Operand &self = *node.argument("self");
        if (!isGiven(self)) // the maker of the object has not set this attribute
            return spoil(node);
        if (node->parent != RegionId(ir::Graph::body))
            return true;
        const auto tensor = tensorNamed(m_rewriter.model(), node.argument("name")->as<ir::String>()->text);
        if (tensor && m_store.isWritten(*self.as<ValueId>())) {
            const Operand copy = m_changes ? copyOf(*tensor, node) : Operand();
            object->items.push_back({copy, *node.argument("name"), *name});
            return give(node, {copy});
        }
        if (const auto *list = listNamed(name->as<ops::TextFact>()->text)) {
            object->items.push_back({node.output(0).id(), *node.argument("name"), *name});
            return derive(node, itemsInFile(*list, node));
        }
        return true;
    }

    /// Returns the file's list at the path of an attribute; nullptr if there is none, or if it contains containers.
    const ir::List *listNamed(std::string_view path) const
    {
        const auto isItem = [](const Operand &item) { return !item.as<ir::List>() && !item.as<ir::Dict>(); };
        for (const ir::Module &module : m_rewriter.model().modules)
            for (const ir::ModuleAttribute &attribute : module.attributes) {
                const auto *list = attribute.value.as<ir::List>();
                if (list && isPath(path, module.path, attribute.name))
                    return std::ranges::all_of(list->items, isItem) ? list : nullptr;
            }
        return nullptr;
    }

    bool isPath(std::string_view path, ir::NameId module, ir::NameId name) const
    {
        const std::string_view of = m_rewriter.context().text(module), last = m_rewriter.context().text(name);
        return of.empty() ? path == last
                          : path.size() == of.size() + 1 + last.size() && path.starts_with(of) && path.ends_with(last)
                && path[of.size()] == '.';
    }

    Items itemsInFile(const ir::List &list, const NodeRef &next)
    {
        Items items;
        for (const Operand &item : list.items) {
            const auto *tensor = item.as<ir::TensorId>();
            items.push_back(!tensor ? item : m_changes ? Operand(copyOf(*tensor, next)) : Operand());
        }
        return items;
    }

    /// Returns a copy of a tensor of the file, since writes in place may change it.
    ValueId copyOf(ir::TensorId id, const NodeRef &next)
    {
        const ir::Tensor &tensor = m_rewriter.model().at(id);
        ir::TensorType stored;
        stored.dtype = tensor.dtype;
        stored.shape = ir::Shape(tensor.shape.begin(), tensor.shape.end());
        const ir::TypeId type = m_rewriter.context().type(stored);
        const ValueId weight = m_rewriter.weight(id, tensor.name, type);
        return m_rewriter.makeBefore(next.id(), {.dialect = "aten", .name = "clone", .arguments = {{{}, weight}}},
                                     type);
    }

    static constexpr Row rows[] = {
        {ops::kind::listOf, &FollowedContainers::construct},
        {ops::kind::tupleOf, &FollowedContainers::construct},
        {ops::kind::dictionary, &FollowedContainers::dictionary},
        {ops::kind::createObject, &FollowedContainers::createObject},
        {ops::kind::list, &FollowedContainers::copyList},
        {ops::kind::add, &FollowedContainers::join},
        {ops::kind::mul, &FollowedContainers::repeat},
        {ops::kind::slice, &FollowedContainers::slice},
        {ops::kind::keys, &FollowedContainers::parts},
        {ops::kind::values, &FollowedContainers::parts},
        {ops::kind::items, &FollowedContainers::parts},
        {ops::kind::uncheckedCast, &FollowedContainers::sameAs},
        {ops::kind::uncheckedUnwrap, &FollowedContainers::sameAs},
        {ops::kind::unwrap, &FollowedContainers::sameAs},
        {ops::kind::getItem, &FollowedContainers::getItem},
        {ops::kind::tupleIndex, &FollowedContainers::getItem},
        {ops::kind::listUnpack, &FollowedContainers::unpack},
        {ops::kind::tupleUnpack, &FollowedContainers::unpack},
        {ops::kind::length, &FollowedContainers::length},
        {ops::kind::contains, &FollowedContainers::contains},
        {ops::kind::append, &FollowedContainers::append},
        {ops::kind::extend, &FollowedContainers::extend},
        {ops::kind::insert, &FollowedContainers::insert},
        {ops::kind::setItem, &FollowedContainers::setItem},
        {ops::kind::update, &FollowedContainers::update},
        {ops::kind::pop, &FollowedContainers::pop},
        {ops::kind::clear, &FollowedContainers::clear},
        {ops::kind::setAttribute, &FollowedContainers::setAttribute},
        {ops::kind::getAttribute, &FollowedContainers::getAttribute},
    };

    rewrite::Rewriter &m_rewriter;
    std::vector<std::string> &m_lost;
    ContainerStore m_store;
    bool m_changes = false;
    std::vector<NodeRef> m_makers; ///< the nodes that make followed containers, in execution order
};

} // namespace

bool changesContainers(const ir::Graph &graph)
{
    static constexpr ops::OperatorKind changing[] = {ops::kind::append,  ops::kind::extend,       ops::kind::insert,
                                                     ops::kind::setItem, ops::kind::update,       ops::kind::pop,
                                                     ops::kind::clear,   ops::kind::createObject, ops::kind::items,
                                                     ops::kind::keys,    ops::kind::setAttribute, ops::kind::values};
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const NodeRef node(graph, id);
        const ops::OperatorKind kind = node->removed ? ops::OperatorKind() : ops::kindOf(node);
        const bool isExtended = kind == ops::kind::add && node.opName().ends_with('_') && node.outputCount() == 1
            && isListOrTuple(node.output(0));
        const bool isListOfModule =
            kind == ops::kind::getAttribute && node.outputCount() == 1 && isListOrTuple(node.output(0));
        if (isExtended || isListOfModule || std::ranges::contains(changing, kind))
            return true;
    }
    return false;
}

passes::Pass containerReading(std::vector<std::string> &lost)
{
    const auto run = [&lost](rewrite::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
        FollowedContainers(rewriter, lost).run();
        return {};
    };
    return {"read-containers", "Reads what is in lists, dictionaries and objects in order.", {}, run, false};
}

} // namespace cutaway::convert
