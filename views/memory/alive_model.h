// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/figures.h"

#include <QAbstractTableModel>
#include <memory>

namespace cutaway::views {

/// The storages that are live at one step, largest first: value, type, bytes.
class AliveModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { ValueColumn, TypeColumn, BytesColumn, ColumnCount };

    explicit AliveModel(QObject *parent = nullptr) : QAbstractTableModel(parent) { }

    void show(std::shared_ptr<const Figures> figures, std::optional<std::size_t> step);
    ir::ValueId value(int row) const { return m_alive[std::size_t(row)]->value; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const Figures> m_figures;
    std::vector<const analysis::LiveStorage *> m_alive;
};

} // namespace cutaway::views
