// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/module_state.h"

#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/rewriter.h"

#include <algorithm>
#include <map>

namespace cutaway::convert {

namespace {

using ir::NodeRef;
using ir::Operand;

/// The path of the attribute below the object that the function is given; nothing of other objects.
std::optional<std::string> pathOf(const NodeRef &node)
{
    const Operand *self = node.argument("self"), *name = node.argument("name");
    const auto *object = self ? self->as<ir::ValueId>() : nullptr;
    const auto *text = name ? name->as<ir::String>() : nullptr;
    if (!object || !text || ir::ValueRef(node.graph(), *object).producer())
        return std::nullopt;
    return std::string(node.graph().context().text(text->text));
}

std::optional<ir::TensorId> tensorNamed(const ir::Model &model, std::string_view name)
{
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i)
        if (model.context->text(model.tensors[i].name) == name)
            return ir::TensorId{i};
    return std::nullopt;
}

ir::TensorType storedType(const ir::Tensor &tensor)
{
    ir::TensorType type;
    type.dtype = tensor.dtype;
    type.shape = ir::Shape(tensor.shape.begin(), tensor.shape.end());
    return type;
}

/// A copy of the tensor: a write in place to the attribute writes to the copy.
Operand copyOfTensor(passes::Rewriter &rewriter, ir::TensorId id, const NodeRef &next)
{
    const ir::Tensor &tensor = rewriter.model().at(id);
    const ir::TypeId type = rewriter.context().type(storedType(tensor));
    const ir::ValueId weight = rewriter.weight(id, tensor.name, type);
    return rewriter.makeBefore(next.id(), {.dialect = "aten", .name = "clone", .arguments = {{{}, weight}}}, type);
}

} // namespace

bool setsAttributesInOrder(const ir::Graph &graph)
{
    bool sets = false;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const NodeRef node(graph, id);
        const ops::OperatorKind kind = node->removed ? ops::OperatorKind() : ops::kindOf(node);
        if (kind == ops::kind::callMethod)
            return false;
        if (kind != ops::kind::setAttribute)
            continue;
        if (node->parent != ir::Graph::body || !pathOf(node))
            return false;
        sets = true;
    }
    return sets;
}

passes::Pass attributeReading(std::vector<std::string> &lost)
{
    const auto run = [&lost](passes::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
        std::map<std::string, Operand> held;
        for (const NodeRef node : rewriter.nodes()) {
            const ops::OperatorKind kind = rewriter.kind(node);
            const bool isSet = kind == ops::kind::setAttribute;
            const auto path = isSet || kind == ops::kind::getAttribute ? pathOf(node) : std::nullopt;
            if (!path || node->parent != ir::Graph::body)
                continue;
            if (const Operand *value = isSet ? node.argument("value") : nullptr) {
                held.insert_or_assign(*path, *value);
                if (!std::ranges::contains(lost, *path))
                    lost.push_back(*path);
                rewriter.remove(node.id());
                continue;
            }
            const auto tensor = tensorNamed(rewriter.model(), *path);
            if (isSet || (!tensor && !held.contains(*path)))
                continue;
            if (!held.contains(*path))
                held.emplace(*path, copyOfTensor(rewriter, *tensor, node));
            rewriter.replaceUses(node.output(0).id(), held.at(*path));
            rewriter.remove(node.id());
        }
        return {};
    };
    return {"read-attributes", "Reads attributes of modules in order.", {}, run, false};
}

} // namespace cutaway::convert
