// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/diagnostics/diagnostics.h"

#include "core/request/given.h"
#include "views/diagnostics/diagnostic_model.h"
#include "views/parts/latest_work.h"
#include "views/parts/open_inputs.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <tuple>

namespace cutaway::views {
namespace {

QString lookingText() { return QObject::tr("Checking every node…"); }

QLabel *makeNotice(QWidget *parent)
{
    auto *label = new QLabel(lookingText(), parent);
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

/// Advice on inputs with unknown sizes that make much else unknown: a line for each of them.
struct Advice {
    QString text;     ///< "" if there is none
    GivenTexts texts; ///< values for these inputs, which a button gives on the user's behalf
};

QStringList openInputNames(const Figures &figures)
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
    return names;
}

/// Returns advice for making unknown nodes known; empty advice if there are few of them, or no input has unknown sizes.
/// This takes as long as an analysis.
Advice adviceOn(const Figures &figures, const ir::Model &file, GivenTexts given, const std::stop_token &stop)
{
    constexpr std::size_t many = 10;
    const std::size_t stops = figures.analysis().shapes.stops.size();
    const QStringList names = openInputNames(figures);
    if (stops < many || names.isEmpty())
        return {};
    const ir::FunctionId function = figures.analysis().function;
    QStringList lines;
    for (const OpenInput &input : openInputs(file, function))
        if (!input.example.isEmpty() && input.text(given.inputs).isEmpty()) {
            std::ranges::copy(input.given(input.example), std::back_inserter(given.inputs));
            lines << QStringLiteral("%1 = %2").arg(shown(input.path), input.example);
        }
    ir::Model model = file;
    const auto values = request::readGiven(model, function, given.bindings, given.inputs);
    const std::size_t left =
        values ? analysis::inferShapes(model, function, values->withoutTensors(), Task{stop, {}}).stops.size() : stops;
    if (left >= stops)
        return {QObject::tr("%1; most depend on inputs without sizes (%2). Set them in Bindings.")
                    .arg(counted(static_cast<long long>(stops), "unknown node", "unknown nodes"),
                         names.join(QStringLiteral(", "))),
                {}};
    return {QObject::tr("Setting %1 resolves %2 of %3.")
                .arg(lines.join(QStringLiteral(", ")))
                .arg(stops - left)
                .arg(counted(static_cast<long long>(stops), "unknown node", "unknown nodes")),
            given};
}

/// Shows advice, with buttons to follow it.
class Hint : public QWidget {
public:
    Hint(Session &session, QWidget *parent)
        : QWidget(parent),
          m_text(new QLabel(this)),
          m_use(new QPushButton(tr("Use this"), this))
    {
        m_text->setWordWrap(true);
        m_text->setTextFormat(Qt::PlainText);
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(12, 6, 12, 6);
        row->addWidget(m_text, 1);
        row->addWidget(m_use);
        auto *bindings = new QPushButton(tr("Bindings"), this);
        row->addWidget(bindings);
        connect(m_use, &QPushButton::clicked, this,
                [this, &session] { std::ignore = session.document().give(m_advice.texts); });
        connect(bindings, &QPushButton::clicked, this, [&session] { session.document().requestSizes(); });
        hide();
    }

    void show(Advice advice)
    {
        m_advice = std::move(advice);
        m_text->setText(m_advice.text);
        m_use->setVisible(m_advice.texts != GivenTexts{});
        setVisible(!m_advice.text.isEmpty());
    }

private:
    QLabel *m_text;
    QPushButton *m_use;
    Advice m_advice;
};

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
                     [&session, model](const QModelIndex &index) { show(session, model->diagnostic(index)); });
    makeCopyable(*list);
    return list;
}

} // namespace

QWidget *makeDiagnosticsView(Session &session, QWidget *parent)
{
    auto *pages = new QStackedWidget(parent);
    auto *model = new DiagnosticModel(session.document().models().shown.model, pages);
    auto *notice = makeNotice(pages);
    pages->addWidget(notice);
    auto *page = new QWidget(pages);
    auto *hint = new Hint(session, page);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(hint);
    auto *list = makeList(session, model, page);
    column->addWidget(list, 1);
    pages->addWidget(page);
    auto *work = new LatestWork(pages);
    const auto show = [pages, model, list, hint](std::shared_ptr<const ir::Model> of, std::vector<ir::Diagnostic> more,
                                                 Advice advice) {
        model->show(std::move(of), std::move(more));
        list->setRootIsDecorated(model->hasGroups());
        hint->show(std::move(advice));
        pages->setCurrentIndex(model->rowCount() == 0 ? 0 : 1);
    };
    const auto ask = [work, show, notice, &session] {
        const auto figures = session.analysing().figures();
        if (!figures)
            return;
        notice->setText(lookingText());
        const Document &document = session.document();
        work->request([figures, show, notice, file = document.isFileShown() ? document.models().file : nullptr,
                       given = document.given()](const std::stop_token &stop) -> LatestWork::Finish {
            auto all = figures->diagnosticsAndFindings(Task{stop, {}});
            // There is advice only on the file's own graph: passes have run with the values that are given already.
            auto advice = file ? adviceOn(*figures, *file, given, stop) : Advice();
            return [show, notice, figures, all = std::move(all), advice = std::move(advice)] {
                notice->setText(QObject::tr("No diagnostics."));
                show(figures->model(), all, advice);
            };
        });
    };
    QObject::connect(&session.analysing(), &Analysing::figuresChanged, pages, ask);
    show(session.document().models().shown.model, {}, {});
    ask();
    return pages;
}

} // namespace cutaway::views
