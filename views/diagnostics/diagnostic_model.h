// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <QAbstractItemModel>
#include <memory>
#include <vector>

namespace cutaway::views {

/// Diagnostics of a model, most severe first: message, location, code. Diagnostics with the same text about several
/// nodes are one row, with a row for each below it.
class DiagnosticModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { MessageColumn, PlaceColumn, CodeColumn, ColumnCount };

    explicit DiagnosticModel(std::shared_ptr<const ir::Model> model, QObject *parent = nullptr);

    /// Shows the diagnostics of the model, together with `more` about it, such as those of its analysis.
    void show(std::shared_ptr<const ir::Model> model, std::vector<ir::Diagnostic> more);

    /// Returns the diagnostic of a row; if the row stands for several, the first of them.
    const ir::Diagnostic &diagnostic(const QModelIndex &index) const;
    bool hasGroups() const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    /// Diagnostics with the same text, grouped.
    struct Group {
        std::size_t first, count;
    };
    bool isGroup(const QModelIndex &index) const;
    QString text(const QModelIndex &index) const;
    void take(std::vector<ir::Diagnostic> all);

    std::shared_ptr<const ir::Model> m_model;
    std::vector<ir::Diagnostic> m_diagnostics;
    std::vector<Group> m_groups;
};

} // namespace cutaway::views
