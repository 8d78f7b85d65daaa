// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/comparison/comparison.h"
#include "views/parts/latest_work.h"

#include <QDialog>
#include <memory>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace cutaway::views {

/// Two rows of compilations and how they differ.
struct SideBySide {
    QString nameA, nameB;
    std::shared_ptr<const sequence::Document> a, b;
    std::vector<sequence::ComparedSequence> compared;
};

/// A window with the compilations of two logs: each stage, whether it is the same, and what else differs. `path`: a
/// log, a folder, a file or an address, which is read and compared on another thread. Enter or a double click on a
/// stage that both have opens its two graphs as a comparison of models.
class SideBySideWindow : public QDialog {
    Q_OBJECT

public:
    using OpenPair = std::function<void(const QString &a, const QString &b)>;

    SideBySideWindow(QString name, std::shared_ptr<const sequence::Document> document, const QString &path,
                     OpenPair openPair, QWidget *parent);

private:
    void read(const QString &path);
    void showFailure(const Error &error);
    void showCompared(const SideBySide &both);
    void addSequence(const SideBySide &both, const sequence::ComparedSequence &compared);

    QString m_name;
    std::shared_ptr<const sequence::Document> m_document;
    OpenPair m_openPair;
    QLabel *m_verdict;
    QTreeWidget *m_list;
    LatestWork m_work; ///< last: it ends first
};

} // namespace cutaway::views
