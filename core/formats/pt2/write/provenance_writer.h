// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <string>

namespace cutaway::formats::pt2 {

/// The "metadata" of a new node, which no file has: its modules and its source position, as far as these are known.
std::string provenanceJson(const ir::NodeRef &node);

} // namespace cutaway::formats::pt2
