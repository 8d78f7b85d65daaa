// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/diagnostics/diagnostics.h"

#include "core/lint/lint.h"
#include "views/diagnostics/diagnostic_model.h"
#include "views/parts/row_delegate.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/latest_work.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTreeView>

namespace cutaway::views {
namespace {

QWidget *nothingToSay(QWidget *parent)
{
    auto *label =
        new QLabel(QObject::tr("No diagnostics: the whole file was understood, and no rule finds anything."), parent);
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
        session.document().setFunction(*diagnostic.function);
    if (diagnostic.function && diagnostic.node)
        session.navigation().reveal(*diagnostic.node);
}

/// Those of the analysis, and what the rules of lint find. It takes as long as a look at every node.
std::vector<ir::Diagnostic> allOf(const Figures &figures, const std::stop_token &stop)
{
    std::vector<ir::Diagnostic> all = figures.diagnostics();
    for (ir::Diagnostic &found : lint::diagnostics(*figures.model(), figures.analysis(), Task{stop, {}}))
        all.push_back(std::move(found));
    return all;
}

QTreeView *makeList(Session &session, DiagnosticModel *model, QWidget *parent)
{
    auto *list = new QTreeView(parent);
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
    QObject::connect(list, &QTreeView::clicked, list,
                     [&session, model](const QModelIndex &index) { show(session, model->diagnostic(index.row())); });
    return list;
}

} // namespace

QWidget *makeDiagnosticsView(Session &session, QWidget *parent)
{
    auto *pages = new QStackedWidget(parent);
    auto *model = new DiagnosticModel(session.document().models().shown.model, pages);
    pages->addWidget(nothingToSay(pages));
    pages->addWidget(makeList(session, model, pages));
    auto *work = new LatestWork(pages);
    const auto show = [pages, model](std::vector<ir::Diagnostic> more) {
        model->setMore(std::move(more));
        pages->setCurrentIndex(model->rowCount() == 0 ? 0 : 1);
    };
    const auto ask = [work, show, &session] {
        if (const auto figures = session.analysing().figures())
            work->request([figures, show](const std::stop_token &stop) -> LatestWork::Finish {
                return [show, all = allOf(*figures, stop)] { show(all); };
            });
    };
    QObject::connect(&session.analysing(), &Analysing::figuresChanged, pages, ask);
    show({});
    ask();
    return pages;
}

} // namespace cutaway::views
