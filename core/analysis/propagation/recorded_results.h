// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/inference.h"

#include <set>

namespace cutaway::analysis {

/// Completes the results of the nodes of one function by what the file records, and marks them in `shapes` as recorded.
class RecordedResults {
public:
    /// The arguments must outlive this object.
    RecordedResults(Inference &inference, Shapes &shapes) : m_inference(inference), m_shapes(shapes) { }

    /// Sets whether the file records the values that are walked from now on as they are. Returns the previous setting.
    bool use(bool isRecorded) { return std::exchange(m_isRecorded, isRecorded); }
    bool isUsed() const { return m_isRecorded; }

    /// Writes the sizes in the results with the file's names. `madeBefore`: the number of made-up symbols before the
    /// node. As a symbol of the file is one size, sizes get its name only when the node runs for the first time.
    void useNames(const ir::NodeRef &node, std::uint32_t madeBefore, ops::Facts &results);
    /// Adds to `results` what the file records and no rule derives, if the record does not contradict the rule.
    /// `isDTypeSure`: whether a dtype that a rule left open is taken from the record.
    void complete(const ir::NodeRef &node, ops::Facts &results, const Values &values, bool isDTypeSure);

private:
    Inference &m_inference;
    Shapes &m_shapes;
    bool m_isRecorded = true;
    std::set<ir::NodeId> m_named; ///< nodes whose symbols have become the file's
};

/// Whether a node is a branch or a loop of ONNX: exporters record its results in one run, and those of other runs may
/// differ.
bool isOneWay(const ir::NodeRef &node);

} // namespace cutaway::analysis
