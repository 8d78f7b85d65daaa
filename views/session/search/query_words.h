// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace cutaway::views {

class Document;

/// What a query of the function that is shown can ask a property for: operators of "op", paths of modules of "scope", …
/// With "": what begins a term, which are the properties, and the operators with theirs.
QStringList queryWords(const Document &document, const QString &property);

} // namespace cutaway::views
