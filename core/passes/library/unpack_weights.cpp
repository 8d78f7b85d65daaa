// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/library/unpack_weights.h"

#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ir/objects/object_parts.h"
#include "core/passes/library/packed_weights.h"
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <array>

// torch.utils.mobile_optimizer packs the weight, bias and settings of a layer, and the range that follows it, into an
// object of XNNPACK, which the file keeps as it was given.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;

struct Layer {
    std::string_view packed;  ///< the operator on packed weights, in the dialect prepacked
    std::string_view packing; ///< the operator that packs the weights, where the graph does that
    std::string_view plain;   ///< the operator on plain weights, in the dialect aten
    std::string_view overload;
    std::array<std::string_view, 5> settings;
};

constexpr Layer layers[] = {
    {"conv2d_clamp_run", "conv2d_clamp_prepack", "conv2d", "", {"stride", "padding", "dilation", "groups"}},
    {"conv2d_transpose_clamp_run",
     "conv2d_transpose_clamp_prepack",
     "conv_transpose2d",
     "input",
     {"stride", "padding", "output_padding", "groups", "dilation"}},
    {"linear_clamp_run", "linear_clamp_prepack", "linear", "", {}},
};

const Layer *layerOf(const NodeRef &node)
{
    const auto *known =
        node.dialect() == "prepacked" ? std::ranges::find(layers, node.opName(), &Layer::packed) : std::end(layers);
    return known == std::end(layers) ? nullptr : known;
}

class Unpacking {
public:
    explicit Unpacking(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_objects(rewriter.model()) { }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes())
            if (const Layer *layer = m_rewriter.isRemoved(node.id()) ? nullptr : layerOf(node);
                layer && !unpack(node, *layer))
                m_rewriter.remark(
                    formatted("{} stays: what is packed into its weight is not in the file", node.fullName()));
    }

private:
    /// Returns the part `name` of the node's packed object, which may be None; nothing if the part is not known.
    std::optional<Operand> part(const NodeRef &node, const Layer &layer, std::string_view name)
    {
        const Operand *object = m_rewriter.argument(node, "W_prepack");
        const auto value = object ? ir::valueOf(m_rewriter.graph(), object) : std::nullopt;
        const auto made = value ? value->producer() : std::nullopt;
        if (made && made->dialect() == "prepacked" && made->opName() == layer.packing) {
            const Operand *given = m_rewriter.argument(*made, name == "weight" ? "W" : name == "bias" ? "B" : name);
            return given ? *given : Operand();
        }
        const auto path = object ? objectPath(m_rewriter, *object) : std::nullopt;
        if (!path)
            return std::nullopt;
        const auto &parts = m_objects.of(*path);
        const auto found = std::ranges::find(parts, name, &ir::ObjectParts::Part::name);
        return found == parts.end() ? std::nullopt : std::optional(found->value);
    }

    bool unpack(const NodeRef &node, const Layer &layer)
    {
        const Operand *input = m_rewriter.argument(node, "X");
        auto weight = part(node, layer, "weight"), bias = part(node, layer, "bias");
        const auto least = part(node, layer, "output_min"), most = part(node, layer, "output_max");
        if (!input || !weight || weight->as<ir::None>() || !bias || !least || !most || node.outputCount() != 1)
            return false;
        std::vector<ir::Argument> arguments{{m_rewriter.text("input"), *input}};
        arguments.push_back({m_rewriter.text("weight"), asValue(*weight)});
        arguments.push_back({m_rewriter.text("bias"), asValue(*bias)});
        for (const std::string_view setting : layer.settings) {
            auto given = setting.empty() ? std::nullopt : part(node, layer, setting);
            if (!setting.empty() && (!given || given->as<ir::None>()))
                return false;
            if (given)
                arguments.push_back({m_rewriter.text(setting), std::move(*given)});
        }
        m_rewriter.from({node.id()});
        const ir::TypeId type = node.output(0)->type;
        ir::ValueId made = m_rewriter.makeBefore(
            node.id(),
            {.dialect = "aten", .name = layer.plain, .overload = layer.overload, .arguments = std::move(arguments)},
            type);
        if (!least->as<ir::None>() || !most->as<ir::None>())
            made = m_rewriter.makeBefore(node.id(),
                                         {.dialect = "aten",
                                          .name = "clamp",
                                          .arguments = {{m_rewriter.text("self"), made},
                                                        {m_rewriter.text("min"), *least},
                                                        {m_rewriter.text("max"), *most}}},
                                         type);
        m_rewriter.replaceUses(node.output(0).id(), made);
        m_rewriter.remove(node.id());
        return true;
    }

    Operand asValue(const Operand &part)
    {
        const auto *id = part.as<ir::TensorId>();
        if (!id)
            return part;
        const ir::Tensor &tensor = m_rewriter.model().at(*id);
        ir::TensorType type;
        type.dtype = tensor.dtype;
        type.shape = ir::Shape(tensor.shape.begin(), tensor.shape.end());
        return m_rewriter.weight(*id, tensor.name, m_rewriter.context().type(type));
    }

    rewrite::Rewriter &m_rewriter;
    const ir::ObjectParts m_objects;
};

Result<void> runUnpackWeights(rewrite::Rewriter &rewriter, const Settings &)
{
    unpackWeights(rewriter);
    return {};
}

} // namespace

bool hasPackedLayers(const ir::Graph &graph)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const NodeRef node(graph, id); !node->removed && layerOf(node))
            return true;
    return false;
}

void unpackWeights(rewrite::Rewriter &rewriter) { Unpacking(rewriter).run(); }

extern const Pass unpackPackedWeights;
const Pass unpackPackedWeights{"unpack-weights",
                               "Replaces layers of packed weights, as of mobile models, by plain ones.",
                               {},
                               runUnpackWeights,
                               false};

} // namespace cutaway::passes
