// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/written_values.h"

#include "core/analysis/reading/written.h"
#include "core/ops/program/container.h"

#include <algorithm>

namespace cutaway::convert {

namespace {

using ir::NodeRef;
using ir::ValueId;

bool isList(const ir::ValueRef &value)
{
    const auto *type = std::get_if<ir::CompoundType>(&value.type());
    return type && type->kind == ir::CompoundType::Kind::List;
}

std::optional<ValueId> appendedTo(const NodeRef &node)
{
    if (ops::kindOf(node) != ops::kind::append || node->arguments.empty())
        return std::nullopt;
    const auto *list = node->arguments.front().value.as<ValueId>();
    return list ? std::optional(*list) : std::nullopt;
}

/// Whether a node's schema says that no result shares what it is given as this value.
bool givesNothingOn(const NodeRef &node, ValueId list, ops::Signatures &signatures)
{
    const ops::Signature *known = signatures.of(node->op);
    if (!known)
        return false;
    const auto sharesArgument = [&](const ops::SchemaArgument &declared) {
        const auto position = static_cast<std::size_t>(&declared - known->schema.arguments.data());
        const ir::Operand *given = node.argument(declared.name);
        if (!given && position < node->arguments.size() && node->arguments[position].name == ir::NameId{})
            given = &node->arguments[position].value;
        return given && *given == ir::Operand(list) && declared.type.alias;
    };
    return std::ranges::none_of(known->schema.arguments, sharesArgument);
}

/// Whether a node reads a list and neither keeps it nor gives it on.
bool onlyReads(const NodeRef &node, ValueId list, ops::Signatures &signatures)
{
    if (!node->regions.empty())
        return false;
    return givesNothingOn(node, list, signatures) || std::ranges::none_of(node->outputs, [&](ValueId output) {
               const ir::ValueRef value(node.graph(), output);
               return !value->uses.empty() && !value.tensorType() && !std::get_if<ir::NumberType>(&value.type());
           });
}

/// Whether all of a list's uses are appends and readers in the region of the node that makes it.
bool isGrownInOrder(const ir::Graph &graph, ValueId list, ops::Signatures &signatures)
{
    const auto maker = ir::ValueRef(graph, list).producer();
    if (!maker)
        return false;
    for (const ir::Use &use : graph.at(list).uses) {
        const auto *reader = std::get_if<ir::NodeId>(&use);
        if (!reader || graph.at(*reader).parent != (*maker)->parent)
            return false;
        const NodeRef node(graph, *reader);
        if (appendedTo(node) != list && !onlyReads(node, list, signatures))
            return false;
        if (appendedTo(node) == list
            && std::ranges::any_of(node->outputs, [&](ValueId output) { return !graph.at(output).uses.empty(); }))
            return false;
    }
    return true;
}

} // namespace

WrittenValues writtenValuesOf(const ir::Graph &graph, ops::Signatures &signatures)
{
    WrittenValues made;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const NodeRef node(graph, id);
        if (node->removed)
            continue;
        if (const auto list = appendedTo(node); list && isList({graph, *list})) {
            if (isGrownInOrder(graph, *list, signatures)) {
                made.grownLists.insert(*list);
                continue;
            }
        }
        const ops::Signature *known = signatures.of(node->op);
        if (known && std::ranges::any_of(known->schema.arguments, [](const auto &a) { return a.type.isWritten(); }))
            made.writers.insert(id);
    }
    if (!made.writers.empty())
        made.others = analysis::writtenValues(graph, signatures);
    return made;
}

std::optional<ValueId> grownBy(const NodeRef &node, const WrittenValues &written)
{
    const auto list = appendedTo(node);
    return list && written.grownLists.contains(*list) ? list : std::nullopt;
}

} // namespace cutaway::convert
