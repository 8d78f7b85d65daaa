// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <set>
#include <string>

namespace cutaway::request {

/// Values for the free symbols in a function's costs, where a picture or a sort order needs numbers. A symbol has the
/// exporter's example value; without one 1 for a batch, 224 for a side of a colour image, and 16 for all others; or the
/// nearest value with which the nodes can run.
struct ExampleSizes {
    symbolic::Bindings bindings;
    std::string note; ///< message that lists the symbols and their values; "" if there are none

    std::optional<double> of(const ir::Dim &dim) const;
};

/// Returns values for these symbols. `needed`: the sizes with which the nodes can run.
ExampleSizes exampleSizes(const ir::Model &model, const std::set<std::string> &symbols,
                          const analysis::NeededSizes &needed);
/// Returns values for the free symbols in the nodes' costs and memory.
ExampleSizes exampleSizes(const ir::Model &model, const analysis::Analysis &analysis);

} // namespace cutaway::request
