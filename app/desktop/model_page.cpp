// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/model_page.h"

#include "app/desktop/banner.h"
#include "app/desktop/docks/docks.h"
#include "core/ir/model.h"
#include "core/ir/weights_only.h"
#include "views/export_failure/export_failure.h"
#include "views/graph/canvas.h"
#include "views/graph/graph.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/running.h"
#include "views/session/session.h"
#include "views/session/stepping.h"
#include "views/steps/steps.h"
#include "views/tensor/tensor.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QSplitter>
#include <QVBoxLayout>

namespace cutaway::desktop {
namespace {

/// The pause after an edit before the session is saved, since edits come in groups.
constexpr int keepingPauseMs = 1000;

} // namespace

bool showsWeights(const ir::Model &file) { return ir::isWeightsOnly(file) && !file.tensors.empty(); }

ModelPage::ModelPage(Source source, QWidget *parent)
    : QWidget(parent),
      m_source(std::move(source)),
      m_file(fileOf(m_source.path)),
      m_column(new QVBoxLayout(this)),
      m_banner(new Banner(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addWidget(m_banner);
    keeping.setSingleShot(true);
    keeping.setInterval(keepingPauseMs);
    connect(&m_openingOther, &Opening::opened, this, [this](const QString &, const ReadModel &read) {
        if (m_session)
            m_session->comparing().start(read.model);
    });
}

ModelPage::~ModelPage() { clear(); }

QString ModelPage::name() const
{
    const QString whole = QDir::cleanPath(QFileInfo(m_file).absoluteFilePath()); // a folder may end with a slash
    return QFileInfo(whole).fileName() + path().sliced(m_file.size());
}

/// Deletes the views and then the session, since views refer to the session.
void ModelPage::clear()
{
    emit canvasesGoing();
    for (QWidget *view : m_dockViews)
        delete view;
    m_dockViews.clear();
    delete std::exchange(m_content, nullptr);
    m_panes = nullptr;
    m_session.reset();
    m_listed.reset();
    m_exportFailure.reset();
}

void ModelPage::setListed(std::shared_ptr<const sequence::Document> listed, QWidget *page)
{
    clear();
    m_listed = std::move(listed);
    setPage(page);
}

void ModelPage::setNotExported(NoExport failure)
{
    clear();
    m_exportFailure = std::move(failure);
    setPage(views::makeExportFailure(nullptr, m_exportFailure, this));
}

void ModelPage::setPage(QWidget *page)
{
    if (m_content) {
        m_content->hide();
        m_content->deleteLater(); // the call may come from a button of the content
    }
    fill(page, page);
}

/// Shows the content of the page. `reader` is the widget in it that takes the keyboard focus.
void ModelPage::fill(QWidget *content, QWidget *reader)
{
    m_content = content;
    m_column->addWidget(content, 1);
    // A layout would show it later. If the window became active before, another widget would get the keyboard focus.
    content->show();
    setFocusProxy(reader);
}

void ModelPage::setModel(const ReadModel &read)
{
    m_openingOther.cancel(); // the other model was to be compared with the model that is gone
    written.reset();
    clear();
    m_session = std::make_unique<views::Session>(read.model, read.sums);
    m_exportFailure = read.exportFailure;
    auto *content = new QWidget(this);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(views::makeStepBar(*m_session, content));
    m_panes = new QSplitter(content);
    m_panes->setChildrenCollapsible(false);
    QWidget *reader = views::makeGraphView(*m_session, m_panes);
    m_panes->addWidget(reader);
    column->addWidget(m_exportFailure ? besideFailure(m_panes) : m_panes, 1);
    if (showsWeights(*read.model)) {
        m_panes->hide();
        reader = views::makeTensorView(*m_session, content);
        reader->setObjectName("tensors");
        column->addWidget(reader, 1);
    }
    fill(content, reader);
    for (const Dock &dock : docks()) {
        QWidget *view = m_dockViews.emplace_back(dock.make(*m_session, this));
        view->setAccessibleName(tr(dock.title));
        view->hide();
    }
    connect(&m_session->comparing(), &views::Comparing::otherChanged, this, &ModelPage::showOther);
    emit canvasesChanged();
}

QWidget *ModelPage::besideFailure(QWidget *graphs)
{
    auto *both = new QSplitter(graphs->parentWidget());
    both->setChildrenCollapsible(false);
    both->addWidget(views::makeExportFailure(&m_session->stepping(), m_exportFailure, both));
    both->addWidget(graphs);
    both->setStretchFactor(1, 1);
    return both;
}

void ModelPage::compareWith(const QString &other, std::shared_ptr<const TemporaryFolder> folder)
{
    m_otherFolder = std::move(folder);
    m_wantedOther = other;
    if (m_session)
        openWantedOther();
}

void ModelPage::openWantedOther()
{
    if (!m_wantedOther.isEmpty())
        m_openingOther.start(std::exchange(m_wantedOther, {}));
}

void ModelPage::openTrace(const QString &trace)
{
    m_wantedTrace = trace;
    if (m_session)
        openWantedTrace();
}

void ModelPage::openWantedTrace()
{
    if (m_wantedTrace.isEmpty())
        return;
    m_session->running().openTrace(std::exchange(m_wantedTrace, {}));
    emit traceOpened();
}

/// Shows the compared model in a second pane, or removes that pane.
void ModelPage::showOther()
{
    emit canvasesGoing();
    while (m_panes->count() > 1)
        delete m_panes->widget(1);
    if (views::Session *other = m_session->comparing().other()) {
        m_panes->addWidget(views::makeGraphView(*other, m_panes));
        m_panes->setSizes({1000, 1000});
    }
    emit canvasesChanged();
}

QList<views::Canvas *> ModelPage::canvases() const
{
    QList<views::Canvas *> all;
    for (int i = 0; m_panes && i < m_panes->count(); ++i)
        for (views::Canvas *canvas : m_panes->widget(i)->findChildren<views::Canvas *>())
            if (!canvas->isFollowing())
                all << canvas;
    return all;
}

views::Canvas *ModelPage::canvas() const { return m_panes ? &views::shownCanvas(*m_panes->widget(0)) : nullptr; }

views::Canvas *ModelPage::canvasInSight() const
{
    for (int i = 0; m_panes && i < m_panes->count(); ++i)
        if (m_panes->widget(i)->isAncestorOf(QApplication::focusWidget()))
            return &views::shownCanvas(*m_panes->widget(i));
    return canvas();
}

} // namespace cutaway::desktop
