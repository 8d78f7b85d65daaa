// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/docks/docking.h"

#include "app/desktop/docks/dock_tabs.h"
#include "app/desktop/docks/dock_title.h"
#include "app/desktop/docks/docks.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QTabBar>
#include <QTreeView>
#include <algorithm>

namespace cutaway::desktop {
namespace {

constexpr int arrangementVersion = 4;
constexpr int leastSide = 240, mostSide = 360; ///< limits in pixels of the width of docks beside the graph
constexpr int bottomHeight = 300;
constexpr const char *wasOnTop = "was-on-top"; ///< property: whether a dock was on top when its side was hidden

} // namespace

bool isOutOfSight(const QWidget &widget)
{
    for (const QWidget *at = &widget; at; at = at->parentWidget())
        if ((qobject_cast<const QDockWidget *>(at) || qobject_cast<const QTabBar *>(at))
            && !at->parentWidget()->rect().intersects(at->geometry()))
            return true;
    return false;
}

Docking::Docking(QMainWindow &window) : m_window(window)
{
    window.setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks | QMainWindow::AnimatedDocks);
    for (const Dock &d : docks()) {
        auto *dock = new QDockWidget(QObject::tr(d.title), &window);
        dock->setObjectName(d.name);
        keepTitle(window, *dock);
        window.addDockWidget(d.area, dock);
        dock->hide();
        m_docks.push_back(dock);
    }
    arrange();
    tellTabs(window, m_docks);
}

/// Makes the default arrangement, in which the docks of a side are tabs.
void Docking::arrange()
{
    m_window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    m_window.setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea); // tables below are wide, so they get the corner
    m_window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (std::size_t i = 1; i < m_docks.size(); ++i)
        for (std::size_t j = i; j-- > 0;)
            if (docks()[j].area == docks()[i].area) {
                m_window.tabifyDockWidget(m_docks[j], m_docks[i]);
                break;
            }
}

void Docking::fill(const std::vector<QWidget *> &views)
{
    for (std::size_t i = 0; i < m_docks.size(); ++i)
        m_docks[i]->setWidget(views[i]);
}

QByteArray Docking::arrangement() const { return m_isShown ? m_window.saveState(arrangementVersion) : m_arrangement; }

void Docking::setShown(bool isShown)
{
    if (isShown == m_isShown)
        return;
    m_isShown = isShown;
    if (!isShown) {
        m_arrangement = m_window.saveState(arrangementVersion);
        for (QDockWidget *dock : m_docks)
            dock->hide();
    } else if (m_arrangement.isEmpty() || !m_window.restoreState(m_arrangement, arrangementVersion)) {
        for (std::size_t i = 0; i < m_docks.size(); ++i)
            m_docks[i]->setVisible(docks()[i].area != Qt::BottomDockWidgetArea);
        for (std::size_t i = m_docks.size(); i-- > 0;)
            m_docks[i]->raise();
        for (std::size_t i = 0; i < m_docks.size(); ++i)
            if (docks()[i].area != Qt::BottomDockWidgetArea)
                m_window.resizeDocks({m_docks[i]}, {std::clamp(m_window.width() / 5, leastSide, mostSide)},
                                     Qt::Horizontal);
            else
                m_window.resizeDocks({m_docks[i]}, {bottomHeight}, Qt::Vertical);
    }
}

/// Returns the docks of a side, visible or hidden.
std::vector<QDockWidget *> Docking::in(Qt::DockWidgetArea area) const
{
    std::vector<QDockWidget *> found;
    for (QDockWidget *dock : m_docks)
        if (m_window.dockWidgetArea(dock) == area && !dock->isFloating())
            found.push_back(dock);
    return found;
}

void Docking::toggle(Qt::DockWidgetArea area)
{
    const std::vector<QDockWidget *> docks = in(area);
    if (docks.empty())
        return;
    const bool shown = std::ranges::any_of(docks, [](const QDockWidget *dock) { return !dock->isHidden(); });
    if (shown)
        for (QDockWidget *dock : docks)
            dock->setProperty(wasOnTop, dock->isVisible() && !isOutOfSight(*dock));
    for (QDockWidget *dock : docks)
        dock->setVisible(!shown);
    const auto top =
        std::ranges::find_if(docks, [](const QDockWidget *dock) { return dock->property(wasOnTop).toBool(); });
    if (!shown)
        (top == docks.end() ? docks.front() : *top)->raise();
}

/// Raises a dock. If all docks below the graph are hidden and this is one of them, the others are shown as tabs, too,
/// so that users find them.
void Docking::show(QDockWidget &dock)
{
    const std::vector<QDockWidget *> below = in(Qt::BottomDockWidgetArea);
    if (std::ranges::contains(below, &dock) && std::ranges::all_of(below, &QDockWidget::isHidden))
        toggle(Qt::BottomDockWidgetArea);
    dock.show();
    dock.raise();
    if (dock.widget())
        dock.widget()->setFocus();
}

bool Docking::show(const QString &name)
{
    const auto dock = std::ranges::find(m_docks, name, &QDockWidget::objectName);
    if (dock != m_docks.end())
        show(**dock);
    return dock != m_docks.end();
}

void Docking::raiseForSelection()
{
    for (std::size_t i = 0; i < m_docks.size(); ++i)
        if (docks()[i].group == Dock::Group::Selection && !m_docks[i]->isHidden())
            m_docks[i]->raise();
}

void Docking::raiseInsteadOfSelection()
{
    for (std::size_t i = 0; i < m_docks.size(); ++i) {
        if (docks()[i].group != Dock::Group::Selection || m_docks[i]->isHidden() || isOutOfSight(*m_docks[i]))
            continue;
        for (QDockWidget *dock : m_window.tabifiedDockWidgets(m_docks[i]))
            if (dock->objectName() == "summary" && !dock->isHidden())
                dock->raise();
    }
}

QTreeView *Docking::tableInSight() const
{
    if (auto *list = qobject_cast<QTreeView *>(QApplication::focusWidget()))
        return list;
    QTreeView *found = nullptr;
    for (QDockWidget *dock : m_docks)
        for (QTreeView *list : dock->findChildren<QTreeView *>())
            if (!list->visibleRegion().isEmpty()
                && (!found || m_window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea))
                found = list;
    return found;
}

} // namespace cutaway::desktop
