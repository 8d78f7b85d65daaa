// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the list of differences between the model and the one that it is compared with.
QWidget *makeDifferences(Session &session, QWidget *parent);

} // namespace cutaway::views
