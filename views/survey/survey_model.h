// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/measurement_section.h"
#include "views/parts/quantity.h"

#include <QAbstractItemModel>
#include <memory>
#include <vector>

namespace cutaway::views {

/// The models of a survey as rows, or groups of them above their models. Sorting is by number in columns of numbers;
/// unknown values come last.
class SurveyModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column {
        NameColumn, ///< the path below the folder that contains all models
        StateColumn,
        FormatColumn,
        ProducerColumn,
        OpsetColumn,
        NodesColumn,
        ParametersColumn,
        WeightsColumn,
        FlopsColumn,
        MemoryColumn,
        FileColumn,
        ColumnCount ///< followed by one column for each backend, machine and request
    };
    enum class Grouping { None, Producer, Format, Family, State };
    using Entries = std::shared_ptr<const std::vector<survey::Entry>>;

    using QAbstractItemModel::QAbstractItemModel;

    void setEntries(Entries entries);
    /// Sets which models have rows, by index of the entry.
    void setShown(std::vector<bool> shown);
    void setGrouping(Grouping grouping);

    /// Returns the model of a row; nullptr for a group.
    const survey::Entry *entry(const QModelIndex &index) const;
    std::size_t shownCount() const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order) override;

    static bool hasNumbers(int column) { return column == OpsetColumn || column >= NodesColumn; }

private:
    struct Group {
        QString title;
        std::vector<std::size_t> models; ///< indices among the entries
    };
    void rebuild();
    void arrange();
    const Group *groupAt(const QModelIndex &index) const;
    QString groupTitle(const survey::Entry &entry) const;
    QString nameOf(const survey::Entry &entry) const;
    /// Returns the measurement that a column of profiles shows; nullptr if nothing was to be measured, or for other
    /// columns.
    const survey::Measurement *measurementAt(const survey::Entry &entry, int column) const;
    double sortKey(const survey::Entry &entry, int column) const;
    QString text(const survey::Entry &entry, int column) const;
    QString fullText(const survey::Entry &entry, int column) const;
    QVariant exactData(const survey::Entry &entry, int column) const;
    QVariant groupData(const Group &group, int column, int role) const;
    QVariant modelData(const survey::Entry &entry, int column, int role) const;

    Entries m_entries;
    std::filesystem::path m_folder; ///< the innermost folder that contains all models
    std::vector<survey::MeasuredOn> m_measuredOn;
    std::vector<bool> m_shown;
    Grouping m_grouping = Grouping::None;
    int m_sortColumn = -1; ///< -1: by path
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    std::vector<Group> m_groups; ///< a single group without a title, if models are not grouped
};

} // namespace cutaway::views
