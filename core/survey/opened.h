// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/survey/request.h"

namespace cutaway::survey {

/// A model, and the part of the request that applies to it.
struct Opened {
    ir::Model model;
    Request request;
    analysis::Given given; ///< the sizes and values that are given for the first function
};

/// Opens a model with the request's sizes and inputs. Errors: those of the file; Unreadable: the file has no graph; the
/// model cannot have these sizes.
Result<Opened> openFor(const std::string &path, const Request &request, const OpenModel &open);

} // namespace cutaway::survey
