// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/request.h"
#include "core/lint/choice.h"

namespace cutaway::python {

/// Returns the dict of `inspect --json`, or with a sweep, "s0=1:64", that of `inspect --sweep --json`.
nb::object inspected(const SharedModel &model, const RequestTexts &texts, const std::string &device,
                     const std::string &sweep);

/// The options of lint() in Python, which are those of `lint`.
struct LintRequest {
    lint::Choice choice;
    bool coreAten = false;
    std::optional<std::int64_t> opset;
};
/// Returns the dict of `lint --json`.
nb::object linted(const SharedModel &model, const RequestTexts &texts, LintRequest asked);

/// Returns a dict for each known device.
nb::object deviceList();

/// Declares the class Difference and the function diff().
void bindDifference(nb::module_ &module);

} // namespace cutaway::python
