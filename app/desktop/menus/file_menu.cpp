// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The menu File: what is opened, saved, exported and closed.
#include "app/desktop/main_window.h"

#include "app/desktop/recent_files.h"
#include "core/ir/model_format.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

namespace cutaway::desktop {

void MainWindow::makeFileMenu()
{
    QMenu &menu = *menuBar()->addMenu(tr("&File"));
    addAction(menu, "open", tr("&Open…"), QKeySequence::Open, [this] { browse(); });
    m_tabActions << addAction(
        menu, {}, tr("Open to the s&ide…"), tr("Ctrl+Alt+O"),
        [this] {
            if (const QString path = chooseModel(tr("Open to the side")); !path.isEmpty())
                m_pages->openBeside(path);
        },
        true);
    m_recent = menu.addMenu(tr("Open &recent"));
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    addAction(menu, {}, tr("Re&load"), QKeySequence::Refresh, [this] { m_pages->reload(*m_pages->current()); }, true);
    addAction(menu, {}, tr("Save sessio&n…"), tr("Ctrl+S"), [this] { saveSession(); }, true);
    menu.addSeparator();
    addAction(
        menu, {}, tr("Co&mpare with…"), tr("Ctrl+Shift+D"),
        [this] {
            if (const QString path = chooseModel(tr("Compare with a model")); !path.isEmpty())
                compareWith(path);
        },
        true);
    onlyWhile(addAction(menu, {}, tr("&End comparison"), {}, [this] { session()->comparing().end(); }),
              [this] { return session()->comparing().other() != nullptr; });
    menu.addSeparator();
    onlyWhile(addAction(
                  menu, {}, tr("&Save as ONNX…"), {}, [this] { saveAsOnnx(); }, true),
              [this] { return !ir::isOnnx(session()->document().model()); });
    onlyWhile(addAction(
                  menu, {}, tr("Save as .p&t2…"), {}, [this] { saveAsPt2(); }, true),
              [this] { return !ir::isExportedProgram(session()->document().model()); });
    makeExportMenu(menu);
    menu.addSeparator();
    QAction *closing = addAction(menu, {}, tr("&Close model"), tr("Ctrl+W"), [this] {
        if (ModelPage *page = m_pages->current())
            m_pages->close(*page);
    });
    connect(m_pages, &Pages::currentChanged, closing,
            [this, closing] { closing->setEnabled(m_pages->current() != nullptr); });
    m_tabActions << closing;
    menu.addSeparator();
    addAction(menu, {}, tr("&Quit"), tr("Ctrl+Q"), [this] { close(); });
}

void MainWindow::makeExportMenu(QMenu &file)
{
    QMenu &menu = *file.addMenu(tr("E&xport"));
    m_exportMenu = &menu;
    const auto isFree = [this] { return !m_writing.isBusy(); };
    onlyWhile(addAction(menu, "export", tr("Export &picture…"), tr("Ctrl+E"), [this] { exportPicture(); }),
              [this, isFree] { return isFree() && !showsWeights(); });
    onlyWhile(addAction(menu, {}, tr("Export &report…"), tr("Ctrl+Shift+E"), [this] { exportReport(); }), isFree);
    onlyWhile(addAction(menu, {}, tr("Export &differences…"), {}, [this] { exportDifferences(); }),
              [this, isFree] { return isFree() && session()->comparing().difference() != nullptr; });
    onlyWhile(addAction(menu, {}, tr("Export &steps as pictures…"), {}, [this] { exportSteps(); }),
              [this, isFree] { return isFree() && session()->stepping().history() != nullptr; });
    onlyWhile(addAction(file, {}, tr("Save model &as…"), {}, [this] { saveShown(*m_pages->current()); }), isFree);
    ofGraph(addAction(file, {}, tr("&Print…"), QKeySequence::Print, [this] { printPicture(); }));
}

void MainWindow::fillRecentMenu()
{
    m_recent->clear();
    for (const QString &path : recentFiles(*m_settings)) {
        QAction *action = m_recent->addAction(QFileInfo(path).fileName(), this, [this, path] { open(path); });
        action->setToolTip(path);
    }
    if (m_recent->isEmpty())
        m_recent->addAction(tr("No recent files"))->setEnabled(false);
    m_recent->setToolTipsVisible(true);
}

} // namespace cutaway::desktop
