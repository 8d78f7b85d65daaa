// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

#include <functional>

namespace cutaway::passes {

using KeptNodes = std::function<bool(const ir::NodeRef &)>;
/// Runs the pass decompose-to-core-aten on all nodes but those that `keeps` is true of.
void decomposeOthers(rewrite::Rewriter &rewriter, const KeptNodes &keeps);

} // namespace cutaway::passes
