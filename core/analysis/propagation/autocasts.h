// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"
#include "core/ops/fact_source.h"
#include "core/ops/torch/autocast.h"

#include <deque>
#include <optional>
#include <vector>

namespace cutaway::ir {
struct Model;
}

namespace cutaway::analysis {

/// The conversion that autocast applies to the floating tensors of an operator.
struct Cast {
    ops::CastTo to;
    ir::DType lower;
    bool isWide; ///< whether an argument of the operator is float32

    ops::Fact of(const ops::Fact &fact) const { return ops::cast(fact, to, lower, isWide); }
};

/// The torch.autocast contexts around the code that is being walked.
class Autocasts {
public:
    bool isEmpty() const { return m_contexts.empty(); }
    void enter(ops::Autocast context) { m_contexts.push_back(std::move(context)); }
    /// Leaves the innermost context, if there is one.
    void leave();

    /// Returns the cast that the contexts apply to an operator's tensors, if any. The innermost context for the kind of
    /// device that the tensors are on decides; `device` is that kind, or nothing if it is not known.
    std::optional<Cast> castOf(const ir::NodeRef &node, const ops::Call &call, const Values &values,
                               std::optional<std::string_view> device) const;

private:
    std::vector<ops::Autocast> m_contexts; ///< innermost last
};

/// Returns the kind of device that the main function's inputs are on; nothing if the file states none, or several.
std::optional<std::string_view> deviceOf(const ir::Model &model);

/// The facts of `plain`, with the tensors as `cast` makes them.
class CastSource final : public ops::FactSource {
public:
    CastSource(ops::FactSource &plain, const Cast &cast) : m_plain(plain), m_cast(cast) { }

    const ops::Fact &fact(ir::ValueId value) const override
    {
        return m_seen.emplace_back(m_cast.of(m_plain.fact(value)));
    }
    ops::Fact tensor(ir::TensorId weight) const override { return m_cast.of(m_plain.tensor(weight)); }
    ops::Fact object(ir::ObjectId object) const override { return m_plain.object(object); }
    ops::Fact attribute(ir::NameId name) const override { return m_plain.attribute(name); }
    ir::Dim size(const symbolic::Expr &formula) const override { return m_plain.size(formula); }
    ir::Dim freshSize(std::string_view hint, const ir::Dim &most) override { return m_plain.freshSize(hint, most); }

private:
    ops::FactSource &m_plain;
    const Cast &m_cast;
    mutable std::deque<ops::Fact> m_seen; ///< facts that fact() has returned references to
};

} // namespace cutaway::analysis
