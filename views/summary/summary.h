// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view of the file as a whole: format, size, cost, inputs and outputs, operators, metadata.
QWidget *makeSummary(Session &session, QWidget *parent);

} // namespace cutaway::views
