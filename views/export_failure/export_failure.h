// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/facts/export_failure.h"

#include <memory>

class QWidget;

namespace cutaway::views {

class Stepping;

/// Makes the page on why a module could not be exported: the reason, the line of the program, what torch suggests, and
/// how far each attempt got, with a link to the step that it left. `stepping` has these steps; nullptr: there are none.
QWidget *makeExportFailure(Stepping *stepping, std::shared_ptr<const sequence::ExportFailure> failure, QWidget *parent);

} // namespace cutaway::views
