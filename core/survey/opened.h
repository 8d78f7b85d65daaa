// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/survey/record.h"

namespace cutaway::survey {

/// A model, and the part of the request that applies to it.
struct Opened {
    ir::Model model;
    Request request;
    analysis::Given given; ///< sizes and values given to the first function
};

/// Errors: those of the file; Unreadable: the file has no graph; sizes that the model cannot have.
Result<Opened> openFor(const std::string &path, const Request &request, const OpenModel &open);

} // namespace cutaway::survey
