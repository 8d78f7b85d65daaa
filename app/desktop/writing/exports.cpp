// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/writing/exports.h"

#include "app/desktop/docks/docking.h"
#include "app/desktop/pages.h"
#include "app/desktop/status.h"
#include "app/desktop/writing/file_dialogs.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/drawing/picture.h"
#include "core/report/difference.h"
#include "core/report/page/page.h"
#include "core/report/report.h"
#include "core/report/step_pictures.h"
#include "core/report/traces/trace_comparison.h"
#include "views/appearance/theme.h"
#include "views/graph/canvas.h"
#include "views/parts/table_copy.h"
#include "views/session/analysing.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/running.h"
#include "views/session/running/trace_change.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPainter>
#include <QPrintPreviewDialog>
#include <QPrinter>
#include <QTreeView>
#include <algorithm>

namespace cutaway::desktop {
namespace {

constexpr double copyZoom = 2; ///< pixels of a copied picture per pixel of the window
constexpr double maxCopySide = 8000;

/// Returns a function that writes the report of the shown model, with the sizes and the device of its views.
Writing::Work reportWork(const views::Session &session, const QString &path)
{
    const views::Document &document = session.document();
    return [model = document.withGiven(), function = document.functionId(), given = document.givenValues(),
            device = session.analysing().device(), path = path.toStdString()](std::stop_token stop) {
        const report::Subject subject{*model, function, given.withoutTensors(), {&device, nullptr}};
        return report::writeReport(subject, function != ir::FunctionId{0}, path, std::move(stop));
    };
}

/// Returns a function that writes the interactive page of the shown model or, if passes have run, of all its states.
/// The page has the times of a profile or a trace if there are some.
Writing::Work pageWork(const views::Session &session, const QString &path)
{
    const views::Document &document = session.document();
    return [model = document.withGiven(), function = document.functionId(), given = document.givenValues(),
            device = session.analysing().device(), history = session.stepping().history(),
            hasSteps = session.stepping().count() > 0, times = session.running().timing(),
            path = path.toStdString()](std::stop_token stop) -> Result<void> {
        const report::Subject subject{*model, function, given.withoutTensors(), {&device, nullptr}};
        CUTAWAY_TRY(const auto page,
                    report::interactivePage(subject, {hasSteps ? history.get() : nullptr, times}, std::move(stop)));
        return writeWholeFile(path, page);
    };
}

} // namespace

Exports::Exports(QWidget &window, const Pages &pages, const Docking &docks, Writing &writing, Status &status)
    : m_window(window),
      m_pages(pages),
      m_docks(docks),
      m_writing(writing),
      m_status(status)
{
}

views::Session &Exports::session() const { return *m_pages.current()->session(); }

views::Canvas *Exports::canvas() const { return m_pages.current() ? m_pages.current()->canvasInSight() : nullptr; }

void Exports::exportPicture()
{
    const views::Canvas *canvas = this->canvas();
    if (!canvas || !canvas->picture())
        return;
    const QString &model = m_pages.current()->file();
    PictureChoice first = m_choice;
    first.dark = views::isDark(m_window.palette());
    auto *dialog =
        new PictureDialog(canvas->sight().part().size(), canvas->picture()->bounds().size(), first,
                          QDir(targetFolder(model)).filePath(QFileInfo(model).completeBaseName()), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_choice = dialog->choice();
        writePicture(dialog->path(), m_choice, dialog->reportPath());
    });
    dialog->open();
}

void Exports::writePicture(const QString &path, const PictureChoice &choice, const QString &reportPath)
{
    const views::Canvas *canvas = this->canvas();
    if (!canvas || !canvas->picture())
        return;
    views::ShownDiagram shown = canvas->shownDiagram(choice.dark ? drawing::darkPalette() : drawing::lightPalette());
    shown.look.zoom = choice.zoom;
    if (choice.whole)
        shown.look.part.reset();
    const QStringList files = reportPath.isEmpty() ? QStringList{path} : QStringList{path, reportPath};
    m_writing.exportTo(
        files,
        [shown = std::move(shown), path = path.toStdString(),
         report = reportPath.isEmpty() ? nullptr : reportWork(session(), reportPath)](const std::stop_token &stop) {
            const Result<void> written = drawing::writePicture(*shown.diagram, shown.look, path, stop);
            return written && report ? report(stop) : written;
        });
}

void Exports::exportReport()
{
    const QString path = chooseTarget(
        m_window, tr("Export report"), m_pages.current()->file(), {},
        {{tr("Web page"), "html"}, {tr("Markdown"), "md"}, {tr("Table of the nodes"), "csv"}, {tr("JSON"), "json"}});
    if (!path.isEmpty())
        writeReport(path);
}

