// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <string>

namespace cutaway::formats::pt2 {

/// Returns the "metadata" of a node that is not in the file: its modules and source position, as far as known.
std::string provenanceJson(const ir::NodeRef &node);

} // namespace cutaway::formats::pt2
