// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/activation.h"
#include "core/ops/network/convolution.h"
#include "core/ops/network/matrix_product.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/passes/fusing.h"
#include "core/passes/left_over.h"
#include "core/passes/matching.h"

#include <algorithm>
#include <limits>

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;

struct FusedActivation {
    std::string_view name;
    std::vector<double> numbers = {};
};

class ActivationFusion {
public:
    ActivationFusion(rewrite::Rewriter &rewriter, const Settings &settings)
        : m_rewriter(rewriter),
          m_matching(rewriter),
          m_mayUseContrib(settings.flag("contrib"))
    {
    }

    void run()
    {
        LeftOver left;
        for (const NodeRef node : m_rewriter.nodes()) {
            if (node.dialect() != "onnx" || !m_matching.isPlain(node))
                continue;
            const auto activation = activationOf(node);
            const auto layer = activation ? m_matching.ownMaker(m_matching.operand(node, 0), node) : std::nullopt;
            if (!layer || !isLayer(*layer, *activation))
                continue;
            if (m_mayUseContrib) {
                takeIn(*layer, node, *activation);
                left.done();
            } else {
                left.leave("only ONNX Runtime has operators for them; see the option contrib");
            }
        }
        m_rewriter.remark(left.print("activations are not fused into the layer before them"));
    }

private:
    std::optional<FusedActivation> activationOf(const NodeRef &node)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        if (kind == ops::kind::relu)
            return FusedActivation{"Relu"};
        if (kind == ops::kind::sigmoid)
            return FusedActivation{"Sigmoid"};
        if (kind == ops::kind::tanh)
            return FusedActivation{"Tanh"};
        if (kind == ops::kind::leakyRelu)
            return FusedActivation{"LeakyRelu", {attribute(node, "alpha", 0.01)}};
        if (kind == ops::kind::hardSigmoid)
            return FusedActivation{"HardSigmoid", {attribute(node, "alpha", 0.2), attribute(node, "beta", 0.5)}};
        return kind == ops::kind::clamp ? clip(node) : std::nullopt;
    }

    static double attribute(const NodeRef &node, std::string_view name, double defaultValue)
    {
        const Operand *given = node.argument(name);
        const auto *number = given ? given->as<double>() : nullptr;
        return number ? *number : defaultValue;
    }

    std::optional<FusedActivation> clip(const NodeRef &node)
    {
        using Limits = std::numeric_limits<float>;
        const auto bounds = m_matching.bounds(node);
        if (!bounds)
            return std::nullopt;
        return FusedActivation{
            "Clip", {std::max<double>(bounds->low, Limits::lowest()), std::min<double>(bounds->high, Limits::max())}};
    }

    /// Whether the activation can be fused into the node. FusedGemm has no activations with bounds. FusedConv and
    /// FusedGemm take float32 on every device.
    bool isLayer(const NodeRef &node, const FusedActivation &activation)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        const auto type = m_matching.tensor(node.output(0));
        return type && type->dtype == ir::DType::Float32
            && (kind == ops::kind::conv || (kind == ops::kind::gemm && activation.name != "Clip"));
    }

    void takeIn(const NodeRef &layer, const NodeRef &node, const FusedActivation &activation)
    {
        const bool isConvolution = m_rewriter.kind(layer) == ops::kind::conv;
        std::vector<ir::Argument> arguments = layer->arguments;
        arguments.push_back({m_rewriter.text("activation"), ir::String{m_rewriter.text(activation.name)}});
        if (isConvolution && !activation.numbers.empty()) {
            ir::List numbers{.items = {activation.numbers.begin(), activation.numbers.end()}};
            arguments.push_back({m_rewriter.text("activation_params"), std::move(numbers)});
        }
        static constexpr std::array names{"activation_alpha", "activation_beta"};
        for (std::size_t i = 0; !isConvolution && i < activation.numbers.size(); ++i)
            arguments.push_back({m_rewriter.text(names[i]), activation.numbers[i]});
        fuse(m_rewriter, {layer, node}, node,
             {.dialect = "com.microsoft",
              .name = isConvolution ? "FusedConv" : "FusedGemm",
              .arguments = std::move(arguments)});
        m_rewriter.remove(node);
        m_rewriter.remove(layer);
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
    bool m_mayUseContrib;
};

} // namespace

extern const Pass fuseActivations;
const Pass fuseActivations{
    "fuse-activations",
    "Fuses activations into the convolution or matrix product before them, with ONNX Runtime's own operators.",
    {{"contrib", "whether these may be used: the standard has no such operators", false}},
    runOf<ActivationFusion>,
    false};

} // namespace cutaway::passes
