// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/diagnostics/diagnostics.h"

#include "views/diagnostics/diagnostic_model.h"
#include "views/parts/row_delegate.h"
#include "views/session/session.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeView>

namespace cutaway::views {
namespace {

QWidget *nothingToSay(QWidget *parent)
{
    auto *label = new QLabel(QObject::tr("Nothing to report: the whole file was understood."), parent);
    label->setContentsMargins(16, 12, 16, 12);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setBackgroundRole(QPalette::Base);
    label->setAutoFillBackground(true);
    return label;
}

void show(Session &session, const ir::Diagnostic &diagnostic)
{
    if (diagnostic.function)
        session.setFunction(*diagnostic.function);
    if (diagnostic.function && diagnostic.node)
        session.reveal(*diagnostic.node);
}

} // namespace

QWidget *makeDiagnosticsView(Session &session, QWidget *parent)
{
    if (session.model().diagnostics.empty())
        return nothingToSay(parent);
    auto *list = new QTreeView(parent);
    auto *model = new DiagnosticModel(session.sharedModel(), list);
    list->setModel(model);
    list->setRootIsDecorated(false);
    list->setItemDelegate(new RowDelegate(list));
    list->setAllColumnsShowFocus(true);
    list->setIconSize({16, 16});
    list->setUniformRowHeights(true);
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(DiagnosticModel::MessageColumn, QHeaderView::Stretch);
    list->header()->resizeSection(DiagnosticModel::PlaceColumn, 200);
    list->header()->resizeSection(DiagnosticModel::CodeColumn, 200);
    QObject::connect(list, &QTreeView::clicked, &session,
                     [&session, model](const QModelIndex &index) { show(session, model->diagnostic(index.row())); });
    return list;
}

} // namespace cutaway::views
