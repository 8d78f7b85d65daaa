// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The menu Run: running and profiling the model, and saved profiles.
#include "app/desktop/main_window.h"

#include "views/run/profile_files.h"
#include "views/session/running.h"
#include "views/session/session.h"

#include <QMenu>
#include <QMenuBar>

namespace cutaway::desktop {

void MainWindow::startRunning(views::Running::Kind kind)
{
    showDock("run"); // which shows its progress
    if (session()->running().isBusy())
        return;
    takePlugins();
    session()->running().start(kind);
}

void MainWindow::makeRunMenu()
{
    using Kind = views::Running::Kind;
    QMenu &menu = *menuBar()->addMenu(tr("&Run"));
    ofGraph(addAction(menu, "run", tr("&Profile model"), tr("F8"), [this] { startRunning(Kind::Profile); }));
    ofGraph(addAction(menu, {}, tr("&Run model"), tr("F7"), [this] { startRunning(Kind::Run); }));
    ofGraph(addAction(menu, {}, tr("Run and look at &all values"), tr("Shift+F7"),
                      [this] { startRunning(Kind::Statistics); }));
    onlyWhile(addAction(menu, {}, tr("&Stop"), tr("Shift+F8"), [this] { session()->running().stop(); }),
              [this] { return session()->running().isBusy(); });
    menu.addSeparator();
    const auto file = [this](void (*act)(views::Session &, QWidget *)) {
        return [this, act] {
            showDock("run");
            act(*session(), this);
        };
    };
    ofGraph(addAction(menu, {}, tr("&Open profile…"), {}, file(views::openProfile)));
    const auto hasProfile = [this] { return session()->running().profile() != nullptr; };
    onlyWhile(addAction(menu, {}, tr("Sa&ve profile…"), {}, file(views::saveProfile)), hasProfile);
    ofGraph(addAction(menu, {}, tr("&Compare with profile…"), {}, file(views::compareProfile)));
    onlyWhile(addAction(menu, {}, tr("Use as &baseline of later profiles"), {},
                        [this] { session()->running().keepToCompare(); }),
              hasProfile);
    onlyWhile(addAction(menu, {}, tr("&End profile comparison"), {}, [this] { session()->running().endComparison(); }),
              [this] { return session()->running().baseline().has_value(); });
    menu.addSeparator();
    onlyWhile(addAction(menu, {}, tr("Clear results and &times"), {}, [this] { session()->running().forget(); }),
              [this, hasProfile] { return hasProfile() || session()->running().result() != nullptr; });
}

} // namespace cutaway::desktop
