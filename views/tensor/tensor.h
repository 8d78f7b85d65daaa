// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view with a list of the model's tensors, and the statistics, histogram, picture and elements of one.
QWidget *makeTensorView(Session &session, QWidget *parent);

} // namespace cutaway::views
