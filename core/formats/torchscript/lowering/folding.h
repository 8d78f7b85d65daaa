// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/term.h"
#include "core/ir/context.h"

#include <span>

namespace cutaway::formats::torchscript {

// torch does not inline a function as it is written but as torch has optimized it by itself: calls in it are inlined,
// constants computed, branches on them taken, comparisons with None decided by type (GraphFunction::optimized_graph,
// preoptimizeGraph). The root's method, into which functions are inlined, is left as it is. So a constant of the root's
// own code is no constant in the functions that it calls, but a constant that a called function passes on is. Reading a
// file the same way shows the graph that torch shows.

/// The constant that an operator gives for constants; nothing if it gives something that can change (a tensor, a list),
/// or is not computed here.
std::optional<ir::Operand> fold(const ir::Context &context, std::string_view dialect, std::string_view name,
                                std::span<const Typed> arguments);

/// Whether `a is None`, decided by types alone; nothing where they do not decide it.
std::optional<bool> isNone(const ir::Context &context, const Typed &value);

} // namespace cutaway::formats::torchscript
