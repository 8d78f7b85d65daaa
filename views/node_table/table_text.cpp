// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/node_table/table_text.h"

#include "views/node_table/node_model.h"

namespace cutaway::views {
namespace {

QString csvCell(QString text)
{
    if (!text.contains(',') && !text.contains('"') && !text.contains('\n'))
        return text;
    return '"' + text.replace('"', QStringLiteral("\"\"")) + '"';
}

QString markdownCell(QString text)
{
    return text.replace('\\', QStringLiteral("\\\\")).replace('|', QStringLiteral("\\|")).replace('\n', ' ');
}

QStringList headCells(const QAbstractItemModel &model)
{
    QStringList cells;
    for (int column = 0; column < NodeModel::ColumnCount; ++column)
        cells << model.headerData(column, Qt::Horizontal).toString();
    return cells;
}

QStringList cellsOf(const QModelIndex &row)
{
    QStringList cells;
    for (int column = 0; column < NodeModel::ColumnCount; ++column)
        cells << row.siblingAtColumn(column).data(exactRole).toString();
    return cells;
}

} // namespace

QString csvText(const QModelIndexList &rows)
{
    if (rows.isEmpty())
        return {};
    const auto line = [](QStringList cells) {
        for (QString &cell : cells)
            cell = csvCell(cell);
        return cells.join(',') + '\n';
    };
    QString text = line(headCells(*rows.front().model()));
    for (const QModelIndex &row : rows)
        text += line(cellsOf(row));
    return text;
}

QString markdownText(const QModelIndexList &rows)
{
    if (rows.isEmpty())
        return {};
    const auto line = [](QStringList cells) {
        for (QString &cell : cells)
            cell = markdownCell(cell);
        return "| " + cells.join(" | ") + " |\n";
    };
    QString text = line(headCells(*rows.front().model()));
    for (int column = 0; column < NodeModel::ColumnCount; ++column)
        text += hasNumbers(column) ? "|---:" : "|---";
    text += "|\n";
    for (const QModelIndex &row : rows)
        text += line(cellsOf(row));
    return text;
}

} // namespace cutaway::views
