// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/module_rows.h"

#include <QAbstractItemModel>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace cutaway::views {

class Document;
class Figures;
enum class Measure : std::uint8_t;

/// The modules of a function as a tree, with the parts that were found in the graph. A row has a name with its class,
/// nodes, parameters and costs, which include those of the rows below. The one row at the top is the whole function.
class ModuleModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { ModuleColumn, NodesColumn, ParametersColumn, FlopsColumn, BytesColumn, MeasuredColumn, ColumnCount };
    /// The role of a module's short class name; for a found part, of a remark that it was found.
    static constexpr int classRole = Qt::UserRole;

    /// `outline` is that of the drawn graph, with the parts that were found in it; null while it is not known.
    explicit ModuleModel(const Document &document, const layout::Outline *outline = nullptr, QObject *parent = nullptr);

    /// Sets the figures that costs are shown from; null while they are not known.
    void setFigures(std::shared_ptr<const Figures> figures);
    /// Returns the subject of a row's box; for the root, that of the whole function.
    layout::Subject subject(const QModelIndex &index) const;
    bool isRoot(const QModelIndex &index) const { return index.internalId() == 0; }
    /// Returns the index of the row of a box; an invalid index if it has none.
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
