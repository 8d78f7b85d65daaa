// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/docks/docking.h"
#include "app/desktop/menus/actions.h"
#include "app/desktop/menus/menus.h"
#include "app/desktop/problem.h"
#include "app/desktop/session_defaults.h"
#include "core/ir/model_format.h"
#include "core/plugin/interpreter.h"
#include "views/run/profile_files.h"
#include "views/session/document.h"
#include "views/session/running.h"
#include "views/session/session.h"

#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QStandardPaths>

namespace cutaway::desktop {
namespace {

using views::Running;
using views::Session;

bool canStop(const Session &session) { return session.running().isBusy(); }
/// Whether a model can be run. A model that is made of a trace cannot.
bool canRun(const Session &session) { return hasGraph(session) && !ir::formatOf(session.document().file()).isRecorded; }
bool hasProfile(const Session &session) { return session.running().profile() != nullptr; }
bool hasBaseline(const Session &session) { return session.running().comparison().baseline().has_value(); }
bool hasResults(const Session &session) { return hasProfile(session) || session.running().result() != nullptr; }

Actions::Act call(void (Running::*act)())
{
    return [act](Session &session) { (session.running().*act)(); };
}

/// Returns the Python interpreters and environments that this process knows of, the one in use first.
QStringList knownPythons()
{
    QStringList found{QString::fromStdString(plugin::interpreter())};
    for (const char *variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        found << qEnvironmentVariable(variable);
    found << QStandardPaths::findExecutable("python3");
    found.removeAll(QString());
    found.removeDuplicates();
    return found;
}

bool isThere(const QString &python)
{
    return QFileInfo::exists(python) || !QStandardPaths::findExecutable(python).isEmpty();
}

/// Asks the backend torch-python for its devices, so that the user sees an error of this Python at once.
void tryPython(Session &session, Docking &docks)
{
    usePlugins(session);
    views::RunSettings settings = session.running().setup().settings();
    settings.backend.clear(); // without a backend, the devices that another Python has listed are forgotten
    session.running().setup().setSettings(settings);
    settings.backend = "torch-python";
    session.running().setup().setSettings(settings);
    session.running().setup().findDevices();
    docks.show("run");
}

void askForPython(const Actions &actions, Docking &docks, SessionDefaults &defaults, QWidget &window)
{
    auto *dialog = new QInputDialog(&window);
    dialog->setObjectName("python");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QObject::tr("Python for plugins"));
    dialog->setLabelText(QObject::tr("Plugins such as torch-python run with the libraries of this Python.\n"
                                     "A program, or the folder of its environment; empty: the active environment."));
    dialog->setComboBoxItems(knownPythons());
    dialog->setComboBoxEditable(true);
    QObject::connect(dialog, &QInputDialog::textValueSelected, &window, [&](const QString &python) {
        if (!python.isEmpty() && !isThere(python))
            return tellProblem(window, QObject::tr("Python for plugins"),
                               QObject::tr("There is no program or folder %1.").arg(python));
        defaults.keepPython(python);
        if (Session *session = actions.session(); session && hasGraph(*session))
            tryPython(*session, docks);
    });
    dialog->open();
}

} // namespace

void makeRunMenu(Actions &actions, Docking &docks, SessionDefaults &defaults, QWidget &window)
{
    using Kind = Running::Kind;
    const auto start = [&docks](Kind kind) {
        return [&docks, kind](Session &session) {
            docks.show("run"); // this dock shows the progress
            if (session.running().isBusy())
                return;
            usePlugins(session);
            session.running().start(kind);
        };
    };
    const auto file = [&](void (*act)(Session &, QWidget *)) {
        return [&docks, &window, act](Session &session) {
            docks.show("run");
            act(session, &window);
        };
    };
    const auto all = start(Kind::Statistics);
    QMenu &menu = actions.addMenu(QObject::tr("&Run"));
    actions.add(menu, "run", QObject::tr("&Profile model"), QObject::tr("F8"), start(Kind::Profile), canRun);
    actions.add(menu, {}, QObject::tr("&Run model"), QObject::tr("F7"), start(Kind::Run), canRun);
    actions.add(menu, {}, QObject::tr("Run with st&atistics"), QObject::tr("Shift+F7"), all, canRun);
    actions.add(menu, {}, QObject::tr("&Stop"), QObject::tr("Shift+F8"), call(&Running::stop), canStop);
    menu.addSeparator();
    actions.add(menu, {}, QObject::tr("&Open profile…"), {}, file(views::openProfile), hasGraph);
    actions.add(menu, {}, QObject::tr("Sa&ve profile…"), {}, file(views::saveProfile), hasProfile);
    actions.add(menu, {}, QObject::tr("&Compare with profile…"), {}, file(views::compareProfile), hasGraph);
    actions.add(
        menu, {}, QObject::tr("Use as &baseline of later profiles"), {},
        [](Session &session) { session.running().comparison().keep(); }, hasProfile);
    actions.add(
        menu, {}, QObject::tr("&End profile comparison"), {},
        [](Session &session) { session.running().comparison().end(); }, hasBaseline);
    menu.addSeparator();
    actions.add(menu, {}, QObject::tr("Pyt&hon for plugins…"), {},
                [&] { askForPython(actions, docks, defaults, window); });
    actions.add(menu, {}, QObject::tr("Clear results and &times"), {}, call(&Running::forget), hasResults);
}

} // namespace cutaway::desktop
