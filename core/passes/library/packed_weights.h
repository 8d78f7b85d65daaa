// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::passes {

/// Returns the path of an object of the file, from the object that the function is called on: the names of the
/// attributes that code reads one after the other. Nothing if the object is made in another way.
std::optional<std::string> objectPath(rewrite::Rewriter &rewriter, const ir::Operand &object);

/// The contents of a packed weight: an object of torch.classes.quantized for a convolution or linear layer.
class PackedWeight {
public:
    /// Returns the packed weight that `object`, an attribute of one of the file's modules, stands for; nothing if it is
    /// no packed weight, or if its weight is not quantized.
    static std::optional<PackedWeight> of(rewrite::Rewriter &rewriter, const ir::Operand &object);

    /// Makes the layer with floats before `next`, and returns its result: the weight is dequantized, and the bias is
    /// rounded to multiples of `inputScale` times the scale of the weight, if `inputScale` is known. Nothing if the
    /// file lacks bytes.
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
        std::vector<double> scales; ///< one scale, or one for each channel of the result
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
    std::optional<Convolution> m_convolution; ///< the attributes of a convolution; nothing for a linear layer
};

} // namespace cutaway::passes
