// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tensor/element_model.h"

#include "views/appearance/fonts.h"
#include "views/parts/text.h"

namespace cutaway::views {

void ElementModel::show(std::shared_ptr<const TensorPart> part)
{
    beginResetModel();
    m_part = std::move(part);
    endResetModel();
}

int ElementModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_part ? 0 : int(m_part->page.texts.size());
}

int ElementModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_part || m_part->page.texts.empty() ? 0 : int(m_part->page.texts.front().size());
}

QVariant ElementModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::DisplayRole)
        return shown(m_part->page.texts[std::size_t(index.row())][std::size_t(index.column())]);
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::FontRole)
        return monospaceFont();
    return {};
}

QVariant ElementModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole || !m_part)
        return {};
    const auto &names = orientation == Qt::Horizontal ? m_part->page.columnNames : m_part->page.rowNames;
    return std::size_t(section) < names.size() ? shown(names[std::size_t(section)]) : QString();
}

} // namespace cutaway::views
