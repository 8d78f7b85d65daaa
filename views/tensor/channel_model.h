// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/statistics.h"

#include <QAbstractTableModel>

namespace cutaway::views {

/// Statistics as rows, one for each index of a dimension.
class ChannelModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { MinColumn, MaxColumn, MeanColumn, DeviationColumn, ZerosColumn, NansColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void show(std::optional<tensor::Channels> channels);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::optional<tensor::Channels> m_channels;
};

} // namespace cutaway::views
