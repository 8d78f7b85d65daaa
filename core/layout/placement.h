// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/layout.h"
#include "core/layout/scene.h"

namespace cutaway::layout {

/// Places the boxes of a scene of `graph` and draws its links. Errors: only Cancelled.
Result<Diagram> placed(const ir::Graph &graph, Scene scene, const TextMeasure &measure, const Options &options,
                       std::stop_token stop);

} // namespace cutaway::layout
