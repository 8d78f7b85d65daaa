// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tensor/channel_model.h"

#include "core/base/text.h"
#include "core/report/tensor/tensor_lines.h"
#include "views/parts/text.h"

namespace cutaway::views {
namespace {

std::string channelText(const tensor::Statistics &channel, int column)
{
    switch (column) {
    case ChannelModel::MinColumn:
        return report::numberText(channel.min);
    case ChannelModel::MaxColumn:
        return report::numberText(channel.max);
    case ChannelModel::MeanColumn:
        return report::numberText(channel.mean);
    case ChannelModel::DeviationColumn:
        return report::numberText(channel.deviation());
    case ChannelModel::ZerosColumn:
        return grouped(static_cast<long long>(channel.zeros));
    case ChannelModel::NansColumn:
        return grouped(static_cast<long long>(channel.nans));
    default:
        return {};
    }
}

} // namespace

void ChannelModel::show(std::optional<tensor::Channels> channels)
{
    beginResetModel();
    m_channels = std::move(channels);
    endResetModel();
}

int ChannelModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_channels ? 0 : int(m_channels->each.size());
}

int ChannelModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QVariant ChannelModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return shown(channelText(m_channels->each[std::size_t(index.row())], index.column()));
}

QVariant ChannelModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return QString::number(section);
    const QString titles[] = {tr("min"), tr("max"), tr("mean"), tr("std"), tr("zeros"), tr("NaN")};
    return section < ColumnCount ? titles[section] : QString();
}

} // namespace cutaway::views
