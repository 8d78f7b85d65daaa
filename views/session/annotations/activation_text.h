// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/values/activations.h"

#include <QString>
#include <QStringList>

namespace cutaway::views {

/// Returns the statistics of a value as lines: "-1 … 12", "mean 3.667, std 5.907", "33 % zeros, 1 NaN, 2 infinite".
QStringList activationLines(const run::Activation &activation);
/// Returns activationLines() in one line.
QString activationText(const run::Activation &activation);

/// Describes a node that makes a NaN or an infinity: "1 of 3 float32 numbers of l are NaN; the node reads numbers up to
/// 12 in magnitude".
QString notFiniteText(const ir::Graph &graph, const run::Activations &activations, const run::NotFinite &notFinite);

} // namespace cutaway::views
