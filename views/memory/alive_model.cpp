// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/alive_model.h"

#include "core/ir/node_ref.h"
#include "views/appearance/fonts.h"
#include "views/parts/text.h"

#include <algorithm>

namespace cutaway::views {

void AliveModel::show(std::shared_ptr<const Figures> figures, std::optional<std::size_t> step)
{
    beginResetModel();
    m_figures = std::move(figures);
    m_alive.clear();
    if (m_figures && step) {
        m_alive = m_figures->analysis().memory.aliveAt(*step);
        std::ranges::stable_sort(m_alive, std::greater(), [this](const analysis::LiveStorage *storage) {
            return m_figures->examples().of(storage->bytes).value_or(-1);
        });
    }
    endResetModel();
}

int AliveModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_alive.size()); }
int AliveModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QVariant AliveModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const analysis::LiveStorage &storage = *m_alive[std::size_t(index.row())];
    const Quantity bytes = m_figures->atExample({Quantity::Unit::Byte, storage.bytes});
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == BytesColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::FontRole && index.column() == TypeColumn)
        return monospaceFont();
    if (role == Qt::ToolTipRole && index.column() == BytesColumn)
        return tr("%1, live from step %2 to %3").arg(bytes.exactText()).arg(storage.first).arg(storage.last);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const QString type = shown(m_figures->typeText(storage.value));
    const QString name = shown(ir::ValueRef(m_figures->function().graph, storage.value).name());
    const QString text = index.column() == ValueColumn ? name : index.column() == TypeColumn ? type : bytes.text();
    return role == Qt::ToolTipRole ? toolTipText(text) : text;
}

QVariant AliveModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == BytesColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == ValueColumn ? tr("Live value") : section == TypeColumn ? tr("Type") : tr("Bytes");
}

} // namespace cutaway::views
