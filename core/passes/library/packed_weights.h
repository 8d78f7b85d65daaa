// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::passes {

/// The path of an object of the file that is read attribute by attribute from the object which the function is given.
std::optional<std::string> objectPath(rewrite::Rewriter &rewriter, const ir::Operand &object);

/// The contents of a packed weight: an object of torch.classes.quantized for a convolution or linear layer.
class PackedWeight {
public:
    /// The packed weight that an attribute of the file's modules is; nothing if it is none, or its weight is not
    /// quantized.
    static std::optional<PackedWeight> of(rewrite::Rewriter &rewriter, const ir::Operand &object);

    /// Makes the layer of floats before `next`: its weight is dequantized, and its bias is rounded to multiples of the
    /// product of both scales where the input's is known. Nothing if the file lacks bytes.
    std::optional<ir::ValueId> applied(rewrite::Rewriter &rewriter, const ir::NodeRef &next, const ir::Operand &input,
                                       std::optional<double> inputScale, ir::TypeId result) const;

private:
    struct Convolution {
        std::vector<std::int64_t> stride, padding, dilation, outputPadding;
        std::int64_t groups = 1;
        bool isTransposed = false;
    };
    struct Weight {
        ir::ValueId value;
        std::vector<double> scales; ///< one, or one per channel of the result
    };
    PackedWeight ofLines() const;
    static std::optional<Convolution> convolutionOf(const ir::Model &model, ir::TensorId numbers);
    static std::optional<Convolution> convolutionOf(const ir::Model &model,
                                                    const std::map<std::string, ir::Operand> &parts);
    std::optional<Weight> dequantized(rewrite::Rewriter &rewriter, const ir::NodeRef &next) const;
    std::optional<ir::Operand> roundedBias(rewrite::Rewriter &rewriter, const ir::NodeRef &next,
                                           const std::vector<double> &scales) const;

    ir::TensorId m_weight;
    std::optional<ir::TensorId> m_bias;
    std::optional<Convolution> m_convolution; ///< nothing: a linear layer
};

} // namespace cutaway::passes
