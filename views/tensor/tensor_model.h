// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tensor/part.h"

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

namespace cutaway::views {

/// The tensors whose names contain a text, a row each: first the results of a run, then those of the model.
class TensorModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, TypeColumn, BytesColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Sets the models of the rows; either may be null.
    void setModels(std::shared_ptr<const ir::Model> results, std::shared_ptr<const ir::Model> model);
    void setFilter(const QString &text);

    const TensorPlace &tensor(int row) const { return m_rows[std::size_t(row)]; }
    std::optional<int> rowOf(const TensorPlace &tensor) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void fill();

    std::shared_ptr<const ir::Model> m_results, m_model;
    QString m_filter;
    std::vector<TensorPlace> m_rows;
};

/// Returns the dtype and shape of a tensor: "float32[64, 3, 7, 7]".
QString tensorTypeText(const ir::Tensor &tensor);

} // namespace cutaway::views
