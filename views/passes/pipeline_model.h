// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/step_text.h"
#include "views/session/stepping.h"

#include <QAbstractTableModel>

namespace cutaway::views {

/// The passes of the pipeline with their outcomes. A check box switches a pass off.
class PipelineModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { PassColumn, OutcomeColumn, TimeColumn, ColumnCount };

    explicit PipelineModel(Stepping &stepping, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

    void add(const passes::Pass &pass, int row);
    void remove(int row);
    /// Moves an entry up (-1) or down (1); returns false if it is the first or the last.
    bool move(int row, int by);

private:
    /// The outcome of an entry over all iterations.
    struct Outcome {
        std::size_t runs = 0;
        Delta delta = {};
        bool isChange = false, isFailure = false;
        double seconds = 0;
        std::vector<std::string> remarks = {}; ///< remarks of the last iteration
    };
    void follow();
    QVariant text(int row, int column) const;
    QString toolTip(int row) const;
    void put(std::vector<passes::Entry> entries);

    Stepping &m_stepping;
    passes::Pipeline m_pipeline;
    std::vector<Outcome> m_outcomes; ///< by entry
};

} // namespace cutaway::views
