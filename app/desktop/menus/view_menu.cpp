// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/docks/docking.h"
#include "app/desktop/menus/actions.h"
#include "app/desktop/menus/colouring_menu.h"
#include "app/desktop/menus/menus.h"
#include "app/desktop/pages.h"
#include "app/desktop/panes/panes.h"
#include "core/ops/category.h"
#include "views/appearance/theme.h"
#include "views/graph/canvas.h"
#include "views/parts/text.h"
#include "views/session/measure.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/session.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QSettings>
#include <limits>

namespace cutaway::desktop {
namespace {

using views::Session;

/// Adds an action for each side of the window, which shows or hides all of its docks, and one for each dock.
void addPanels(QMenu &menu, Actions &actions, Docking &docks)
{
    const auto add = [&](const QString &icon, const QString &text, const QString &keys, Qt::DockWidgetArea area) {
        actions.add(menu, icon, text, keys, [&docks, area](Session &) { docks.toggle(area); }, hasGraph);
    };
    add("panel-left", QObject::tr("Toggle &left panel"), QObject::tr("Ctrl+B"), Qt::LeftDockWidgetArea);
    add("panel", QObject::tr("Toggle &bottom panel"), QObject::tr("Ctrl+J"), Qt::BottomDockWidgetArea);
    add("panel-right", QObject::tr("Toggle &right panel"), QObject::tr("Ctrl+Alt+B"), Qt::RightDockWidgetArea);
    menu.addSeparator();
    for (QDockWidget *dock : docks.all()) {
        QAction *action = dock->toggleViewAction();
        action->setData(QObject::tr("Show or hide panel: %1").arg(dock->windowTitle()));
        menu.addAction(action);
        actions.onlyWhile(action, isOpen);
    }
}

/// Adds the actions on panes, and returns those that the menu of a tab has, too.
QList<QAction *> addPaneActions(QMenu &menu, Actions &actions, Pages &pages, QSettings &settings)
{
    const auto duplicate = [&pages](Session &) { pages.openBeside(pages.current()->path()); };
    const auto addMove = [&](const QString &text, const QString &keys, int by) {
        QAction *move = actions.add(menu, {}, text, keys, [&pages, by] {
            if (ModelPage *page = pages.current())
                pages.panes().move(*page, by);
        });
        move->setEnabled(false);
        QObject::connect(&pages, &Pages::currentChanged, move, [&pages, move, by] {
            const ModelPage *page = pages.current();
            move->setEnabled(page && pages.panes().canMove(*page, by));
        });
        return move;
    };
    const QList<QAction *> ofTabs{
        actions.add(menu, {}, QObject::tr("&Duplicate view"), QObject::tr("Ctrl+\\"), duplicate, isOpen),
        addMove(QObject::tr("Move tab &right"), QObject::tr("Ctrl+Alt+Right"), 1),
        addMove(QObject::tr("Move tab l&eft"), QObject::tr("Ctrl+Alt+Left"), -1)};
    Lockstep &lockstep = pages.lockstep();
    const auto synchronize = [&actions, &lockstep, &settings](Session &) {
        settings.setValue("in-step", !lockstep.isOn());
        lockstep.setOn(!lockstep.isOn());
        actions.update();
    };
    actions.ticked(
        actions.add(menu, {}, QObject::tr("S&ynchronize views"), QObject::tr("Ctrl+Alt+S"), synchronize, isOpen),
        [&lockstep](const Session &) { return lockstep.isOn(); });
    return ofTabs;
}

void addMap(QMenu &menu, Actions &actions, QSettings &settings)
{
    const auto isShown = [](const Session &session) { return session.navigation().showsMap(); };
    const auto toggle = [&actions, &settings, isShown](Session &session) {
        settings.setValue("map", !isShown(session));
        session.navigation().setShowsMap(!isShown(session));
        actions.update();
    };
    actions.ticked(actions.add(menu, {}, QObject::tr("Map of the &graph"), {}, toggle, hasGraph), isShown);
}

/// Adds a menu with the categories of operators; the graph leaves out the ticked ones.
void addHidden(QMenu &view, Actions &actions)
{
    QMenu &menu = *view.addMenu(QObject::tr("&Hide"));
    actions.onlyWhile(menu.menuAction(), hasGraph);
    for (int i = 0; i < ops::categoryCount; ++i) {
        const auto category = static_cast<ops::Category>(i);
        const auto isHidden = [category](const Session &session) {
            return session.navigation().hiddenCategories().contains(category);
        };
        const auto toggle = [category, isHidden](Session &session) {
            session.navigation().hideCategory(category, !isHidden(session));
        };
        QString name = views::shown(ops::name(category));
        name[0] = name[0].toUpper();
        QAction *action = actions.add(menu, {}, name, {}, toggle, isOpen);
        action->setData(QObject::tr("Hide: %1").arg(name));
        actions.ticked(action, isHidden);
    }
    menu.addSeparator();
    const auto showAll = [](Session &session) { session.navigation().setHiddenCategories({}); };
    const auto isAnyHidden = [](const Session &session) { return !session.navigation().hiddenCategories().empty(); };
    actions.add(menu, {}, QObject::tr("&Show all categories"), {}, showAll, isAnyHidden);
}

void addLevels(QMenu &menu, Actions &actions)
{
    const auto deeper = [](Session &session) { session.navigation().openDeeper(); };
    const auto shallower = [](Session &session) { session.navigation().closeDeepest(); };
    const auto depth = [](int levels) { return [levels](Session &session) { session.navigation().setDepth(levels); }; };
    const auto all = depth(std::numeric_limits<int>::max());
    actions.add(menu, "deeper", QObject::tr("E&xpand one level"), QObject::tr("Ctrl+]"), deeper, hasGraph);
    actions.add(menu, "shallower", QObject::tr("Co&llapse one level"), QObject::tr("Ctrl+["), shallower, hasGraph);
    actions.add(menu, {}, QObject::tr("Collapse &all"), QObject::tr("Ctrl+Shift+["), depth(0), hasGraph);
    actions.add(menu, {}, QObject::tr("Ex&pand all"), QObject::tr("Ctrl+Shift+]"), all, hasGraph);
}

void addZoom(QMenu &menu, Actions &actions, Pages &pages)
{
    using Zoom = views::Requests::Zoom;
    const auto zoom = [&pages](Zoom how) {
        return [&pages, how](Session &) { pages.current()->canvasInSight()->session().requests().zoom(how); };
    };
    const auto isolate = [](Session &session) { session.navigation().focusOn(session.navigation().selection()); };
    const auto selection = zoom(Zoom::Selection);
    actions.add(menu, "fit", QObject::tr("&Fit entire graph"), QObject::tr("F"), zoom(Zoom::Fit), hasGraph);
    actions.add(menu, {}, QObject::tr("&Zoom to selection"), QObject::tr("Shift+F"), selection, isSelected);
    actions.add(menu, {}, QObject::tr("Isolate selection"), QObject::tr("Ctrl+Shift+F"), isolate, isSelected);
    actions.add(menu, "zoom-in", QObject::tr("Zoom &in"), QKeySequence::ZoomIn, zoom(Zoom::In), hasGraph);
    actions.add(menu, "zoom-out", QObject::tr("Zoom &out"), QKeySequence::ZoomOut, zoom(Zoom::Out), hasGraph);
    actions.add(menu, {}, QObject::tr("Actual &size"), QObject::tr("Ctrl+0"), zoom(Zoom::Actual), hasGraph);
}

void addThemes(QMenu &view, Actions &actions, const QWidget &window, const QSettings &settings,
               const std::function<void(views::Theme)> &setTheme)
{
    QMenu *menu = view.addMenu(QObject::tr("&Theme"));
    auto *group = new QActionGroup(menu);
    const std::pair<views::Theme, QString> themes[] = {{views::Theme::System, QObject::tr("&System")},
                                                       {views::Theme::Light, QObject::tr("&Light")},
                                                       {views::Theme::Dark, QObject::tr("&Dark")}};
    const int current = settings.value("theme", int(views::Theme::System)).toInt();
    for (const auto &[theme, text] : themes) {
        QAction *action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(int(theme) == current);
        action->setData(QObject::tr("Theme: %1").arg(text));
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, &actions, [setTheme, theme = theme] { setTheme(theme); });
    }
    actions.add(*menu, "theme", QObject::tr("S&witch between light and dark"), QObject::tr("Ctrl+T"),
                [group, &window] { group->actions().at(views::isDark(window.palette()) ? 1 : 2)->trigger(); });
}

} // namespace

ViewMenu makeViewMenu(Actions &actions, Pages &pages, Docking &docks, QSettings &settings, SessionDefaults &defaults,
                      Status &status, const std::function<void(views::Theme)> &setTheme)
{
    QMenu &menu = actions.addMenu(QObject::tr("&View"));
    addLevels(menu, actions);
    menu.addSeparator();
    addZoom(menu, actions, pages);
    menu.addSeparator();
    const QList<QAction *> ofTabs = addPaneActions(menu, actions, pages, settings);
    menu.addSeparator();
    addPanels(*menu.addMenu(QObject::tr("Pa&nels")), actions, docks);
    addMap(menu, actions, settings);
    menu.addSeparator();
    auto *colouring = new ColouringMenu(menu, actions, defaults, status);
    addHidden(menu, actions);
    addThemes(menu, actions, *pages.window(), settings, setTheme);
    return {*colouring, ofTabs};
}

} // namespace cutaway::desktop
