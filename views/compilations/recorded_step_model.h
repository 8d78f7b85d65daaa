// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <QAbstractTableModel>
#include <vector>

namespace cutaway::views {

/// The steps of a sequence as rows; steps without changes only on request.
class RecordedStepModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NumberColumn, NameColumn, StageColumn, NodesColumn, ChangeColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Shows the steps of `sequence`, which must live until the next call; nullptr: there are no rows.
    void setSequence(const sequence::Sequence *sequence);
    void setShowsUnchanged(bool shows);
    bool showsUnchanged() const { return m_showsUnchanged; }
    std::size_t unchangedCount() const;
    const sequence::Step *step(const QModelIndex &index) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void follow();
    QString text(std::size_t step, int column) const;

    const sequence::Sequence *m_sequence = nullptr;
    bool m_showsUnchanged = false;
    std::vector<std::size_t> m_steps; ///< by row
};

} // namespace cutaway::views
