// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/comparing.h"

#include <QAbstractTableModel>

namespace cutaway::views {

/// The differences between two models, one per row.
class DifferenceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { SignColumn, FirstColumn, SecondColumn, OperatorColumn, ModuleColumn, WhatColumn, ColumnCount };

    explicit DifferenceModel(Session &session, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Shows only rows with `filter` in one of their texts. Rows whose sides compute the same, written differently, are
    /// shown only if `withSame`.
    void setFilter(const QString &filter, bool withSame);
    const Comparing::Row &row(int row) const { return m_comparing.rows()[m_rows[std::size_t(row)]]; }

private:
    void follow();
    QString text(const Comparing::Row &row, int column) const;

    Session &m_session;
    Comparing &m_comparing;
    QString m_filter;
    bool m_withSame = false;
    std::vector<std::size_t> m_rows; ///< the indices of the shown rows in Comparing::rows()
};

} // namespace cutaway::views
