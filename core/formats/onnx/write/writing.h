// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/write/kept_texts.h"
#include "core/formats/onnx/write/weight_places.h"
#include "core/ir/context.h"
#include "core/ir/model.h"

#include <optional>
#include <string>
#include <unordered_set>

namespace cutaway::formats::onnx {

/// What the parts of the writer share: the model, where its weights go, and the first thing that ONNX cannot say. After
/// fail() writing goes on with nothings and ends soon; the caller looks at fault() once, at the end.
class Writing {
public:
    Writing(const ir::Model &written, WeightPlaces weightPlaces)
        : model(written),
          texts(written),
          places(std::move(weightPlaces))
    {
        for (const ir::Module &module : written.modules)
            m_listed.insert(module.tensors.begin(), module.tensors.end());
    }

    const ir::Model &model;
    KeptTexts texts;
    WeightPlaces places;

    std::string_view text(ir::NameId name) const { return model.context->text(name); }
    void fail(std::string message, std::string where = {})
    {
        if (!m_fault)
            m_fault = Error{ErrorKind::Usage, std::move(message), std::move(where)};
    }
    const std::optional<Error> &fault() const { return m_fault; }

    /// Whether the module tree has the tensor, as it has every initializer and no constant.
    bool isListed(ir::TensorId tensor) const { return m_listed.contains(tensor); }

private:
    std::unordered_set<ir::TensorId> m_listed;
    std::optional<Error> m_fault;
};

} // namespace cutaway::formats::onnx
