// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <QString>
#include <functional>
#include <memory>

class QWidget;

namespace cutaway::views {

/// The window does these on behalf of the page.
struct CompilationActions {
    std::function<void(std::size_t sequence)> stepThrough; ///< by its place in the document
    std::function<void(const QString &address)> openStep;  ///< one graph, as a model
    std::function<QString()> chooseOther = {};             ///< asks for another log; "": none was chosen
    std::function<void(const QString &a, const QString &b)> openPair = {}; ///< two graphs, compared
};

/// The sequences of graphs in a log or a folder: a page in place of the graph. Below the list stand the steps of the
/// selected one and what else the log says of it, which is read when it is chosen. They can be filtered, sorted and
/// copied; Enter steps through one, and two that are selected can be compared. `name`: of the file.
QWidget *makeCompilationsPage(const QString &name, std::shared_ptr<const sequence::Document> document,
                              const CompilationActions &actions, QWidget *parent);

} // namespace cutaway::views
