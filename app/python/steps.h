// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/request.h"

namespace cutaway::python {

/// Declares the class Steps.
void bindSteps(nb::module_ &module);

/// The options of `passes run`.
struct PassesRequest {
    RequestTexts texts;
    std::string pipeline;              ///< "" for the default pipeline or, if there are patterns, for none
    std::vector<std::string> patterns; ///< files with patterns
    bool checksNumbers = false;
};

/// Runs passes over a function of the model, and returns Steps.
nb::object stepped(const SharedModel &model, const PassesRequest &asked);

/// Returns all passes with their options, in the form of `passes list --json`.
nb::object passList();

} // namespace cutaway::python
