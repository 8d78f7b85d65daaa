// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document.h"
#include "core/report/material.h"

namespace cutaway::report {

// These functions make the sections of a report about costs. A section without content has no table, plot or note.
Section moduleSection(const Material &material);
Section topSection(const Material &material);
Section operatorSection(const Material &material);
Section memorySection(const Material &material);
Section rooflineSection(const Material &material); ///< has content only in a report with a device
Section sweepSection(const Material &material);    ///< has content only in a report with a sweep
Section nodeSection(const Material &material);     ///< has every node, up to a limit; only on HTML pages

} // namespace cutaway::report
