// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"

#include <string_view>

namespace cutaway::formats::graph_text {

/// Where a node comes from, as the comment above it says.
struct Origin {
    ir::LocationId location;
    bool isBackward = false; ///< whether the location is that of the forward node whose gradient the node computes
};

/// Reads "File: model.py:16 in forward, code: return self.down(h)", also after "Backward of forward node:". Other
/// texts give no location.
Origin readOrigin(ir::Context &context, std::string_view comment);

} // namespace cutaway::formats::graph_text
