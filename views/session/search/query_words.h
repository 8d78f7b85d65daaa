// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace cutaway::views {

class Session;

/// What a query of the function that is shown can ask a property for: operators of "op", paths of modules of "scope",
/// parts and nodes of "in", texts of "data.stage", … With "": what begins a term, which are the properties, the
/// operators and the columns of node data with theirs.
QStringList queryWords(const Session &session, const QString &property);

} // namespace cutaway::views
