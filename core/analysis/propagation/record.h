// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"
#include "core/analysis/recorded_sizes.h"
#include "core/analysis/shapes.h"

namespace cutaway::analysis {

/// The types that the file records of the values inside a function. They are used only where no rule gives an answer.
/// They hold for the file's own inputs, with the sizes that symbols are bound to.
class Record {
public:
    Record(const ir::Model &model, const Given &given);

    /// Whether the function is called with inputs as recorded in the file.
    bool isOfThisCall() const { return m_isOfThisCall; }
    /// Whether a type that the file records has a dtype, a shape or a number's value.
    static bool saysAnything(const ir::Type &recorded);
    /// Whether the record can be believed of a node's results: all operands of the node are as the file records them.
    /// Where they are not, or where the record was not believed of an operand, the file describes another call.
    bool isOf(const ir::NodeRef &node, const Values &values) const;
    /// Returns the fact with what the record adds to it; nothing if the record adds nothing, or contradicts the fact.
    /// `isDTypeSure`: whether a dtype that a rule left open is taken from the record.
    std::optional<ops::Fact> completed(const ops::Fact &fact, const ir::Type &recorded, bool isDTypeSure) const;

private:
    bool agrees(const ops::Fact &fact, const ir::TensorType &recorded) const;
    std::optional<ops::Fact> completed(const ops::TensorFact &fact, const ir::TensorType &recorded,
                                       bool isDTypeSure) const;

    RecordedSizes m_sizes;
    bool m_isOfThisCall;
};

} // namespace cutaway::analysis
