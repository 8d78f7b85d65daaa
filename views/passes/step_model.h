// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/stepping.h"

#include <QAbstractTableModel>

namespace cutaway::views {

class StepPatterns;

/// The steps, of passes or written down by another program, as rows: the start, the steps, and a failed step if any.
class StepModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NumberColumn, PassColumn, ChangeColumn, NodesColumn, ErrorColumn, ColumnCount };

    explicit StepModel(Stepping &stepping, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Shows only steps whose pass has this text in its name.
    void setFilter(const QString &filter);
    /// Returns the position of a row; nothing for the failed step.
    std::optional<std::size_t> position(int row) const;
    /// Returns the row of a position, or of the last shown one before it; -1 if there is none.
    int rowOf(std::size_t position) const;
    StepPatterns &patterns() { return *m_patterns; }

private:
    void follow();
    bool isShown(std::size_t position) const;
    const passes::Recorded *unreadAt(std::size_t position) const;
    QString text(std::size_t position, int column) const;
    QString changeText(std::size_t position) const;
    QString toolTip(std::size_t position, int column) const;
    static QVariant failureData(const passes::Failure &failure, int column, int role);

    Stepping &m_stepping;
    StepPatterns *m_patterns; ///< finds the patterns for the tool tips
    std::shared_ptr<const passes::History> m_history;
    QString m_filter;
    std::vector<std::size_t> m_positions; ///< by row
};

} // namespace cutaway::views
