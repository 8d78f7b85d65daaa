// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/facts/export_failure.h"

#include <memory>

class QWidget;

namespace cutaway::views {

class Stepping;

/// Why a module could not be exported: the reason, the line of the program, what torch suggests, and how far each way
/// came. A way with a graph is a link to its step. `stepping`: through the graphs; nullptr if there is none.
QWidget *makeExportFailure(Stepping *stepping, std::shared_ptr<const sequence::ExportFailure> failure, QWidget *parent);

} // namespace cutaway::views
