// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/optimizing/peephole.h"

#include "core/base/checked.h"
#include "core/formats/torchscript/lowering/folding.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

namespace {

const ir::Operand *firstOf(const ir::NodeRef &node)
{
    return node->arguments.empty() ? nullptr : &node->arguments.front().value;
}

bool isConstant(const ir::Operand &operand)
{
    bool reads = operand.as<ir::TensorId>() != nullptr;
    forEachValue(operand, [&](ir::ValueId) { reads = true; });
    return !reads;
}

/// Returns the items of a slice; nothing if its bounds are not constants.
std::optional<std::vector<ir::Operand>> sliced(const ir::NodeRef &node, const std::vector<ir::Operand> &items)
{
    const auto bound = [&](std::string_view name, std::int64_t missing) -> std::optional<std::int64_t> {
        const ir::Operand *operand = node.argument(name);
        if (!operand || operand->as<ir::None>())
            return missing;
        const auto *number = operand->as<std::int64_t>();
        return number ? std::optional(*number) : std::nullopt;
    };
    const std::int64_t size = std::ssize(items);
    const auto start = bound("start", 0), end = bound("end", size), step = bound("step", 1);
    if (!start || !end || !step || *step < 1)
        return std::nullopt;
    const auto clamped = [size](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
    std::vector<ir::Operand> taken;
    for (std::int64_t i = clamped(*start); i < clamped(*end); i += *step)
        taken.push_back(items[static_cast<std::size_t>(i)]);
    return taken;
}

} // namespace

CallStack::Changes Peephole::run()
{
    std::vector<ir::NodeId> concatenations;
    for (const ir::NodeId id : m_builder.peepholeNodes(m_first)) {
        const ir::NodeRef node(m_graph, id);
        if (node->removed || node->arguments.empty())
            continue;
        if (node.opName() == "cat")
            concatenations.push_back(id);
        else if (!m_builder.isBehindCast(id, m_level))
            simplify(node);
    }
    combine(concatenations);
    foldUsers();
    return m_changes;
}

bool Peephole::isUnwritten(ir::ValueId value)
{
    if (!m_aliases)
        m_aliases.emplace(m_graph, m_builder.region(), m_first, m_operators);
    return !m_aliases->isWritten(value);
}

/// Returns the node of this function that makes an operand, if it is of the operator `name`.
std::optional<ir::NodeRef> Peephole::making(const ir::Operand &operand, std::string_view name)
{
    const auto made = ir::valueOf(m_graph, &operand).and_then(&ir::ValueRef::producer);
    return made && made->id() >= m_first && made->opName() == name ? made : std::nullopt;
}

/// Returns the items of a list that is made in this function and not changed.
std::optional<Peephole::Items> Peephole::listItems(const ir::Operand &operand)
{
    const auto made = making(operand, "ListConstruct");
    if (!made || m_builder.isOpaque(*made) || !isUnwritten(*operand.as<ir::ValueId>()))
        return std::nullopt;
    Items items;
    for (const ir::Argument &argument : (*made)->arguments)
        items.push_back(argument.value);
    return items;
}

/// Returns the value of a key, if all keys are constants and no two are equal.
std::optional<ir::Operand> Peephole::entry(const ir::NodeRef &dict, const ir::Operand &key)
{
    std::optional<ir::Operand> found;
    for (std::size_t i = 0; i + 1 < dict->arguments.size(); i += 2) {
        if (!isConstant(dict->arguments[i].value) || (found && dict->arguments[i].value == key))
            return std::nullopt;
        if (dict->arguments[i].value == key)
            found = dict->arguments[i + 1].value;
    }
    return found;
}

/// Returns the value of a node's only result, if it is known.
std::optional<ir::Operand> Peephole::valueOf(const ir::NodeRef &node)
{
    const std::string_view name = node.opName();
    const ir::Operand &object = *firstOf(node);
    if (name == "dim")
        return rankOf(object);
    if (name == "len")
        return lengthOf(object);
    if (name != "__getitem__" || node->arguments.size() < 2)
        return std::nullopt;
    const ir::Operand &index = node->arguments[1].value;
    if (const auto dict = making(object, "DictConstruct"); dict && isUnwritten(*object.as<ir::ValueId>()))
        return isConstant(index) ? entry(*dict, index) : std::nullopt;
    const auto *number = index.as<std::int64_t>();
    const auto items = number ? listItems(object) : std::nullopt;
    const auto at = items ? pythonIndex(*number, items->size()) : std::nullopt;
    return at ? std::optional((*items)[*at]) : std::nullopt;
}

/// Returns the rank of a tensor that a convolution makes.
std::optional<ir::Operand> Peephole::rankOf(const ir::Operand &tensor)
{
    for (const auto &[convolution, rank] : {std::pair("conv1d", 3), {"conv2d", 4}, {"conv3d", 5}})
        if (making(tensor, convolution) && isUnwritten(*tensor.as<ir::ValueId>()))
            return ir::Operand(std::int64_t{rank});
    return std::nullopt;
}

std::optional<ir::Operand> Peephole::lengthOf(const ir::Operand &container)
{
    const auto dict = making(container, "DictConstruct");
    if (dict && (*dict)->arguments.empty() && isUnwritten(*container.as<ir::ValueId>()))
        return ir::Operand(std::int64_t{0});
    const auto items = listItems(container);
    return items ? std::optional<ir::Operand>(std::ssize(*items)) : std::nullopt;
}

void Peephole::simplify(const ir::NodeRef &node)
{
    const ir::Operand &first = *firstOf(node);
    const std::string_view name = node.opName();
    if (name == "add")
        return makeList(node, listSum(node));
    if (!first.as<ir::ValueId>())
        return;
    if (name == "ListUnpack") {
        const auto items = listItems(first);
        for (std::size_t i = 0; items && items->size() == node.outputCount() && i < items->size(); ++i)
            replace(node.output(i), (*items)[i]);
    } else if (name == "slice") {
        const auto items = listItems(first);
        makeList(node, items ? sliced(node, *items) : std::nullopt);
    } else if (const auto value = node.outputCount() == 1 ? valueOf(node) : std::nullopt) {
        replace(node.output(0), *value);
    }
}

/// Returns the items of the list that an addition of two lists makes.
std::optional<Peephole::Items> Peephole::listSum(const ir::NodeRef &addition)
{
    const auto itemsOf = [&](const ir::Operand &operand) {
        const auto *literal = m_builder.isOpaque(addition) ? nullptr : operand.as<ir::List>();
        return literal ? std::optional<Items>(literal->items) : listItems(operand);
    };
    auto items = addition->arguments.size() > 1 ? itemsOf(*firstOf(addition)) : std::nullopt;
    const auto more = items ? itemsOf(addition->arguments[1].value) : std::nullopt;
    if (!more)
        return std::nullopt;
    items->insert(items->end(), more->begin(), more->end());
    return items;
}

/// Turns the node into one that makes a list of `items`; leaves it as it is if they are not known.
void Peephole::makeList(const ir::NodeRef &node, std::optional<Items> items)
{
    if (!items)
        return;
    std::vector<ir::Argument> arguments;
    for (ir::Operand &item : *items)
        arguments.push_back(m_builder.argument("", std::move(item)));
    m_graph.setOperator(node, m_graph.context().op("prim", "ListConstruct"));
    m_graph.setArguments(node, std::move(arguments));
    m_changes.byPeephole = true;
}

void Peephole::replace(ir::ValueId value, const ir::Operand &by)
{
    m_changes.byPeephole = true;
    if (isConstant(by))
        for (const ir::Use &use : m_graph.at(value).uses)
            if (const auto *user = std::get_if<ir::NodeId>(&use))
                m_users.push_back(*user);
    m_graph.replaceUses(value, by);
    replaceValue(m_result, value, by);
}

/// Folds nodes that have only constant operands, and takes the branches whose conditions become known. A node stays
/// if torch does not know one of its operands here, such as one that comes from the caller or an attribute.
void Peephole::foldUsers()
{
    while (!m_users.empty()) {
        const ir::NodeRef node(m_graph, m_users.back());
        m_users.pop_back();
        if (node->removed)
            continue;
        if (node.opName() == "If") {
            if (const auto *condition = node->regions.size() == 2 ? firstOf(node)->as<bool>() : nullptr)
                takeBranch(node, *condition);
            continue;
        }
        std::vector<Typed> arguments;
        for (const ir::Argument &argument : node->arguments)
            arguments.push_back({argument.value, {}, {}, Typed::Constant::Written});
        const bool isKnown = node.outputCount() == 1 && !m_builder.isOpaque(node)
            && std::ranges::all_of(arguments, [](const Typed &argument) { return isConstant(argument.operand); });
        const auto value = isKnown ? fold(m_graph.context(), node.dialect(), node.opName(), arguments) : std::nullopt;
        if (!value)
            continue;
        m_changes.byConstants = true;
        replace(node.output(0), *value);
    }
}

/// Replaces a branch by the nodes of the side that is taken.
void Peephole::takeBranch(const ir::NodeRef &branch, bool condition)
{
    m_changes.byConstants = true;
    const ir::RegionId taken = branch->regions[condition ? 0 : 1];
    const std::vector<ir::Operand> results = m_graph.at(taken).outputs;
    m_graph.setOutputs(taken, {});
    for (std::size_t i = 0; i < branch.outputCount(); ++i)
        replace(branch.output(i), i < results.size() ? results[i] : ir::Operand());
    std::vector<ir::NodeId> order;
    for (const ir::NodeId node : m_graph.at(branch->parent).nodes) {
        if (node == branch.id())
            order.insert(order.end(), m_graph.at(taken).nodes.begin(), m_graph.at(taken).nodes.end());
        order.push_back(node);
    }
    std::vector<ir::RegionOrder> orders;
    orders.push_back({branch->parent, std::move(order)});
    orders.push_back({taken, {}});
    m_graph.reorder(std::move(orders));
    m_graph.remove(branch);
}

/// Returns the concatenation along the same axis into which `concatenation` can be merged, because nothing else uses
/// the result of `concatenation`. Returns nothing if there is none.
std::optional<ir::NodeId> Peephole::concatenationOf(const ir::NodeRef &concatenation)
{
    const auto axisOf = [](const ir::NodeRef &node) -> std::optional<std::int64_t> {
        const ir::Operand *axis = node.argument("dim");
        if (!axis)
            return 0;
        const auto *number = axis->as<std::int64_t>();
        return number ? std::optional(*number) : std::nullopt;
    };
    const auto onlyUser = [this](ir::ValueId value) -> std::optional<ir::NodeRef> {
        const auto &uses = m_graph.at(value).uses;
        bool isResult = false;
        forEachValue(m_result, [&](ir::ValueId result) { isResult |= result == value; });
        const auto *user = uses.size() == 1 && !isResult ? std::get_if<ir::NodeId>(&uses[0]) : nullptr;
        return user ? std::optional(ir::NodeRef(m_graph, *user)) : std::nullopt;
    };
    auto user = concatenation.outputCount() == 1 ? onlyUser(concatenation.output(0)) : std::nullopt;
    if (user && user->opName() == "ListConstruct")
        user = onlyUser(user->output(0));
    if (!user || user->opName() != "cat" || user->outputCount() != 1 || (*user)->arguments.empty())
        return std::nullopt;
    const auto axis = axisOf(concatenation);
    return axis && axis == axisOf(*user) ? std::optional(user->id()) : std::nullopt;
}

std::optional<Peephole::Items> Peephole::concatenated(const ir::NodeRef &concatenation)
{
    const ir::Operand &tensors = *firstOf(concatenation);
    if (const auto *list = tensors.as<ir::List>())
        return list->items;
    return listItems(tensors);
}

/// Turns cat([a, cat([b, c]), d]) into cat([a, b, c, d]). If two concatenations are in one list, torch merges only the
/// first.
void Peephole::combine(const std::vector<ir::NodeId> &concatenations)
{
    std::vector<std::pair<ir::NodeId, Items>> combined;
    for (const ir::NodeId id : concatenations) {
        const ir::NodeRef inner(m_graph, id);
        const auto outer = concatenationOf(inner);
        const auto items = outer ? concatenated(inner) : std::nullopt;
        const auto around = items ? concatenated(ir::NodeRef(m_graph, *outer)) : std::nullopt;
        if (!around)
            continue;
        const auto known = std::ranges::find(combined, id, &std::pair<ir::NodeId, Items>::first);
        Items all = *items;
        if (known != combined.end()) {
            all = std::move(known->second);
            combined.erase(known);
        }
        const auto at = std::ranges::find(*around, ir::Operand(inner.output(0).id()));
        all.insert(all.begin(), around->begin(), at);
        if (at != around->end())
            all.insert(all.end(), at + 1, around->end());
        if (!std::ranges::contains(combined, *outer, &std::pair<ir::NodeId, Items>::first))
            combined.emplace_back(*outer, std::move(all));
    }
    for (auto &[id, items] : combined) {
        std::vector<ir::Argument> arguments = m_graph.at(id).arguments;
        arguments.front().value = ir::List{std::move(items), ir::List::Kind::List};
        m_graph.setArguments(id, std::move(arguments));
        m_changes.byConstants = true; // dead code is then removed with knowledge of all aliases: see UnreadWrites
    }
}

} // namespace cutaway::formats::torchscript
