// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/model.h"
#include "core/layout/diagram.h"

#include <string>
#include <string_view>
#include <vector>

/// A model with one function, written down call by call.
class Net {
public:
    Net()
    {
        model.context = std::make_shared<cutaway::ir::Context>();
        model.functions.emplace_back(cutaway::ir::Function{.name = model.context->name("forward"),
                                                           .kind = cutaway::ir::Function::Kind::Main,
                                                           .graph = cutaway::ir::Graph(model.context),
                                                           .inputs = {},
                                                           .outputs = {},
                                                           .attributes = {},
                                                           .documentation = {}});
    }

    cutaway::ir::Graph &graph() { return model.functions[0].graph; }

    cutaway::ir::ValueId input(std::string_view name)
    {
        const auto value = graph().addInput(cutaway::ir::Graph::body, model.context->name(name), tensor());
        cutaway::ir::FunctionInput signature;
        signature.name = model.context->name(name);
        signature.value = value;
        model.functions[0].inputs.push_back(std::move(signature));
        return value;
    }

    cutaway::ir::ValueId weight(std::string_view name, std::vector<std::int64_t> shape)
    {
        cutaway::ir::Tensor tensor;
        tensor.name = model.context->name(name);
        tensor.kind = cutaway::ir::Tensor::Kind::Parameter;
        tensor.shape = std::move(shape);
        model.storages.push_back({});
        model.tensors.push_back(tensor);
        const cutaway::ir::TensorId id{static_cast<std::uint32_t>(model.tensors.size() - 1)};
        return graph().addWeight(cutaway::ir::Graph::body, tensor.name, {}, id);
    }

    /// "a.b" → the module b in the module a
    cutaway::ir::ScopeId scope(std::string_view path, std::string_view className = "")
    {
        cutaway::ir::ScopeId at{};
        while (!path.empty()) {
            const std::string_view name = path.substr(0, path.find('.'));
            path.remove_prefix(std::min(path.size(), name.size() + 1));
            at = model.context->childScope(at, name, path.empty() ? className : "");
        }
        return at;
    }

    cutaway::ir::NodeId append(cutaway::ir::RegionId region, std::string_view op, cutaway::ir::ScopeId where,
                               const std::vector<cutaway::ir::ValueId> &read)
    {
        cutaway::ir::NodeDraft draft;
        draft.op = model.context->op("aten", op);
        draft.scope = where;
        for (const auto value : read)
            draft.arguments.push_back({.name = model.context->name("x"), .value = value});
        return graph().append(region, std::move(draft));
    }

    /// A node with one output.
    cutaway::ir::ValueId call(std::string_view op, std::string_view path, const std::vector<cutaway::ir::ValueId> &read)
    {
        return call(op, scope(path), read);
    }
    cutaway::ir::ValueId call(std::string_view op, cutaway::ir::ScopeId where,
                              const std::vector<cutaway::ir::ValueId> &read,
                              cutaway::ir::RegionId region = cutaway::ir::Graph::body)
    {
        const auto node = append(region, op, where, read);
        return graph().addOutput(node, model.context->name(std::string(op) + std::to_string(node.index)), tensor());
    }

    void output(cutaway::ir::ValueId value) { graph().setOutputs(cutaway::ir::Graph::body, {value}); }

    cutaway::ir::Model model;

private:
    cutaway::ir::TypeId tensor()
    {
        using namespace cutaway::ir;
        TensorType type;
        type.dtype = DType::Float32;
        type.shape = Shape{std::int64_t{1}, std::int64_t{8}};
        return model.context->type(type);
    }
};

/// The boxes, one per line and indented by depth, then the edges: "x -> conv2d (1)", "~>" for a stub and "..>" where
/// hidden nodes are between; an open box in brackets.
inline std::string print(const cutaway::layout::Diagram &diagram)
{
    using namespace cutaway::layout;
    const auto title = [&](const Box &box) {
        const std::string text = box.lines.empty() ? "?" : box.lines[0].text;
        return box.open ? "[" + text + "]" : text;
    };
    std::string out;
    for (const Box &box : diagram.boxes)
        out += std::string(static_cast<std::size_t>(box.depth) * 2, ' ') + title(box) + "\n";
    for (const Edge &edge : diagram.edges)
        out += title(diagram.boxes[edge.from])
            + (edge.form == Edge::Form::Stub ? " ~> "
                   : edge.isBridge           ? " ..> "
                                             : " -> ")
            + title(diagram.boxes[edge.to]) + " (" + std::to_string(edge.values.size()) + ")\n";
    return out;
}

/// Returns defects of a picture: overlapping neighbours, contents outside their box, text on boxes; one line each.
inline std::string faults(const cutaway::layout::Diagram &diagram)
{
    using namespace cutaway::layout;
    std::string out;
    const auto name = [&](std::size_t i) { return "box " + std::to_string(i) + " " + diagram.boxes[i].lines[0].text; };
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i) {
        const Box &box = diagram.boxes[i];
        const Rect around = box.parent ? diagram.boxes[*box.parent].rect : diagram.bounds;
        if (!around.contains({box.rect.x, box.rect.y}) || !around.contains({box.rect.right(), box.rect.bottom()}))
            out += name(i) + " stands out\n";
        for (std::size_t k = 0; k < i; ++k)
            if (diagram.boxes[k].parent == box.parent && diagram.boxes[k].rect.intersects(box.rect))
                out += name(i) + " overlaps " + name(k) + "\n";
        for (const Edge &edge : diagram.edges)
            if (edge.labelRect && !box.open && edge.labelRect->intersects(box.rect))
                out += "label " + edge.label + " on " + name(i) + "\n";
    }
    for (const Edge &edge : diagram.edges)
        if (edge.points.size() % 3 != 1)
            out += "an edge with " + std::to_string(edge.points.size()) + " points\n";
    return out;
}
