// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/signature_readers.h"

#include "core/ir/node_ref.h"
#include "core/ir/operands.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>
#include <string_view>

namespace cutaway::passes {

namespace {

template <class Visit>
void forEachNode(const ir::Model &model, const Visit &visit)
{
    for (const ir::Function &function : model.functions)
        for (ir::NodeId id{0}; id.index < function.graph.nodeCount(); ++id.index)
            if (!function.graph.at(id).removed)
                visit(ir::NodeRef(function.graph, id));
}

std::string_view lastOf(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return dot == path.npos ? path : path.substr(dot + 1);
}

/// Tensors by attribute name: a reader of a name reads all tensors that have it.
class Readers {
public:
    explicit Readers(const ir::Model &model) : m_model(model) { }

    std::unordered_set<ir::TensorId> run()
    {
        forEachNode(m_model, [this](const ir::NodeRef &node) { read(node); });
        for (const ir::Function &function : m_model.functions)
            read(function);
        for (std::uint32_t i = 0; i < m_model.tensors.size(); ++i)
            if (isAskedFor(text(m_model.tensors[i].name)))
                add({i});
        return std::move(m_read);
    }

private:
    std::string_view text(ir::NameId name) const { return m_model.context->text(name); }

    /// Whether a name that code reads is a part of the path: an object of that name may contain
    /// "conv._packed_params.weight".
    bool isAskedFor(std::string_view path) const
    {
        for (; !path.empty(); path.remove_suffix(std::min(path.size(), lastOf(path).size() + 1)))
            if (m_attributes.contains(lastOf(path)))
                return true;
        return false;
    }

    void add(ir::TensorId tensor)
    {
        if (m_read.insert(tensor).second)
            for (const ir::TensorId part : m_model.at(tensor).parts)
                add(part);
    }

    void read(const ir::NodeRef &node)
    {
        const bool asksByName =
            ops::kindOf(node) == ops::kind::getAttribute || ops::kindOf(node) == ops::kind::setAttribute;
        for (const ir::Argument &argument : node->arguments)
            ir::forEachOperand(argument.value, [&](const ir::Operand &operand) {
                if (const auto *tensor = operand.as<ir::TensorId>())
                    add(*tensor);
                if (const auto *object = operand.as<ir::ObjectId>())
                    m_attributes.insert(lastOf(text(m_model.at(*object).name)));
                if (const auto *path = asksByName ? operand.as<ir::String>() : nullptr)
                    m_attributes.insert(lastOf(text(path->text)));
            });
    }

    void read(const ir::Function &function)
    {
        for (ir::ValueId id{0}; id.index < function.graph.valueCount(); ++id.index) {
            const ir::ValueRef value(function.graph, id);
            if (const auto weight = value.weight(); weight && !value->uses.empty())
                add(*weight);
        }
        for (const ir::FunctionInput &input : function.inputs)
            if (input.tensor)
                add(*input.tensor);
    }

    const ir::Model &m_model;
    std::unordered_set<std::string_view> m_attributes;
    std::unordered_set<ir::TensorId> m_read;
};

} // namespace

bool mayBeCalled(const ir::Model &model, const ir::Function &function)
{
    const ir::Context &context = *model.context;
    const std::string_view name = lastOf(context.text(function.name));
    bool found = false;
    forEachNode(model, [&](const ir::NodeRef &node) {
        const bool isMethodCall = ops::kindOf(node) == ops::kind::callMethod;
        for (const ir::Argument &argument : node->arguments) {
            const auto *callee = argument.value.as<ir::FunctionId>();
            const auto *method = isMethodCall ? argument.value.as<ir::String>() : nullptr;
            found = found || (callee && &model.at(*callee) == &function)
                || (method && function.kind != ir::Function::Kind::Free && context.text(method->text) == name);
        }
    });
    return found;
}

bool isTargetOfOutput(const ir::Function &function, ir::NameId name)
{
    return name != ir::NameId{} && std::ranges::contains(function.outputs, name, &ir::FunctionOutput::target);
}

std::unordered_set<ir::TensorId> readTensors(const ir::Model &model) { return Readers(model).run(); }

} // namespace cutaway::passes
