// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The menu Passes: running them, and how their steps are shown.
#include "app/desktop/main_window.h"

#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace cutaway::desktop {

void MainWindow::makePassesMenu()
{
    QMenu &menu = *menuBar()->addMenu(tr("&Passes"));
    const auto stepping = [this]() -> views::Stepping & { return session()->stepping(); };
    ofGraph(addAction(menu, {}, tr("&Run passes"), tr("F6"), [this, stepping] {
        showDock("passes");
        stepping().run();
    }));
    onlyWhile(addAction(menu, {}, tr("&Stop"), tr("Shift+F6"), [stepping] { stepping().stop(); }),
              [stepping] { return stepping().isRunning(); });
    const auto hasSteps = [stepping] { return stepping().history() != nullptr; };
    onlyWhile(addAction(menu, {}, tr("Back to the input &file"), {}, [stepping] { stepping().clear(); }), hasSteps);
    menu.addSeparator();
    onlyWhile(addAction(menu, {}, tr("&Next step"), tr("Alt+Right"), [stepping] { stepping().next(); }),
              [stepping] { return stepping().position() < stepping().count(); });
    onlyWhile(addAction(menu, {}, tr("&Previous step"), tr("Alt+Left"), [stepping] { stepping().previous(); }),
              [stepping] { return stepping().position() > 0; });
    menu.addSeparator();
    makeStepViews(menu);
}

/// How a step is shown: ticks say it.
void MainWindow::makeStepViews(QMenu &menu)
{
    using View = views::Stepping::View;
    const auto stepping = [this]() -> views::Stepping & { return session()->stepping(); };
    const auto add = [&](const QString &text, const QKeySequence &keys, std::function<void()> act,
                         std::function<bool()> isOn) {
        QAction *action = addAction(menu, {}, text, keys, std::move(act));
        onlyWhile(action, [stepping] { return stepping().history() != nullptr; });
        ticked(action, std::move(isOn));
    };
    const std::pair<View, QString> all[] = {{View::Before, tr("Show graph &before the step")},
                                            {View::Both, tr("Show bot&h in one graph")},
                                            {View::After, tr("Show graph &after the step")},
                                            {View::SideBySide, tr("Show side by si&de")}};
    for (const auto &[view, text] : all)
        add(
            text, {}, [stepping, view = view] { stepping().setView(view); },
            [stepping, view = view] { return stepping().view() == view; });
    add(
        tr("&Keep node positions across steps"), {},
        [stepping] { stepping().setHoldsPlaces(!stepping().holdsPlaces()); },
        [stepping] { return stepping().holdsPlaces(); });
    add(
        tr("&Only changes"), tr("Ctrl+Shift+O"),
        [stepping] { stepping().setFocusesChanges(!stepping().focusesChanges()); },
        [stepping] { return stepping().focusesChanges(); });
}

} // namespace cutaway::desktop
