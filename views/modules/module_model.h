// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/module_sums.h"
#include "views/session/figures.h"

#include <QAbstractItemModel>
#include <memory>

namespace cutaway::views {

/// Columns: a module with its class, then its nodes, parameters and costs with those of its submodules. The one row at
/// the top is the whole function.
class ModuleModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { ModuleColumn, NodesColumn, ParametersColumn, FlopsColumn, BytesColumn, MeasuredColumn, ColumnCount };
    static constexpr int classRole = Qt::UserRole; ///< short class name

    ModuleModel(std::shared_ptr<const ir::Model> model, ir::FunctionId function, analysis::ModuleSums sums,
                QObject *parent = nullptr);

    /// Null: costs are not known yet.
    void setFigures(std::shared_ptr<const Figures> figures);
    ir::ScopeId scope(const QModelIndex &index) const;
    /// Invalid for a scope that does not occur in the function.
    QModelIndex indexOf(ir::ScopeId scope, int column = ModuleColumn) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString name(ir::ScopeId scope) const;
    QString fullText(ir::ScopeId scope) const;
    QString costText(ir::ScopeId scope, Measure measure) const;
    QString timeText(ir::ScopeId scope) const;

    std::shared_ptr<const ir::Model> m_model;
    ir::FunctionId m_function;
    analysis::ModuleSums m_sums;
    std::shared_ptr<const Figures> m_figures;
    std::vector<int> m_rows; ///< of each scope in its parent
};

} // namespace cutaway::views
