// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// Parses Dynamo's report of a graph break: "Graph break in user code at FILE:LINE", then "Reason: …" or "Graph Break
/// Reason: …", and the user's stack.
GraphBreak graphBreakIn(const std::string &text);

} // namespace cutaway::sequence
