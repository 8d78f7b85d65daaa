// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/parameters.h"
#include "core/formats/onnx/write/kept_texts.h"
#include "core/formats/onnx/write/weight_placement.h"
#include "core/ir/context.h"
#include "core/ir/model.h"

#include <unordered_set>

namespace cutaway::formats::onnx {

/// The state that the parts of the writer share: the model, and where its weights go. The parts throw Unusable for what
/// ONNX cannot express.
class Writing {
public:
    Writing(const ir::Model &model, WeightPlacement placement)
        : model(model),
          texts(model),
          placement(std::move(placement)),
          m_areParameters(parametersByUse(model))
    {
        for (const ir::Module &module : model.modules)
            m_listed.insert(module.tensors.begin(), module.tensors.end());
    }

    const ir::Model &model;
    KeptTexts texts;
    WeightPlacement placement;
    std::vector<std::pair<ir::TensorId, std::string>> weights = {}; ///< the weights that were written, with their names

    std::string_view text(ir::NameId name) const { return model.context->text(name); }

    /// Whether the module tree contains the tensor: it contains every initializer and no constant.
    bool isListed(ir::TensorId tensor) const { return m_listed.contains(tensor); }
    /// Whether the reader would consider the tensor a parameter even without metadata.
    bool isParameterByUse(ir::TensorId tensor) const { return m_areParameters[tensor.index]; }

private:
    std::unordered_set<ir::TensorId> m_listed;
    std::vector<bool> m_areParameters; ///< by TensorId: whether it is a parameter by its use
};

} // namespace cutaway::formats::onnx
