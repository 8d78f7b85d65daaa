// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/term.h"
#include "core/ir/context.h"

#include <span>

namespace cutaway::formats::torchscript {

// torch does not inline a function as it is written, but after it has optimized the function: calls in it are
// inlined, constants computed, branches on constants taken, comparisons with None decided by type
// (GraphFunction::optimized_graph, preoptimizeGraph). The root's method, into which functions are inlined, is not
// optimized. So a constant in the root's own code is no constant in the functions that it calls, but a constant that
// a called function passes on is one. Reading a file in the same way results in the graph that torch shows.

/// Returns the constant that an operator computes from constants; nothing if its result can change (a tensor, a
/// list), or is not computed here.
std::optional<ir::Operand> fold(const ir::Context &context, std::string_view dialect, std::string_view name,
                                std::span<const Typed> arguments);

/// Decides `a is None` by types alone; nothing if they leave it open.
std::optional<bool> isNone(const ir::Context &context, const Typed &value);

} // namespace cutaway::formats::torchscript
