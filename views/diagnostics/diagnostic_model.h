// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <QAbstractTableModel>
#include <memory>
#include <vector>

namespace cutaway::views {

/// Diagnostics of a model, most severe first: message, location, code.
class DiagnosticModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { MessageColumn, PlaceColumn, CodeColumn, ColumnCount };

    explicit DiagnosticModel(std::shared_ptr<const ir::Model> model, QObject *parent = nullptr);

    /// Shows the diagnostics of the model, and `more`.
    void setMore(std::vector<ir::Diagnostic> more);

    const ir::Diagnostic &diagnostic(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(const ir::Diagnostic &diagnostic, int column) const;

    std::shared_ptr<const ir::Model> m_model;
    std::vector<ir::Diagnostic> m_diagnostics;
};

} // namespace cutaway::views
