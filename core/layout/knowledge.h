// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"
#include "core/ir/ids.h"

#include <functional>
#include <string>

namespace cutaway::layout {

/// What is known of a function beyond what its file records, for the texts of a diagram. Called on the thread that lays
/// out.
struct Knowledge {
    std::function<std::string(ir::ValueId)> type; ///< as describeType(); empty: what the file records
    std::function<ir::Dim(ir::NodeId)> flops;     ///< of a node and its regions; empty: boxes do not tell
};

} // namespace cutaway::layout
