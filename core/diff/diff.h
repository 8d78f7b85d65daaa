// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/diff/difference/difference.h"
#include "core/ir/model.h"

namespace cutaway::diff {

/// One of the two compared functions. The model and the analysis must outlive the comparison.
struct Side {
    const ir::Model &model;
    const analysis::Analysis &analysis;

    const ir::Function &function() const { return model.at(analysis.function); }
    const ir::Graph &graph() const { return function().graph; }
};

struct Options {
    bool useNames = true; ///< match by module paths and names where structure is ambiguous
};

/// Compares two states of one graph before and after passes, matching nodes by their ids. Exact.
Difference compareStates(const Side &before, const Side &after);

/// Compares two functions of one model, two files or two dialects. About O(n log n); see diff.cpp.
Difference compare(const Side &a, const Side &b, const Options &options = {});

} // namespace cutaway::diff
