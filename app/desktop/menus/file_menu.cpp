// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/main_window.h"
#include "app/desktop/menus/actions.h"
#include "app/desktop/menus/menus.h"
#include "app/desktop/recent_files.h"
#include "app/desktop/writing/exports.h"
#include "app/desktop/writing/file_dialogs.h"
#include "app/desktop/writing/saving.h"
#include "core/ir/model_format.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/running.h"
#include "views/session/running/trace_change.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QFileInfo>
#include <QMenu>

namespace cutaway::desktop {
namespace {

using views::Session;

void fillRecent(QMenu &menu, Pages &pages, const QSettings &settings)
{
    for (const QString &path : recentFiles(settings)) {
        QAction *action = menu.addAction(QFileInfo(path).fileName(), &pages, [&pages, path] { pages.open(path); });
        action->setToolTip(path);
    }
    if (menu.isEmpty())
        menu.addAction(QObject::tr("No recent files"))->setEnabled(false);
    menu.setToolTipsVisible(true);
}

bool isCompared(const Session &session) { return session.comparing().other() != nullptr; }
bool hasDifference(const Session &session) { return session.comparing().difference() != nullptr; }
bool hasTrace(const Session &session) { return session.running().trace() != nullptr; }
bool hasTraceChange(const Session &session) { return session.running().traceChange() != nullptr; }
bool isNoOnnx(const Session &session) { return !ir::isOnnx(session.document().model()); }
bool isNoPt2(const Session &session) { return !ir::isExportedProgram(session.document().model()); }

QMenu &addExports(QMenu &file, Actions &actions, Exports &exports)
{
    QMenu &menu = *file.addMenu(QObject::tr("E&xport"));
    const auto add = [&](const QString &icon, const QString &text, const QString &keys, void (Exports::*write)(),
                         bool (*isThere)(const Session &)) {
        const auto act = [&exports, write](Session &) { (exports.*write)(); };
        const auto isUseful = [&exports, isThere](const Session &session) {
            return !exports.isBusy() && isThere(session);
        };
        actions.add(menu, icon, text, keys, act, isUseful);
    };
    add("export", QObject::tr("Export &picture…"), QObject::tr("Ctrl+E"), &Exports::exportPicture, hasGraph);
    add({}, QObject::tr("Export &report…"), QObject::tr("Ctrl+Shift+E"), &Exports::exportReport, isOpen);
    add({}, QObject::tr("Export pa&ge…"), {}, &Exports::exportPage, hasGraph);
    add({}, QObject::tr("Export &differences…"), {}, &Exports::exportDifferences, hasDifference);
    add({}, QObject::tr("Export &trace comparison…"), {}, &Exports::exportTraceComparison, hasTraceChange);
    add({}, QObject::tr("Export &steps as pictures…"), {}, &Exports::exportSteps, hasSteps);
    return menu;
}

} // namespace

FileMenu makeFileMenu(Actions &actions, MainWindow &window, const QSettings &settings, Saving &saving)
{
    Pages &pages = window.pages();
    Exports &exports = window.exports();
    const auto chosen = [&window](const QString &title, const std::function<void(const QString &)> &act) {
        return [&window, title, act](Session &) {
            if (const QString path = chooseModel(window, title, window.pages().current()->path()); !path.isEmpty())
                act(path);
        };
    };
    const auto save = [&saving](void (Saving::*act)()) { return [&saving, act](Session &) { (saving.*act)(); }; };
    QMenu &menu = actions.addMenu(QObject::tr("&File"));
    actions.add(menu, "open", QObject::tr("&Open…"), QKeySequence::Open, [&window] { window.browse(); });
    actions.add(menu, {}, QObject::tr("Open &folder…"), {}, [&window] { window.browseFolder(); });
    actions.add(menu, {}, QObject::tr("Open files as a ro&w of steps…"), {}, [&window] { window.browseRow(); });
    const auto beside =
        chosen(QObject::tr("Open to the side"), [&pages](const QString &path) { pages.openBeside(path); });
    QAction *openBeside =
        actions.add(menu, {}, QObject::tr("Open to the s&ide…"), QObject::tr("Ctrl+Alt+O"), beside, isOpen);
    const auto openTrace = [&window](Session &session) {
        const QString path = chooseTrace(window, window.pages().current()->path());
        if (!path.isEmpty() && window.session() == &session)
            window.openTrace(path);
    };
    actions.add(menu, {}, QObject::tr("Open &trace…"), {}, openTrace, hasGraph);
    actions.addFilled(menu, QObject::tr("Open &recent"),
                      [&pages, &settings](QMenu &recent) { fillRecent(recent, pages, settings); });
    QAction *reload = actions.add(menu, {}, QObject::tr("Re&load"), QKeySequence::Refresh,
                                  [&pages] { pages.reload(*pages.current()); });
    QObject::connect(&pages, &Pages::currentChanged, reload,
                     [&pages, reload] { reload->setEnabled(pages.current() && pages.current()->isRead()); });
    actions.add(menu, {}, QObject::tr("Save sessio&n…"), QObject::tr("Ctrl+S"), save(&Saving::saveSession), isOpen);
    menu.addSeparator();
    const auto compare =
        chosen(QObject::tr("Compare with a model"), [&window](const QString &path) { window.compareWith(path); });
    actions.add(menu, {}, QObject::tr("Co&mpare with…"), QObject::tr("Ctrl+Shift+D"), compare, isOpen);
    const auto end = [](Session &session) { session.comparing().end(); };
    actions.add(menu, {}, QObject::tr("&End comparison"), {}, end, isCompared);
    const auto compareTrace = [&window](Session &session) {
        const QString path = chooseTrace(window, window.pages().current()->path());
        if (!path.isEmpty() && window.session() == &session && hasTrace(session))
            window.compareTrace(path);
    };
    actions.add(menu, {}, QObject::tr("Compare with trace…"), {}, compareTrace, hasTrace);
    const auto endTraces = [](Session &session) { session.running().endTraceComparison(); };
    actions.add(menu, {}, QObject::tr("End trace comparison"), {}, endTraces, hasTraceChange);
    menu.addSeparator();
    actions.add(menu, {}, QObject::tr("&Save as ONNX…"), {}, save(&Saving::saveAsOnnx), isNoOnnx);
    actions.add(menu, {}, QObject::tr("Save as .pt&2…"), {}, save(&Saving::saveAsPt2), isNoPt2);
    QMenu &exportMenu = addExports(menu, actions, exports);
    const auto saveShown = [&pages, &saving](Session &) { saving.saveShown(*pages.current()); };
    const auto isFree = [&exports](const Session &) { return !exports.isBusy(); };
    const auto print = [&exports](Session &) { exports.print(); };
    actions.add(menu, {}, QObject::tr("Save model &as…"), {}, saveShown, isFree);
    actions.add(menu, {}, QObject::tr("&Print…"), QKeySequence::Print, print, hasGraph);
    menu.addSeparator();
    QAction *close = actions.add(menu, {}, QObject::tr("&Close model"), QObject::tr("Ctrl+W"), [&pages] {
        if (ModelPage *page = pages.current())
            pages.close(*page);
    });
    QObject::connect(&pages, &Pages::currentChanged, close,
                     [&pages, close] { close->setEnabled(pages.current() != nullptr); });
    menu.addSeparator();
    actions.add(menu, {}, QObject::tr("&Quit"), QObject::tr("Ctrl+Q"), [&window] { window.close(); });
    return {exportMenu, openBeside, close};
}

} // namespace cutaway::desktop
