// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <QAbstractTableModel>
#include <memory>

namespace cutaway::views {

/// Returns "model.py:42" for a place in user code, with the whole path if `isWhole`; "" if the place is unknown.
QString placeText(const std::string &file, std::optional<std::uint64_t> line, bool isWhole = false);

/// Returns a message about a source as a sentence, with its place before it if that is known.
QString messageText(const sequence::Diagnostic &message);

/// The sequences of a document as rows, in the order of the document.
class CompilationModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        IdColumn,
        RankColumn,
        PartColumn,
        FunctionColumn,
        PlaceColumn,
        StatusColumn,
        StepsColumn,
        NodesColumn, ///< nodes of the last graph
        BreaksColumn,
        ReasonColumn,
        ColumnCount
    };
    static constexpr int sortRole = Qt::UserRole;

    explicit CompilationModel(std::shared_ptr<const sequence::Document> document, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Whether a column has nothing to show: its text is empty or unknown for all sequences, or all have the same rank.
    bool isIdle(int column) const;
    static bool hasNumbers(int column);

private:
    QString text(const sequence::Sequence &sequence, int column) const;
    std::optional<std::uint64_t> number(const sequence::Sequence &sequence, int column) const;
    QString toolTip(const sequence::Sequence &sequence, int column) const;

    std::shared_ptr<const sequence::Document> m_document;
};

} // namespace cutaway::views
