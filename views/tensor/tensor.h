// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// The tensors of the model, and of one of them the statistics, a histogram, a picture and the elements.
QWidget *makeTensorView(Session &session, QWidget *parent);

} // namespace cutaway::views
