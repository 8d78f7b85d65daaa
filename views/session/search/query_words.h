// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace cutaway::views {

class Document;

/// Returns the words that a query of the shown function can ask a property for: operators for "op", paths of modules
/// for "scope", … With "", returns beginnings of terms: the properties, and each operator after "op:".
QStringList queryWords(const Document &document, const QString &property);

} // namespace cutaway::views
