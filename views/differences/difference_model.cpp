// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/differences/difference_model.h"

#include "core/base/text.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/session.h"

#include <QGuiApplication>
#include <QPalette>

namespace cutaway::views {
namespace {

/// Returns the names of nodes; if there are many, their number and both ends: "53 nodes, conv1 … fc".
QString namesOf(const Session &session, const std::vector<ir::NodeId> &nodes)
{
    constexpr std::size_t few = 3;
    const ir::Graph &graph = session.document().function().graph;
    if (nodes.size() > few)
        return QObject::tr("%1 nodes, %2 … %3")
            .arg(shown(grouped(static_cast<long long>(nodes.size()))), shownName({graph, nodes.front()}),
                 shownName({graph, nodes.back()}));
    QStringList names;
    for (const ir::NodeId node : nodes)
        names << shownName({graph, node});
    return names.join(QStringLiteral(", "));
}

layout::Mark markOf(const Comparing::Row &row)
{
    const bool isOfSignature = row.a.empty() && row.b.empty();
    return row.isSame   ? layout::Mark::None
        : isOfSignature ? layout::Mark::Changed
        : row.b.empty() ? layout::Mark::Removed
        : row.a.empty() ? layout::Mark::Added
                        : layout::Mark::Changed;
}

QString signOf(layout::Mark mark)
{
    switch (mark) {
    case layout::Mark::Added:
        return QStringLiteral("+");
    case layout::Mark::Removed:
        return QStringLiteral("−");
    case layout::Mark::Changed:
        return QStringLiteral("~");
    case layout::Mark::Absent:
    case layout::Mark::None:
        break;
    }
    return QStringLiteral("=");
}

} // namespace

DifferenceModel::DifferenceModel(Session &session, QObject *parent)
    : QAbstractTableModel(parent),
      m_session(session),
      m_comparing(session.comparing())
{
    connect(&m_comparing, &Comparing::differenceChanged, this, &DifferenceModel::follow);
    follow();
}

void DifferenceModel::setFilter(const QString &filter, bool withSame)
{
    m_filter = filter;
    m_withSame = withSame;
    follow();
}

void DifferenceModel::follow()
{
    beginResetModel();
    m_rows.clear();
    for (std::size_t i = 0; i < m_comparing.rows().size(); ++i) {
        const Comparing::Row &row = m_comparing.rows()[i];
        bool fits = m_filter.isEmpty();
        for (int column = FirstColumn; !fits && column < ColumnCount; ++column)
            fits = text(row, column).contains(m_filter, Qt::CaseInsensitive);
        if (fits && (m_withSame || !row.isSame))
            m_rows.push_back(i);
    }
    endResetModel();
}

int DifferenceModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }
int DifferenceModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QString DifferenceModel::text(const Comparing::Row &row, int column) const
{
    if (row.a.empty() && row.b.empty())
        return column == SignColumn                           ? signOf(markOf(row))
            : column == FirstColumn || column == SecondColumn ? row.signature
            : column == WhatColumn                            ? row.what
                                                              : QString();
    const bool inFirst = !row.a.empty();
    const ir::Graph &graph =
        inFirst ? m_session.document().function().graph : m_comparing.other()->document().function().graph;
    const ir::NodeRef node(graph, inFirst ? row.a.front() : row.b.front());
    switch (column) {
    case SignColumn:
        return row.isReplaced ? QStringLiteral("≠") : signOf(markOf(row));
    case FirstColumn:
        return namesOf(m_session, row.a);
    case SecondColumn:
        return namesOf(*m_comparing.other(), row.b);
    case OperatorColumn:
        return shown(node.fullName());
    case ModuleColumn:
        return shown(graph.context().text(node.scope().path));
    default:
        return row.what;
    }
}

QVariant DifferenceModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Comparing::Row &what = row(index.row());
    if (role == Qt::DisplayRole)
        return text(what, index.column());
    if (role == Qt::ToolTipRole)
        return toolTipText(text(what, index.column()));
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == SignColumn ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && index.column() == SignColumn)
        return toColor(diagramPalette(QGuiApplication::palette()).mark(markOf(what)));
    return {};
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QString titles[] = {QString(), tr("First"), tr("Second"), tr("Operator"), tr("Module"), tr("Difference")};
    return orientation == Qt::Horizontal && role == Qt::DisplayRole ? QVariant(titles[section]) : QVariant();
}

} // namespace cutaway::views
