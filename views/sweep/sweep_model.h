// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/sweep.h"
#include "views/session/measure.h"

#include <QAbstractTableModel>
#include <memory>

namespace cutaway::views {

/// The figures that a sweep has, in the order of its columns.
inline constexpr std::array sweepMeasures{Measure::Flops, Measure::Bytes, Measure::Memory, Measure::Time};

/// Returns a figure of one point; a lower bound if the figure is not known.
Quantity quantityOf(const analysis::SweepPoint &point, Measure measure);

/// A row for each value of the symbol: the value, and a column for each of sweepMeasures.
class SweepModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void show(std::shared_ptr<const analysis::Sweep> sweep);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const analysis::Sweep> m_sweep;
};

} // namespace cutaway::views
