// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep_model.h"

#include "core/ops/facts/dim_arithmetic.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"

namespace cutaway::views {

Quantity quantityOf(const analysis::SweepPoint &point, Measure measure)
{
    using Unit = Quantity::Unit;
    switch (measure) {
    case Measure::Flops:
        return {Unit::Flop, point.cost.flops, point.atLeast.flops};
    case Measure::Bytes:
        return {Unit::Byte, ops::plus(point.cost.bytesRead, point.cost.bytesWritten),
                ops::plus(point.atLeast.bytesRead, point.atLeast.bytesWritten)};
    case Measure::Memory:
        return {Unit::Byte, point.peakBytes, point.peakAtLeast};
    case Measure::Time:
    case Measure::Measured:
        break;
    }
    return {Unit::Second, point.seconds};
}

void SweepModel::show(std::shared_ptr<const analysis::Sweep> sweep)
{
    beginResetModel();
    m_sweep = std::move(sweep);
    endResetModel();
}

int SweepModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_sweep ? 0 : int(m_sweep->points.size());
}

int SweepModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : 1 + int(sweepMeasures.size());
}

QVariant SweepModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const analysis::SweepPoint &point = m_sweep->points[std::size_t(index.row())];
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (index.column() == 0)
        return role == Qt::DisplayRole || role == exactRole ? QVariant(qlonglong(point.value)) : QVariant();
    const Quantity quantity = quantityOf(point, sweepMeasures[std::size_t(index.column() - 1)]);
    if (role == Qt::DisplayRole)
        return quantity.text();
    if (role == exactRole)
        return quantity.number() ? QVariant(*quantity.number()) : QVariant();
    return role == Qt::ToolTipRole ? QVariant(toolTipText(quantity.exactText())) : QVariant();
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (section == 0)
        return role == Qt::DisplayRole ? QVariant(m_sweep ? shown(m_sweep->symbol) : tr("size")) : QVariant();
    const Measure measure = sweepMeasures[std::size_t(section - 1)];
    if (role == Qt::DisplayRole)
        return title(measure);
    return role == Qt::ToolTipRole ? QVariant(toolTipText(explanation(measure))) : QVariant();
}

} // namespace cutaway::views
