// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/request.h"

namespace cutaway::python {

/// Declares the class Analysis.
void bindAnalysis(nb::module_ &module);

/// Analyses a function of the model with the requested sizes, and returns an Analysis.
nb::object analysed(const SharedModel &model, const RequestTexts &texts, const std::string &device);

} // namespace cutaway::python
