// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// What differs between the model and the one beside it, one after another.
QWidget *makeDifferences(Session &session, QWidget *parent);

} // namespace cutaway::views
