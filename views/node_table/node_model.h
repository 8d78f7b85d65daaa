// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/node_data/node_data.h"
#include "views/parts/table_copy.h"
#include "views/session/figures.h"

#include <QAbstractItemModel>
#include <memory>
#include <vector>

namespace cutaway::views {

/// The nodes of a function as rows with their figures, or groups of them with sums above their nodes. Sorting is by
/// number in columns of numbers; unknown values come last.
class NodeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column {
        NameColumn,
        OperatorColumn,
        FlopsColumn,
        BytesColumn,
        MemoryColumn,
        TimeColumn,
        MeasuredColumn,
        ShareColumn, ///< share of the total node time
        RatioColumn, ///< measured time / predicted time
        ShapeColumn,
        ModuleColumn,
        CategoryColumn,
        ColumnCount ///< followed by the columns of the node data
    };
    enum class Grouping { None, Module, Operator };
    static constexpr int categoryRole = Qt::UserRole + 1; ///< the role of a node's ops::Category, as int

    explicit NodeModel(QObject *parent = nullptr) : QAbstractItemModel(parent) { }

    /// By NodeId: whether a node has a row; nothing: all have.
    using Shown = std::optional<std::vector<bool>>;
    /// Shows the nodes of the figures' function; null: there are no rows.
    void setFigures(std::shared_ptr<const Figures> figures, Shown shown = {});
    void setShown(Shown shown);
    void setGrouping(Grouping grouping);
    /// Sets the node data whose columns are shown; null: none. A column without text cells is one of numbers.
    void setNodeData(std::shared_ptr<const node_data::NodeData> data);

    std::optional<ir::NodeId> node(const QModelIndex &index) const;
    /// Returns the index of a node's row; an invalid index if it has none.
    QModelIndex indexOf(ir::NodeId node) const;
    std::size_t nodeCount() const { return m_nodeCount; }
    /// Returns the sum over all rows.
    Quantity sum(Measure measure) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    struct Group {
        QString title;
        std::vector<ir::NodeId> nodes;
    };
    void rebuild();
    void arrange();
    QString groupTitle(ir::NodeId node) const;
    const Group *groupAt(const QModelIndex &index) const;
    QString text(ir::NodeId node, int column) const;
    Quantity quantity(ir::NodeId node, int column) const;
    Quantity quantity(const Group &group, int column) const;
    Quantity measured(std::span<const ir::NodeId> nodes, int column) const;
    QString measuredText(ir::NodeId node, int column) const;
    QString toolTip(ir::NodeId node, int column) const;
    QString headerToolTip(int section) const;
    QString headerTitle(int section) const;
    const node_data::Column *dataColumn(int column) const;
    bool isOfNumbers(int column) const;
    QVariant dataCell(ir::NodeId node, int column, int role) const;
    double sortNumber(ir::NodeId node, int column) const;
    double sortNumber(const Quantity &quantity) const;
    QVariant groupData(const Group &group, int column, int role) const;
    QVariant nodeData(ir::NodeId node, int column, int role) const;

    std::shared_ptr<const Figures> m_figures;
    std::shared_ptr<const node_data::NodeData> m_data;
    std::vector<bool> m_dataHasTexts; ///< by column of the data
    Shown m_shown;
    Grouping m_grouping = Grouping::None;
    int m_sortColumn = -1; ///< -1: in order of execution
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    std::vector<Group> m_groups; ///< a single group without a title, if nodes are not grouped
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_places; ///< by NodeId: group and row
    std::size_t m_nodeCount = 0;
};

/// Returns the measure that a column shows; nothing for other columns.
std::optional<Measure> measureOf(int column);
bool hasNumbers(int column);
/// Whether a column shows values of a profile.
bool isOfProfile(int column);

} // namespace cutaway::views
