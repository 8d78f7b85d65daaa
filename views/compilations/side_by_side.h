// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/comparison/comparison.h"
#include "views/parts/latest_work.h"

#include <QDialog>
#include <functional>
#include <memory>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace cutaway::views {

/// One side of a comparison of compilations.
struct ComparedSide {
    QString name;
    /// Returns the compilations. Called on another thread. Errors: those of sequence::readAt().
    std::function<Result<std::shared_ptr<const sequence::Document>>(const Task &)> read;
};
/// Returns a side whose compilations are read already.
ComparedSide sideOf(QString name, std::shared_ptr<const sequence::Document> document);
/// Returns a side that is read from a path: a log, a folder, a file or an address.
ComparedSide sideAt(const QString &path);

/// The compilations of both sides, and their comparison.
struct SideBySide {
    QString nameA, nameB;
    std::shared_ptr<const sequence::Document> a, b;
    std::vector<sequence::ComparedSequence> compared;
};

/// A window with the compilations of two sides: each stage, whether it is the same, what else differs, and the messages
/// about their logs. They are compared on another thread. Enter or a double click on a stage that both have opens its
/// two graphs as a comparison of models.
class SideBySideWindow : public QDialog {
    Q_OBJECT

public:
    using OpenPair = std::function<void(const QString &a, const QString &b)>;

    SideBySideWindow(const ComparedSide &a, const ComparedSide &b, OpenPair openPair, QWidget *parent);

    /// Whether the two are still being compared.
    bool isBusy() const { return m_work.isBusy(); }

private:
    void compare(const ComparedSide &a, const ComparedSide &b);
    void showFailure(const Error &error);
    void showCompared(const SideBySide &both);
    void addSequence(const SideBySide &both, const sequence::ComparedSequence &compared);
    void addMessages(const SideBySide &both);

    OpenPair m_openPair;
    QLabel *m_verdict;
    QTreeWidget *m_list;
    LatestWork m_work; ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::views
