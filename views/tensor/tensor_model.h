// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

namespace cutaway::views {

/// The tensors of a model whose names contain a text.
class TensorModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, TypeColumn, BytesColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setModel(std::shared_ptr<const ir::Model> model);
    void setFilter(const QString &text);

    ir::TensorId tensor(int row) const { return m_rows[std::size_t(row)]; }
    std::optional<int> rowOf(ir::TensorId tensor) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void fill();

    std::shared_ptr<const ir::Model> m_model;
    QString m_filter;
    std::vector<ir::TensorId> m_rows;
};

/// "float32[64, 3, 7, 7]"
QString tensorTypeText(const ir::Tensor &tensor);

} // namespace cutaway::views
