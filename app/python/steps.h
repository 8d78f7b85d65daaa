// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/request.h"

namespace cutaway::python {

/// Declares Steps.
void bindSteps(nb::module_ &module);

/// The options of `passes run`.
struct PassesRequest {
    RequestTexts texts;
    std::string pipeline;              ///< "": the default pipeline, or none beside patterns
    std::vector<std::string> patterns; ///< files
    bool checksNumbers = false;
};

/// Runs passes over a function of the model; Steps.
nb::object stepped(const SharedModel &model, const PassesRequest &asked);

/// All passes with their options, as `passes list --json` says them.
nb::object passList();

} // namespace cutaway::python
