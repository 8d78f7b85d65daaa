// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "views/session/selection.h"

#include <QAbstractTableModel>
#include <functional>
#include <memory>
#include <vector>

namespace cutaway::views {

/// Search results, one per row: operator or kind, name, module, type.
class HitModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { KindColumn, NameColumn, ModuleColumn, TypeColumn, ColumnCount };

    explicit HitModel(QObject *parent = nullptr) : QAbstractTableModel(parent) { }

    /// Sets a function that returns the types of values, in place of those that the file records.
    void setTypes(std::function<QString(ir::ValueId)> types);
    void setHits(std::shared_ptr<const ir::Model> model, ir::FunctionId function, std::vector<Selection> hits);
    const Selection &hit(int row) const { return m_hits[std::size_t(row)]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(const Selection &hit, int column) const;

    std::shared_ptr<const ir::Model> m_model;
    ir::FunctionId m_function;
    std::vector<Selection> m_hits;
    std::function<QString(ir::ValueId)> m_types;
};

} // namespace cutaway::views
