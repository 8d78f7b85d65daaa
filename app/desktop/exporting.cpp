// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the main window writes, prints and copies of what it shows.
#include "app/desktop/main_window.h"

#include "app/desktop/picture_dialog.h"
#include "core/base/whole_file.h"
#include "core/drawing/picture.h"
#include "core/report/difference.h"
#include "core/report/report.h"
#include "views/appearance/theme.h"
#include "views/graph/canvas.h"
#include "views/parts/table_copy.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/session.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QPainter>
#include <QPrintPreviewDialog>
#include <QPrinter>
#include <QStatusBar>
#include <QTreeView>
#include <algorithm>

namespace cutaway::desktop {
namespace {

constexpr double copyZoom = 2; ///< pixels of a copied picture for one of the window's
constexpr double maxCopySide = 8000;

} // namespace

views::Canvas *MainWindow::canvasInSight() const
{
    return m_pages->current() ? m_pages->current()->canvasInSight() : nullptr;
}

/// The table with the keyboard, or else the one that is in sight, those below the graph first.
QTreeView *MainWindow::tableInSight() const
{
    if (auto *list = qobject_cast<QTreeView *>(QApplication::focusWidget()))
        return list;
    QTreeView *found = nullptr;
    for (QDockWidget *dock : m_docks)
        for (QTreeView *list : dock->findChildren<QTreeView *>())
            if (!list->visibleRegion().isEmpty() && (!found || dockWidgetArea(dock) == Qt::BottomDockWidgetArea))
                found = list;
    return found;
}

/// Returns the folder of the model if files can be written there, else the home folder.
QString MainWindow::targetFolder() const
{
    const QString folder = QFileInfo(path()).absolutePath();
    return QFileInfo(folder).isWritable() ? folder : QDir::homePath();
}

/// Asks for a file beside the model's. A name without a suffix gets that of the filter before it is asked whether a
/// file is to be replaced. `filters`: texts with their suffixes.
QString MainWindow::chooseTarget(const QString &title, const QString &name,
                                 const std::vector<std::pair<QString, QString>> &filters)
{
    const QFileInfo model(this->path());
    QFileDialog dialog(this, title, targetFolder());
    QStringList texts;
    for (const auto &[text, suffix] : filters)
        texts << QStringLiteral("%1 (*.%2)").arg(text, suffix);
    dialog.setNameFilters(texts);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    const auto follow = [&](const QString &filter) {
        const auto chosen = std::size_t(std::max<qsizetype>(texts.indexOf(filter), 0));
        dialog.setDefaultSuffix(filters[chosen].second);
    };
    connect(&dialog, &QFileDialog::filterSelected, &dialog, follow);
    follow(texts.front());
    dialog.selectFile(model.completeBaseName() + name + '.' + filters.front().second);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

void MainWindow::exportPicture()
{
    const views::Canvas *canvas = canvasInSight();
    if (!canvas || !canvas->picture())
        return;
    PictureChoice first = m_pictureChoice;
    first.dark = views::isDark(palette());
    auto *dialog = new PictureDialog(canvas->sight().size(), canvas->picture()->bounds().size(), first,
                                     QDir(targetFolder()).filePath(QFileInfo(path()).completeBaseName()), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_pictureChoice = dialog->choice();
        writePicture(dialog->path(), m_pictureChoice, dialog->reportPath());
    });
    dialog->open();
}

void MainWindow::writePicture(const QString &path, const PictureChoice &choice, const QString &reportPath)
{
    const views::Canvas *canvas = canvasInSight();
    if (!canvas || !canvas->picture())
        return;
    views::ShownDiagram shown = canvas->shownDiagram(choice.dark ? drawing::darkPalette() : drawing::lightPalette());
    shown.look.zoom = choice.zoom;
    if (choice.whole)
        shown.look.part.reset();
    const QStringList files = reportPath.isEmpty() ? QStringList{path} : QStringList{path, reportPath};
    inBackground(
        tr("Writing %1").arg(QFileInfo(path).fileName()),
        [shown = std::move(shown), path = path.toStdString(),
         report = reportPath.isEmpty() ? nullptr : reportWork(reportPath)](const std::stop_token &stop) {
            const Result<void> written = drawing::writePicture(*shown.diagram, shown.look, path, stop);
            return written && report ? report(stop) : written;
        },
        telling(files));
}

void MainWindow::exportReport()
{
    const QString path = chooseTarget(
        tr("Export report"), {},
        {{tr("Web page"), "html"}, {tr("Markdown"), "md"}, {tr("Table of the nodes"), "csv"}, {tr("JSON"), "json"}});
    if (!path.isEmpty())
        writeReport(path);
}

/// Returns the work that writes the report of the shown model, at the sizes and for the device that its views have.
std::function<Result<void>(std::stop_token)> MainWindow::reportWork(const QString &path) const
{
    const views::Document &document = session()->document();
    return [model = document.withGiven(), function = document.functionId(), given = document.givenValues(),
            device = session()->analysing().device(), path = path.toStdString()](std::stop_token stop) {
        const report::Subject subject{*model, function, given.withoutTensors(), {&device, nullptr}};
        return report::writeReport(subject, function != ir::FunctionId{0}, path, std::move(stop));
    };
}

void MainWindow::writeReport(const QString &path)
{
    inBackground(tr("Writing %1").arg(QFileInfo(path).fileName()), reportWork(path), telling({path}));
}

void MainWindow::exportDifferences()
{
    const QString path =
        chooseTarget(tr("Export differences"), QStringLiteral(".differences"),
                     {{tr("Web page"), "html"}, {tr("Markdown"), "md"}, {tr("JSON"), "json"}, {tr("Text"), "diff"}});
    if (!path.isEmpty())
        writeDifferences(path);
}

void MainWindow::writeDifferences(const QString &path)
{
    views::Comparing &comparing = session()->comparing();
    inBackground(
        tr("Writing %1").arg(QFileInfo(path).fileName()),
        [a = session()->analysing().figures(), b = comparing.other()->analysing().figures(),
         difference = comparing.difference(), path = std::filesystem::path(path.toStdString())](std::stop_token) {
            const diff::Side before{*a->model(), a->analysis()}, after{*b->model(), b->analysis()};
            return writeWholeFile(path, report::differenceIn({before, after, *difference}, path.extension().string()));
        },
        telling({path}));
}

void MainWindow::copyPicture()
{
    const views::Canvas *canvas = canvasInSight();
    if (!canvas || !canvas->picture())
        return;
    const QRectF part = canvas->sight();
    const double zoom = canvas->viewport().zoom * copyZoom;
    const double within = std::min(zoom, maxCopySide / std::max(part.width(), part.height()));
    QImage image((part.size() * within).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    canvas->paintPart(painter, part, image.size(), views::diagramPalette(palette()));
    painter.end();
    QApplication::clipboard()->setImage(image);
    statusBar()->showMessage(tr("Picture copied"), messageMs);
}

void MainWindow::copyTable()
{
    const QTreeView *list = tableInSight();
    if (!list)
        return;
    views::copyTable(*list);
    statusBar()->showMessage(tr("Table copied"), messageMs);
}

/// Paints the part of the graph that is in sight on one page, in light colours.
void MainWindow::printOn(QPrinter &printer) const
{
    const views::Canvas *canvas = canvasInSight();
    QPainter painter(&printer);
    if (canvas && canvas->picture())
        canvas->paintPart(painter, canvas->sight(), QSizeF(painter.device()->width(), painter.device()->height()),
                          drawing::lightPalette());
}

void MainWindow::printPicture()
{
    const views::Canvas *canvas = canvasInSight();
    if (!canvas || !canvas->picture())
        return;
    const QSizeF size = canvas->sight().size();
    auto *dialog = new QPrintPreviewDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->printer()->setDocName(m_pages->current()->name());
    dialog->printer()->setPageOrientation(size.width() > size.height() ? QPageLayout::Landscape
                                                                       : QPageLayout::Portrait);
    connect(dialog, &QPrintPreviewDialog::paintRequested, this, [this](QPrinter *printer) { printOn(*printer); });
    dialog->open();
}

} // namespace cutaway::desktop
