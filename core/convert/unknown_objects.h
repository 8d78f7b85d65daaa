// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <optional>
#include <string>

namespace cutaway::convert {

/// Returns why a node that reads an object has no rule: passes have not removed the object, so it is not known. Nothing
/// for other nodes.
std::optional<std::string> whyUnknownObject(const ir::NodeRef &node);

} // namespace cutaway::convert
