// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"

#include <string_view>

namespace cutaway::formats::graph_text {

/// Where a node comes from, by the comment above it.
struct Origin {
    ir::LocationId location;
    bool isBackward = false; ///< the location is that of the forward node whose gradient it computes
};

/// Reads "File: model.py:16 in forward, code: return self.down(h)", also behind "Backward of forward node:". No
/// location for another text.
Origin readOrigin(ir::Context &context, std::string_view comment);

} // namespace cutaway::formats::graph_text
