// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ops/call.h"

#include <functional>
#include <unordered_map>

namespace cutaway::ops {

/// Makes calls of nodes outside of propagation: for passes, cards, comparisons. The fact of a value is that of `known`,
/// or else the dtype and shape of a weight, or else the declared type. A call is valid until a call of another graph is
/// made, and only as long as this object, the model and `signatures` exist.
class Calls final : private FactSource {
public:
    /// Returns the fact of a value, or nullptr if none is known. Calls refer to the fact, which must not move while
    /// they exist.
    using Known = std::function<const Fact *(ir::ValueId)>;
    Calls(const ir::Model &model, Signatures &signatures, Known known = {});
    Calls(const Calls &) = delete;
    Calls &operator=(const Calls &) = delete;

    Call of(const ir::NodeRef &node);

private:
    const Fact &fact(ir::ValueId value) const override;
    Fact tensor(ir::TensorId weight) const override { return weightFact(weight); }
    const Fact &weightFact(ir::TensorId weight) const;

    const ir::Model &m_model;
    Signatures &m_signatures;
    Known m_known;
    const ir::Graph *m_graph = nullptr; ///< the graph of the last call
    mutable std::unordered_map<ir::TypeId, Fact> m_types;
    mutable std::unordered_map<ir::TensorId, Fact> m_weights;
};

} // namespace cutaway::ops