void Exports::writeReport(const QString &path) { m_writing.exportTo({path}, reportWork(session(), path)); }

void Exports::exportPage()
{
    const QString path = chooseTarget(m_window, tr("Export page"), m_pages.current()->file(), QStringLiteral(".page"),
                                      {{tr("Web page"), "html"}});
    if (!path.isEmpty())
        writePage(path);
}

void Exports::writePage(const QString &path) { m_writing.exportTo({path}, pageWork(session(), path)); }

void Exports::exportDifferences()
{
    const QString path =
        chooseTarget(m_window, tr("Export differences"), m_pages.current()->file(), QStringLiteral(".differences"),
                     {{tr("Web page"), "html"}, {tr("Markdown"), "md"}, {tr("JSON"), "json"}, {tr("Text"), "diff"}});
    if (!path.isEmpty())
        writeDifferences(path);
}

void Exports::writeDifferences(const QString &path)
{
    views::Comparing &comparing = session().comparing();
    m_writing.exportTo(
        {path},
        [a = session().analysing().figures(), b = comparing.other()->analysing().figures(),
         difference = comparing.difference(), path = std::filesystem::path(path.toStdString())](std::stop_token) {
            const diff::Side before{*a->model(), a->analysis()}, after{*b->model(), b->analysis()};
            return writeWholeFile(path, report::differenceIn({before, after, *difference}, path.extension().string()));
        });
}

void Exports::exportTraceComparison()
{
    const QString path = chooseTarget(
        m_window, tr("Export trace comparison"), m_pages.current()->file(), QStringLiteral(".traces"),
        {{tr("Web page"), "html"}, {tr("Markdown"), "md"}, {tr("Table of the nodes"), "csv"}, {tr("JSON"), "json"}});
    if (!path.isEmpty())
        writeTraceComparison(path);
}

void Exports::writeTraceComparison(const QString &path)
{
    m_writing.exportTo({path},
                       [change = session().running().traceChange(), model = m_pages.current()->name().toStdString(),
                        path = std::filesystem::path(path.toStdString())](std::stop_token) {
                           const report::TraceComparison compared{model, change->before, change->after, change->graph(),
                                                                  change->comparison};
                           return writeWholeFile(path, report::traceComparisonIn(compared, path.extension().string()));
                       });
}

void Exports::exportSteps()
{
    const auto history = session().stepping().history();
    const QString folder = QFileDialog::getExistingDirectory(&m_window, tr("Folder for the pictures"));
    if (!folder.isEmpty())
        m_writing.start(tr("Writing steps"), [history, folder](std::stop_token stop) {
            return report::writeStepPictures(*history, folder.toStdString(), std::move(stop));
        });
}

void Exports::copyPicture()
{
    const views::Canvas *canvas = this->canvas();
    if (!canvas || !canvas->picture())
        return;
    const QRectF part = canvas->sight().part();
    const double zoom = canvas->viewport().zoom * copyZoom;
    const double within = std::min(zoom, maxCopySide / std::max(part.width(), part.height()));
    QImage image((part.size() * within).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    canvas->paintPart(painter, part, image.size(), views::diagramPalette(m_window.palette()));
    painter.end();
    QApplication::clipboard()->setImage(image);
    m_status.tell(tr("Picture copied"));
}

void Exports::copyTable()
{
    const QTreeView *list = m_docks.tableInSight();
    if (!list)
        return;
    views::copyTable(*list);
    m_status.tell(tr("Table copied"));
}

void Exports::printOn(QPrinter &printer) const
{
    const views::Canvas *canvas = this->canvas();
    QPainter painter(&printer);
    if (canvas && canvas->picture())
        canvas->paintPart(painter, canvas->sight().part(),
                          QSizeF(painter.device()->width(), painter.device()->height()), drawing::lightPalette());
}

void Exports::print()
{
    const views::Canvas *canvas = this->canvas();
    if (!canvas || !canvas->picture())
        return;
    const QSizeF size = canvas->sight().part().size();
    auto *dialog = new QPrintPreviewDialog(&m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->printer()->setDocName(m_pages.current()->name());
    dialog->printer()->setPageOrientation(size.width() > size.height() ? QPageLayout::Landscape
                                                                       : QPageLayout::Portrait);
    connect(dialog, &QPrintPreviewDialog::paintRequested, this, [this](QPrinter *printer) { printOn(*printer); });
    dialog->open();
}

} // namespace cutaway::desktop
