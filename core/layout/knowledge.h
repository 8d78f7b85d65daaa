// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/known_tensor.h"
#include "core/ir/dim.h"
#include "core/ir/ids.h"

#include <functional>
#include <string>

namespace cutaway::layout {

/// Facts about a function beyond those its file records, for the texts of a diagram. Called on the layout thread.
struct Knowledge {
    std::function<std::string(ir::ValueId)> type; ///< a value's type as describeType() has it; empty: the file's type
    std::function<ir::Dim(ir::NodeId)> flops;     ///< the FLOPs of a node with its regions; empty: boxes show none
};

/// Returns the type of a value as describeType() has it: the derived one, or else the one that the file records.
std::string describeKnown(const ir::Model &model, const analysis::Analysis &analysis,
                          const analysis::RecordedSizes &sizes, ir::ValueId value);

/// Returns the types and the FLOPs that an analysis of the function has derived. The model and the analysis have to
/// outlive the result.
Knowledge knowledgeOf(const ir::Model &model, const analysis::Analysis &analysis);

} // namespace cutaway::layout
