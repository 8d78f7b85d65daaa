// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace cutaway::views {

class Session;

/// Returns the words that a query of the shown function can ask a property for: operators for "op", paths of modules
/// for "scope", parts and nodes for "in", texts for "data.stage", … With "", returns beginnings of terms: the
/// properties, each operator after "op:", and the columns of node data.
QStringList queryWords(const Session &session, const QString &property);

} // namespace cutaway::views
