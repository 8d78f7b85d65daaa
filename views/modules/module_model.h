// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/module_rows.h"
#include "views/session/document.h"
#include "views/session/figures.h"

#include <QAbstractItemModel>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace cutaway::views {

/// Columns: a module with its class, or a part that was found in the graph, then its nodes, parameters and costs with
/// those of what is inside. The one row at the top is the whole function.
class ModuleModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { ModuleColumn, NodesColumn, ParametersColumn, FlopsColumn, BytesColumn, MeasuredColumn, ColumnCount };
    static constexpr int classRole = Qt::UserRole; ///< short class name; of a part that was found, that it is

    /// `outline`: of the graph that is drawn, with what was found in it; null: that is not known yet.
    explicit ModuleModel(const Document &document, const layout::Outline *outline = nullptr, QObject *parent = nullptr);

    /// Null: costs are not known yet.
    void setFigures(std::shared_ptr<const Figures> figures);
    /// The box of a row; the root's is the whole function's.
    layout::Subject subject(const QModelIndex &index) const;
    bool isRoot(const QModelIndex &index) const { return index.internalId() == 0; }
    /// Returns an invalid index for a subject without a row.
    QModelIndex indexOf(const layout::Subject &box, int column = ModuleColumn) const;
    QModelIndex indexOf(ir::ScopeId scope, int column = ModuleColumn) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const layout::ModuleRow &row(const QModelIndex &index) const { return m_rows[index.internalId()]; }
    QModelIndex indexOfRow(std::uint32_t row, int column) const;
    QString name(const layout::ModuleRow &row) const;
    QString className(const layout::ModuleRow &row) const;
    QString fullText(const layout::ModuleRow &row) const;
    QString costText(const layout::ModuleRow &row, Measure measure) const;
    QString timeText(const layout::ModuleRow &row) const;

    std::shared_ptr<const ir::Model> m_model;
    ir::FunctionId m_function;
    std::vector<layout::ModuleRow> m_rows;
    std::vector<int> m_places; ///< by row: its index among its siblings
    std::vector<std::optional<std::uint32_t>> m_rowOfScope;
    std::map<layout::FoundSubject, std::uint32_t> m_rowOfFound;
    std::shared_ptr<const Figures> m_figures;
};

} // namespace cutaway::views
