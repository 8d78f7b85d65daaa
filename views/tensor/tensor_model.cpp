// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tensor/tensor_model.h"

#include "core/base/text.h"
#include "core/ir/context.h"
#include "views/parts/text.h"

#include <algorithm>

namespace cutaway::views {

QString tensorTypeText(const ir::Tensor &tensor)
{
    QStringList sizes;
    for (const std::int64_t size : tensor.shape)
        sizes << QString::number(size);
    return QStringLiteral("%1[%2]").arg(shown(ir::name(tensor.dtype)), sizes.join(", "));
}

void TensorModel::setModels(std::shared_ptr<const ir::Model> results, std::shared_ptr<const ir::Model> model)
{
    m_results = std::move(results);
    m_model = std::move(model);
    fill();
}

void TensorModel::setFilter(const QString &text)
{
    m_filter = text;
    fill();
}

void TensorModel::fill()
{
    beginResetModel();
    m_rows.clear();
    for (const auto &model : {m_results, m_model})
        for (ir::TensorId id{0}; model && id.index < model->tensors.size(); ++id.index)
            if (m_filter.isEmpty()
                || shown(model->context->text(model->at(id).name)).contains(m_filter, Qt::CaseInsensitive))
                m_rows.push_back({model, id});
    endResetModel();
}

std::optional<int> TensorModel::rowOf(const TensorPlace &tensor) const
{
    const auto found = std::ranges::find(m_rows, tensor);
    return found == m_rows.end() ? std::nullopt : std::optional(int(found - m_rows.begin()));
}

int TensorModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }
int TensorModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QVariant TensorModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const TensorPlace &place = m_rows[std::size_t(index.row())];
    const ir::Tensor &tensor = place.get();
    const auto name = [&] { return shown(place.model->context->text(tensor.name)); };
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == BytesColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && index.column() == NameColumn)
        return toolTipText(name());
    if (role != Qt::DisplayRole)
        return {};
    if (index.column() == NameColumn)
        return place.model == m_results ? tr("result %1").arg(name()) : name();
    if (index.column() == TypeColumn)
        return tensorTypeText(tensor);
    const auto bytes = ir::byteSize(tensor);
    return bytes ? shown(byteCount(static_cast<double>(*bytes))) : QString();
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == BytesColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("Tensor") : section == TypeColumn ? tr("Type") : tr("Size");
}

} // namespace cutaway::views
