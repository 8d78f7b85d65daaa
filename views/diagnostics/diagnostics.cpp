// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/diagnostics/diagnostics.h"

#include "core/lint/lint.h"
#include "views/diagnostics/diagnostic_model.h"
#include "views/parts/latest_work.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

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

/// Inputs of the function whose sizes are not known at all: much else is not known because of them.
QString openInputNames(const Figures &figures)
{
    QStringList names;
    for (const ir::FunctionInput &input : figures.function().inputs) {
        const auto *value = input.value.as<ir::ValueId>();
        if (!value || input.kind != ir::FunctionInput::Kind::User)
            continue;
        const ops::Fact &fact = figures.analysis().shapes.of(*value);
        const auto *tensor = ops::asTensor(fact);
        const bool isNumber = std::holds_alternative<ir::NumberType>(
            figures.model()->context->at(figures.function().graph.at(*value).type));
        if (tensor ? !tensor->shape : (!isNumber && !fact.as<ops::SequenceFact>()))
            names << shown(figures.model()->context->text(input.name));
    }
    return names.join(QStringLiteral(", "));
}

/// What would answer many at once; "" if there are few.
QString hintText(const Figures &figures)
{
    constexpr std::size_t many = 10;
    const auto stops = static_cast<long long>(figures.analysis().shapes.stops.size());
    const QString names = openInputNames(figures);
    return stops < static_cast<long long>(many) || names.isEmpty()
        ? QString()
        : QObject::tr("%1 with unknown results; most follow from inputs without sizes (%2). Give them in Bindings.")
              .arg(counted(stops, "node", "nodes"), names);
}

QTreeView *makeList(Session &session, DiagnosticModel *model, QWidget *parent)
{
    auto *list = new QTreeView(parent);
    list->setModel(model);
    list->setAccessibleName(QObject::tr("Diagnostics"));
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
    makeCopyable(*list);
    return list;
}

} // namespace

QWidget *makeDiagnosticsView(Session &session, QWidget *parent)
{
    auto *pages = new QStackedWidget(parent);
    auto *model = new DiagnosticModel(session.document().models().shown.model, pages);
    pages->addWidget(nothingToSay(pages));
    auto *page = new QWidget(pages);
    auto *hint = new QLabel(page);
    hint->setContentsMargins(12, 6, 12, 6);
    hint->setWordWrap(true);
    hint->setTextFormat(Qt::PlainText);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(hint);
    column->addWidget(makeList(session, model, page), 1);
    pages->addWidget(page);
    const auto tellHint = [hint, &session] {
        const auto figures = session.analysing().figures();
        hint->setText(figures ? hintText(*figures) : QString());
        hint->setVisible(!hint->text().isEmpty());
    };
    QObject::connect(&session.analysing(), &Analysing::figuresChanged, hint, tellHint);
    tellHint();
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
