// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"
#include "core/ir/ids.h"

#include <functional>
#include <string>

namespace cutaway::layout {

/// Facts about a function beyond those its file records, for the texts of a diagram. Called on the layout thread.
struct Knowledge {
    std::function<std::string(ir::ValueId)> type; ///< as describeType(); empty: the file's type is shown
    std::function<ir::Dim(ir::NodeId)> flops;     ///< of a node with its regions; empty: boxes show none
};

} // namespace cutaway::layout
