// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document.h"
#include "core/report/material.h"

namespace cutaway::report {

/// Returns the whole report: summary, signature, symbols, modules, costliest nodes, operators, memory, time, sweep,
/// nodes and diagnostics. Empty sections are left out.
Document reportDocument(const Material &material);

} // namespace cutaway::report
