// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/inference.h"
#include "core/ops/fact_source.h"

namespace cutaway::analysis {

/// The facts from which the rules of operators derive others, in one function that is propagated through.
class RuleFacts final : public ops::FactSource {
public:
    /// `shapes` has the facts of the function's values.
    RuleFacts(Inference &inference, const Shapes &shapes) : m_inference(inference), m_shapes(shapes) { }

    /// Sets the attributes of a called ONNX function; those that the call omits get their defaults.
    void setAttributes(const Call &call);

    const ops::Fact &fact(ir::ValueId value) const override { return m_shapes.facts[value.index]; }
    ops::Fact tensor(ir::TensorId weight) const override { return m_inference.constants.tensor(weight); }
    ops::Fact object(ir::ObjectId object) const override { return m_inference.constants.object(object); }
    /// Returns the fact of an attribute of the function; unknown if the function is analysed by itself, not for a call.
    ops::Fact attribute(ir::NameId name) const override;
    ir::Dim size(const symbolic::Expr &formula) const override { return m_inference.fileSymbols->of(formula); }
    ir::Dim freshSize(std::string_view hint, const ir::Dim &most) override
    {
        return m_inference.symbols.freshSize(hint, most);
    }

private:
    Inference &m_inference;
    const Shapes &m_shapes;
    std::optional<std::unordered_map<ir::NameId, ops::Fact>> m_attributes; ///< the attributes of the call
};

} // namespace cutaway::analysis
