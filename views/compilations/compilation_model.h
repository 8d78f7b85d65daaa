// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <QAbstractTableModel>
#include <memory>

namespace cutaway::views {

/// "model.py:42" of a place in user code, with its whole path or without; "" if it is not known.
QString placeText(const std::string &file, std::optional<std::uint64_t> line, bool isWhole = false);

/// A message on a source as a sentence, after its place if that is known.
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

    /// Whether a column is empty for all sequences, or the same.
    bool isIdle(int column) const;
    static bool hasNumbers(int column);

private:
    QString text(const sequence::Sequence &sequence, int column) const;
    std::optional<std::uint64_t> number(const sequence::Sequence &sequence, int column) const;
    QString toolTip(const sequence::Sequence &sequence, int column) const;

    std::shared_ptr<const sequence::Document> m_document;
};

} // namespace cutaway::views
