// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/inference.h"

#include <set>

namespace cutaway::analysis {

/// The use of the file's record for the results of the nodes of one function, in `shapes` marked as recorded.
class RecordedResults {
public:
    /// The arguments must outlive this object.
    RecordedResults(Inference &inference, Shapes &shapes) : m_inference(inference), m_shapes(shapes) { }

    /// Says whether the file records the values that are walked from now on as they are. Returns what held before.
    bool use(bool isRecorded) { return std::exchange(m_isRecorded, isRecorded); }
    bool isUsed() const { return m_isRecorded; }

    /// Writes the sizes in the results with the file's names. `madeBefore`: the number of symbols before the node. A
    /// symbol of the file is one size, so where code runs again, other sizes keep their made-up names.
    void useNames(const ir::NodeRef &node, std::uint32_t madeBefore, ops::Facts &results);
    /// Adds to `results` what the file records and no rule tells, if the record does not contradict the rule.
    /// `isDTypeSure`: a dtype that a rule left open is the recorded one.
    void complete(const ir::NodeRef &node, ops::Facts &results, const Values &values, bool isDTypeSure);

private:
    Inference &m_inference;
    Shapes &m_shapes;
    bool m_isRecorded = true;
    std::set<ir::NodeId> m_named; ///< nodes whose symbols have become the file's
};

/// Whether exporters record of the node's results what one run gave: other runs of ONNX's branches and loops may give
/// something else.
bool isOneWay(const ir::NodeRef &node);

} // namespace cutaway::analysis
