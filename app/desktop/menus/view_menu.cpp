// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The menu View: levels, zoom, docks, colours, what is hidden, and the theme.
#include "app/desktop/main_window.h"

#include "core/ops/category.h"
#include "views/graph/canvas.h"
#include "views/parts/text.h"
#include "views/session/measure.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <limits>

namespace cutaway::desktop {

void MainWindow::makeViewMenu()
{
    using Zoom = views::Navigation::Zoom;
    QMenu &menu = *menuBar()->addMenu(tr("&View"));
    const auto zoom = [this](Zoom how) {
        return [this, how] { canvasInSight()->session().navigation().requestZoom(how); };
    };
    ofGraph(addAction(menu, "deeper", tr("E&xpand one level"), tr("Ctrl+]"),
                      [this] { session()->navigation().openDeeper(); }));
    ofGraph(addAction(menu, "shallower", tr("Co&llapse one level"), tr("Ctrl+["),
                      [this] { session()->navigation().closeDeepest(); }));
    ofGraph(
        addAction(menu, {}, tr("Collapse &all"), tr("Ctrl+Shift+["), [this] { session()->navigation().setDepth(0); }));
    ofGraph(addAction(menu, {}, tr("Ex&pand all"), tr("Ctrl+Shift+]"),
                      [this] { session()->navigation().setDepth(std::numeric_limits<int>::max()); }));
    menu.addSeparator();
    ofGraph(addAction(menu, "fit", tr("&Fit entire graph"), tr("F"), zoom(Zoom::Fit)));
    const auto isSelected = [this] { return session()->navigation().selection() != views::Selection{}; };
    onlyWhile(addAction(menu, {}, tr("&Zoom to selection"), tr("Shift+F"), zoom(Zoom::Selection)), isSelected);
    onlyWhile(addAction(menu, {}, tr("Isolate selection"), tr("Ctrl+Shift+F"),
                        [this] { session()->navigation().focusOn(session()->navigation().selection()); }),
              isSelected);
    ofGraph(addAction(menu, "zoom-in", tr("Zoom &in"), QKeySequence::ZoomIn, zoom(Zoom::In)));
    ofGraph(addAction(menu, "zoom-out", tr("Zoom &out"), QKeySequence::ZoomOut, zoom(Zoom::Out)));
    ofGraph(addAction(menu, {}, tr("Actual &size"), tr("Ctrl+0"), zoom(Zoom::Actual)));
    menu.addSeparator();
    makePaneActions(menu);
    menu.addSeparator();
    makeViewPanels(*menu.addMenu(tr("Pa&nels")));
    QAction *map = ofGraph(addAction(menu, {}, tr("Map of the &graph"), {}, [this] {
        m_settings->setValue("map", !session()->navigation().showsMap());
        session()->navigation().setShowsMap(!session()->navigation().showsMap());
        updateActions();
    }));
    ticked(map, [this] { return session()->navigation().showsMap(); });
    menu.addSeparator();
    makeColouringMenu(menu);
    makeHideMenu(menu);
    makeThemeMenu(menu);
}

/// Adds an action for each side of the window as a whole, and for each dock.
void MainWindow::makeViewPanels(QMenu &menu)
{
    const auto add = [&](const QString &icon, const QString &text, const QString &keys, Qt::DockWidgetArea area) {
        ofGraph(addAction(menu, icon, text, keys, [this, area] { toggle(area); }));
    };
    add("panel-left", tr("Toggle &left panel"), tr("Ctrl+B"), Qt::LeftDockWidgetArea);
    add("panel", tr("Toggle &bottom panel"), tr("Ctrl+J"), Qt::BottomDockWidgetArea);
    add("panel-right", tr("Toggle &right panel"), tr("Ctrl+Alt+B"), Qt::RightDockWidgetArea);
    menu.addSeparator();
    for (QDockWidget *dock : m_docks) {
        QAction *action = dock->toggleViewAction();
        action->setData(tr("Show or hide panel: %1").arg(dock->windowTitle()));
        menu.addAction(action);
        m_sessionActions.push_back(action);
    }
}

/// A tick for each kind of operators that the graph leaves out.
void MainWindow::makeHideMenu(QMenu &view)
{
    QMenu &menu = *view.addMenu(tr("&Hide"));
    ofGraph(menu.menuAction());
    const auto navigation = [this]() -> views::Navigation & { return session()->navigation(); };
    for (int i = 0; i < ops::categoryCount; ++i) {
        const auto kind = static_cast<ops::Category>(i);
        const auto isHidden = [navigation, kind] { return navigation().hiddenKinds().contains(kind); };
        QString name = views::shown(ops::name(kind));
        name[0] = name[0].toUpper();
        QAction *action =
            addAction(menu, {}, name, {}, [navigation, kind, isHidden] { navigation().hideKind(kind, !isHidden()); });
        action->setData(tr("Hide: %1").arg(name));
        onlyWhile(action, [] { return true; });
        ticked(action, isHidden);
    }
    menu.addSeparator();
    onlyWhile(addAction(menu, {}, tr("&Show all kinds"), {}, [navigation] { navigation().setHiddenKinds({}); }),
              [navigation] { return !navigation().hiddenKinds().empty(); });
}

void MainWindow::makeThemeMenu(QMenu &view)
{
    QMenu *menu = view.addMenu(tr("&Theme"));
    m_themes = new QActionGroup(this);
    const std::pair<views::Theme, QString> themes[] = {
        {views::Theme::System, tr("&System")}, {views::Theme::Light, tr("&Light")}, {views::Theme::Dark, tr("&Dark")}};
    const int current = m_settings->value("theme", int(views::Theme::System)).toInt();
    for (const auto &[theme, text] : themes) {
        QAction *action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(int(theme) == current);
        action->setData(tr("Theme: %1").arg(text));
        m_themes->addAction(action);
        connect(action, &QAction::triggered, this, [this, theme] { setTheme(theme); });
    }
    addAction(*menu, "theme", tr("S&witch between light and dark"), tr("Ctrl+T"),
              [this] { m_themes->actions().at(views::isDark(palette()) ? 1 : 2)->trigger(); });
}

} // namespace cutaway::desktop
