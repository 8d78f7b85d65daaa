// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <QString>
#include <functional>
#include <memory>

class QWidget;

namespace cutaway::views {

/// Actions that the page asks its window for.
struct CompilationActions {
    std::function<void(std::size_t sequence)> stepThrough; ///< steps through the document's sequence with this index
    std::function<void(const QString &address)> openStep;  ///< opens one graph as a model
    std::function<QString()> chooseOther = {};             ///< asks for another log; "": none was chosen
    std::function<void(const QString &a, const QString &b)> openPair = {}; ///< opens two graphs as compared models
};

/// Makes the page that stands in place of the graph for a log or folder with sequences of graphs: their list, and below
/// it the steps and details of the selected one, which are read when they are chosen. The list can be filtered, sorted
/// and copied. Enter steps through a sequence, and two selected ones can be compared. `name` is that of the file.
QWidget *makeCompilationsPage(const QString &name, std::shared_ptr<const sequence::Document> document,
                              const CompilationActions &actions, QWidget *parent);

} // namespace cutaway::views
