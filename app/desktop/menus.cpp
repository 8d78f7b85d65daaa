// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of the main window. Every one is in a menu; the tool bar repeats the most used.
#include "app/desktop/main_window.h"

#include "app/desktop/docks.h"
#include "app/desktop/panes/pane.h"
#include "app/desktop/panes/panes.h"
#include "app/desktop/recent_files.h"
#include "views/appearance/icon.h"
#include "views/command_palette/command_palette.h"
#include "views/graph/canvas.h"
#include "views/parts/text.h"
#include "views/run/profile_files.h"
#include "views/session/analysing.h"
#include "views/session/bookmarks.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QUndoStack>
#include <limits>

namespace cutaway::desktop {

QAction *MainWindow::addAction(QMenu &menu, const QString &icon, const QString &text, const QKeySequence &shortcut,
                               std::function<void()> run, bool needsSession)
{
    QAction *action = menu.addAction(text);
    if (!icon.isEmpty())
        action->setIcon(views::icon(icon));
    action->setProperty("icon-name", icon);
    action->setShortcut(shortcut);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    QString tip = QString(text).remove('&').remove(QChar(0x2026));
    if (!shortcut.isEmpty())
        tip += QStringLiteral(" (%1)").arg(shortcut.toString(QKeySequence::NativeText));
    action->setToolTip(tip);
    if (needsSession)
        m_sessionActions.push_back(action);
    return action;
}

void MainWindow::onlyWhile(QAction *action, std::function<bool()> isUseful)
{
    m_conditions.emplace_back(action, std::move(isUseful));
}

void MainWindow::ticked(QAction *action, std::function<bool()> isOn)
{
    action->setCheckable(true);
    m_ticks.emplace_back(action, std::move(isOn));
}

void MainWindow::updateActions()
{
    for (const auto &[action, isUseful] : m_conditions)
        action->setEnabled(session() && isUseful());
    for (const auto &[action, isOn] : m_ticks)
        action->setChecked(session() && isOn());
}

void MainWindow::makeMenus()
{
    makeFileMenu();
    makeEditMenu();
    makeViewMenu();
    makePassesMenu();
    makeRunMenu();
    makeGoMenu();
}

void MainWindow::makeFileMenu()
{
    QMenu &menu = *menuBar()->addMenu(tr("&File"));
    addAction(menu, "open", tr("&Open…"), QKeySequence::Open, [this] { browse(); });
    m_tabActions << addAction(
        menu, {}, tr("Open &beside…"), tr("Ctrl+Alt+O"),
        [this] {
            if (const QString path = chooseModel(tr("Open a model beside this one")); !path.isEmpty())
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
    onlyWhile(addAction(menu, {}, tr("&End the comparison"), {}, [this] { session()->comparing().end(); }),
              [this] { return session()->comparing().other() != nullptr; });
    menu.addSeparator();
    onlyWhile(addAction(
                  menu, {}, tr("&Save as ONNX…"), {}, [this] { saveAsOnnx(); }, true),
              [this] { return session()->document().model().format != "onnx"; });
    onlyWhile(addAction(
                  menu, {}, tr("Save as .&pt2…"), {}, [this] { saveAsPt2(); }, true),
              [this] { return session()->document().model().format != "pt2"; });
    makeExportMenu(menu);
    menu.addSeparator();
    QAction *closing = addAction(menu, {}, tr("&Close model"), tr("Ctrl+W"), [this] {
        if (ModelPage *page = m_pages->current())
            m_pages->close(*page);
    });
    connect(m_pages, &Pages::currentChanged, closing, [this, closing] { closing->setEnabled(m_pages->count() > 0); });
    m_tabActions << closing;
    menu.addSeparator();
    addAction(menu, {}, tr("&Quit"), tr("Ctrl+Q"), [this] { close(); });
}

void MainWindow::makeExportMenu(QMenu &file)
{
    QMenu &menu = *file.addMenu(tr("E&xport"));
    m_exportMenu = &menu;
    const auto isFree = [this] { return !m_writing.isBusy(); };
    onlyWhile(addAction(menu, "export", tr("Export a &picture…"), tr("Ctrl+E"), [this] { exportPicture(); }),
              [this, isFree] { return isFree() && !showsWeights(); });
    onlyWhile(addAction(menu, {}, tr("Export the &report…"), tr("Ctrl+Shift+E"), [this] { exportReport(); }), isFree);
    onlyWhile(addAction(menu, {}, tr("Export the &differences…"), {}, [this] { exportDifferences(); }),
              [this, isFree] { return isFree() && session()->comparing().difference() != nullptr; });
    onlyWhile(addAction(menu, {}, tr("Export the &steps as pictures…"), {}, [this] { exportSteps(); }),
              [this, isFree] { return isFree() && session()->stepping().history() != nullptr; });
    onlyWhile(addAction(file, {}, tr("Save the sho&wn model…"), {}, [this] { saveShown(); }), isFree);
    addAction(file, {}, tr("&Print…"), QKeySequence::Print, [this] { printPicture(); }, true);
}

void MainWindow::makeEditMenu()
{
    QMenu &menu = *menuBar()->addMenu(tr("&Edit"));
    addEdit(menu, "undo", tr("Ctrl+Z"), m_edits.createUndoAction(this, tr("Undo")));
    addEdit(menu, "redo", tr("Ctrl+Shift+Z"), m_edits.createRedoAction(this, tr("Redo")));
    menu.addSeparator();
    makeBookmarkActions(menu);
    menu.addSeparator();
    addAction(menu, {}, tr("Copy the &picture"), tr("Ctrl+Shift+C"), [this] { copyPicture(); }, true);
    addAction(menu, {}, tr("Copy the &table"), tr("Ctrl+Alt+C"), [this] { copyTable(); }, true);
    menu.addSeparator();
    const auto isSelected = [this] { return session()->navigation().selection() != views::Selection{}; };
    onlyWhile(addAction(menu, {}, tr("&Open or close the selected box"), tr("Ctrl+Return"),
                        [this] {
                            const auto subject =
                                views::subjectOf(session()->document().function(), session()->navigation().selection());
                            if (subject)
                                session()->navigation().toggle(*subject);
                        }),
              isSelected);
    onlyWhile(addAction(menu, {}, tr("&Clear selection"), {}, [this] { session()->navigation().select({}); }),
              isSelected);
    menu.addSeparator();
    makeFindActions(menu);
}

/// An action that says in its text what it undoes.
void MainWindow::addEdit(QMenu &menu, const QString &name, const QKeySequence &shortcut, QAction *edit)
{
    edit->setShortcut(shortcut);
    edit->setObjectName(name);
    menu.addAction(edit);
}

void MainWindow::makeBookmarkActions(QMenu &menu)
{
    const auto selected = [this] { return session()->bookmarks().selected(); };
    const auto isSelected = [selected] { return selected().has_value(); };
    QAction *mark = addAction(menu, {}, tr("&Bookmark the selection"), tr("Ctrl+D"),
                              [this, selected] { session()->bookmarks().toggle(*selected()); });
    onlyWhile(mark, isSelected);
    ticked(mark, [this, selected] { return selected() && session()->bookmarks().of(*selected()); });
    onlyWhile(addAction(menu, {}, tr("&Write a note on the selection…"), tr("Ctrl+Shift+N"),
                        [this, selected] { session()->bookmarks().requestNote(*selected()); }),
              isSelected);
}

void MainWindow::fillBookmarkMenu()
{
    m_bookmarks->clear();
    const std::size_t count = session() ? session()->bookmarks().all().size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const views::Bookmark &bookmark = session()->bookmarks().all()[i];
        QString text = session()->bookmarks().nameOf(bookmark);
        if (!bookmark.note.isEmpty())
            text += QStringLiteral(" — ") + bookmark.note.simplified().left(60);
        m_bookmarks->addAction(text.replace('&', "&&"), this, [this, i] { session()->bookmarks().reveal(i); });
    }
    if (count == 0)
        m_bookmarks->addAction(tr("No bookmarks"))->setEnabled(false);
}

void MainWindow::makeFindActions(QMenu &menu)
{
    const auto searching = [this]() -> views::Searching & { return session()->searching(); };
    const auto hasHits = [searching] { return !searching().hits().empty(); };
    onlyWhile(addAction(menu, {}, tr("Find the &next hit"), tr("F3"), [searching] { searching().step(1); }), hasHits);
    onlyWhile(addAction(menu, {}, tr("Find the &previous hit"), tr("Shift+F3"), [searching] { searching().step(-1); }),
              hasHits);
    QAction *fade = addAction(menu, {}, tr("&Fade what is no hit"), {},
                              [searching] { searching().setFadesOthers(!searching().fadesOthers()); });
    onlyWhile(fade, [] { return true; });
    ticked(fade, [searching] { return searching().fadesOthers(); });
    menu.addSeparator();
    const auto selected = [this] { return session()->navigation().selectedNode(); };
    const auto isNode = [selected] { return selected().has_value(); };
    const auto add = [&](const QString &text, void (views::Searching::*act)(ir::NodeId),
                         std::function<bool()> isUseful) {
        onlyWhile(addAction(menu, {}, text, {},
                            [searching, selected, act] {
                                if (const auto node = selected())
                                    (searching().*act)(*node);
                            }),
                  std::move(isUseful));
    };
    add(tr("Find what the selected node is computed fro&m"), &views::Searching::findUpstream, isNode);
    add(tr("Find what is computed from the s&elected node"), &views::Searching::findDownstream, isNode);
    add(tr("&Start a path at the selected node"), &views::Searching::setPathStart, isNode);
    add(tr("Find the pat&hs to the selected node"), &views::Searching::findPathsTo, [searching, selected] {
        return selected() && searching().pathStart() && searching().pathStart() != selected();
    });
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

void MainWindow::makeViewMenu()
{
    using Zoom = views::Navigation::Zoom;
    QMenu &menu = *menuBar()->addMenu(tr("&View"));
    const auto zoom = [this](Zoom how) {
        return [this, how] { canvasInSight()->session().navigation().requestZoom(how); };
    };
    addAction(
        menu, "deeper", tr("Open one level &more"), tr("Ctrl+]"), [this] { session()->navigation().openDeeper(); },
        true);
    addAction(
        menu, "shallower", tr("C&lose one level"), tr("Ctrl+["), [this] { session()->navigation().closeDeepest(); },
        true);
    addAction(
        menu, {}, tr("Close &all modules"), tr("Ctrl+Shift+["), [this] { session()->navigation().setDepth(0); }, true);
    addAction(
        menu, {}, tr("Open a&ll modules"), tr("Ctrl+Shift+]"),
        [this] { session()->navigation().setDepth(std::numeric_limits<int>::max()); }, true);
    menu.addSeparator();
    addAction(menu, "fit", tr("&Fit the whole graph"), tr("F"), zoom(Zoom::Fit), true);
    const auto isSelected = [this] { return session()->navigation().selection() != views::Selection{}; };
    onlyWhile(addAction(menu, {}, tr("Zoom to the s&election"), tr("Shift+F"), zoom(Zoom::Selection)), isSelected);
    onlyWhile(addAction(menu, {}, tr("Focus on the selection: close all else"), tr("Ctrl+Shift+F"),
                        [this] { session()->navigation().focusOn(session()->navigation().selection()); }),
              isSelected);
    addAction(menu, "zoom-in", tr("Zoom &in"), QKeySequence::ZoomIn, zoom(Zoom::In), true);
    addAction(menu, "zoom-out", tr("Zoom &out"), QKeySequence::ZoomOut, zoom(Zoom::Out), true);
    addAction(menu, {}, tr("Actual &size"), tr("Ctrl+0"), zoom(Zoom::Actual), true);
    menu.addSeparator();
    makePaneActions(menu);
    menu.addSeparator();
    for (QDockWidget *dock : m_docks) {
        QAction *action = dock->toggleViewAction();
        action->setData(tr("Show or hide: %1").arg(dock->windowTitle()));
        menu.addAction(action);
        m_sessionActions.push_back(action);
    }
    QAction *map = addAction(
        menu, {}, tr("Map of the &graph"), {},
        [this] {
            m_settings->setValue("map", !session()->navigation().showsMap());
            session()->navigation().setShowsMap(!session()->navigation().showsMap());
            updateActions();
        },
        true);
    ticked(map, [this] { return session()->navigation().showsMap(); });
    addAction(menu, "panel", tr("Show or hide the ta&bles and plots"), tr("Ctrl+J"), [this] { toggleBottom(); }, true);
    menu.addSeparator();
    makeColouringMenu(menu);
    makeHideMenu(menu);
    makeThemeMenu(menu);
}

void MainWindow::makeColouringMenu(QMenu &view)
{
    m_colouringMenu = view.addMenu(tr("&Colour by"));
    m_colourings = new QActionGroup(this);
    const auto add = [this](const QString &text, std::optional<views::Measure> measure) {
        QAction *action = m_colouringMenu->addAction(text);
        action->setCheckable(true);
        action->setData(tr("Colour by: %1").arg(text));
        m_colourings->addAction(action);
        connect(action, &QAction::triggered, this, [this, measure] { setColouring(measure); });
    };
    add(tr("Category"), std::nullopt);
    for (const views::Measure measure : views::allMeasures)
        add(views::title(measure), measure);
    m_colourings->actions().front()->setChecked(true);
}

/// A tick for each kind of operators that the graph leaves out.
void MainWindow::makeHideMenu(QMenu &view)
{
    QMenu &menu = *view.addMenu(tr("&Hide"));
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

void MainWindow::makePassesMenu()
{
    QMenu &menu = *menuBar()->addMenu(tr("&Passes"));
    const auto stepping = [this]() -> views::Stepping & { return session()->stepping(); };
    addAction(
        menu, {}, tr("&Run the passes"), tr("F6"),
        [this, stepping] {
            showDock("passes");
            stepping().run();
        },
        true);
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
    const std::pair<View, QString> all[] = {{View::Before, tr("Show the graph &before the step")},
                                            {View::Both, tr("Show b&oth in one graph")},
                                            {View::After, tr("Show the graph &after the step")},
                                            {View::SideBySide, tr("Show before and after side by si&de")}};
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
    addAction(menu, "run", tr("&Profile the model"), tr("F8"), [this] { startRunning(Kind::Profile); }, true);
    addAction(menu, {}, tr("&Run the model"), tr("F7"), [this] { startRunning(Kind::Run); }, true);
    onlyWhile(addAction(menu, {}, tr("&Stop"), tr("Shift+F8"), [this] { session()->running().stop(); }),
              [this] { return session()->running().isBusy(); });
    menu.addSeparator();
    const auto file = [this](void (*act)(views::Session &, QWidget *)) {
        return [this, act] {
            showDock("run");
            act(*session(), this);
        };
    };
    addAction(menu, {}, tr("&Open a saved profile…"), {}, file(views::openProfile), true);
    const auto hasProfile = [this] { return session()->running().profile() != nullptr; };
    onlyWhile(addAction(menu, {}, tr("Sa&ve the profile…"), {}, file(views::saveProfile)), hasProfile);
    addAction(menu, {}, tr("&Compare with a saved profile…"), {}, file(views::compareProfile), true);
    onlyWhile(addAction(menu, {}, tr("Compare &later profiles with this one"), {},
                        [this] { session()->running().keepToCompare(); }),
              hasProfile);
    onlyWhile(addAction(menu, {}, tr("&End the comparison of profiles"), {},
                        [this] { session()->running().endComparison(); }),
              [this] { return session()->running().baseline().has_value(); });
    menu.addSeparator();
    onlyWhile(addAction(menu, {}, tr("Clear results and &times"), {}, [this] { session()->running().forget(); }),
              [this, hasProfile] { return hasProfile() || session()->running().result() != nullptr; });
}

/// To the node with the most of what boxes are coloured by, or else of FLOPs or bytes.
void MainWindow::goToCostliest()
{
    const auto figures = session()->analysing().figures();
    if (!figures)
        return statusBar()->showMessage(tr("The model is still being analysed"), messageMs);
    const auto measure = session()->analysing().colouring();
    for (const views::Measure each : {measure.value_or(views::Measure::Flops), views::Measure::Bytes})
        if (const auto nodes = figures->costliest(each, 1); !nodes.empty()) {
            session()->navigation().reveal(nodes.front());
            statusBar()->showMessage(tr("%1: %2").arg(views::title(each), figures->of(nodes.front(), each).text()),
                                     messageMs);
            return;
        }
    statusBar()->showMessage(tr("What the nodes cost is not known; Bindings gives sizes their values"), messageMs);
}

void MainWindow::makeGoMenu()
{
    QMenu &menu = *menuBar()->addMenu(tr("&Go"));
    addAction(menu, "costliest", tr("Costliest &node"), tr("Ctrl+Shift+K"), [this] { goToCostliest(); }, true);
    menu.addSeparator();
    for (std::size_t i = 0; i < m_docks.size(); ++i) {
        QDockWidget *dock = m_docks[i];
        addAction(
            menu, dock->objectName() == "find" ? "search" : "", tr("Go to: %1").arg(dock->windowTitle()),
            QKeySequence(QString::fromLatin1(docks()[i].shortcut)), [this, dock] { showDock(dock); }, true);
    }
    addAction(menu, {}, tr("Go to: Graph"), tr("Alt+0"), [this] { m_pages->current()->setFocus(); }, true);
    menu.addSeparator();
    const auto addStep = [&](const QString &text, const QString &keys, int by) {
        QAction *action = addAction(menu, {}, text, keys, [this, by] { m_pages->step(by); });
        connect(m_pages, &Pages::currentChanged, action,
                [this, action] { action->setEnabled(m_pages->panes().active().count() > 1); });
    };
    addStep(tr("&Next tab"), tr("Ctrl+Tab"), 1);
    addStep(tr("&Previous tab"), tr("Ctrl+Shift+Tab"), -1);
    QAction *next = addAction(menu, {}, tr("Next &pane"), tr("Ctrl+F6"), [this] {
        m_pages->panes().step(1);
        m_pages->current()->setFocus();
    });
    connect(m_pages, &Pages::currentChanged, next,
            [this, next] { next->setEnabled(m_pages->panes().all().size() > 1); });
    QAction *back = addAction(menu, {}, tr("&Back to the survey"), tr("Alt+Home"), [this] { m_pages->showSurvey(); });
    back->setEnabled(false);
    connect(m_pages, &Pages::currentChanged, back,
            [this, back] { back->setEnabled(m_pages->survey() && m_pages->survey() != m_pages->current()); });
    m_bookmarks = menu.addMenu(tr("&Bookmarks"));
    connect(m_bookmarks, &QMenu::aboutToShow, this, &MainWindow::fillBookmarkMenu);
    menu.addSeparator();
    addAction(menu, "commands", tr("&All actions…"), tr("Ctrl+K"), [this] {
        views::showCommandPalette(allActions(), this,
                                  session() ? [this](const QString &text) { session()->searching().find(text); }
                                            : std::function<void(const QString &)>());
    });
    QMenu &help = *menuBar()->addMenu(tr("&Help"));
    addAction(help, {}, tr("&About Cutaway"), {}, [this] {
        QMessageBox::about(this, tr("About Cutaway"),
                           tr("Cutaway %1\n\nShows what is in TorchScript, torch.export and ONNX files.\n"
                              "Free software under the GNU General Public License, version 3 or later.")
                               .arg(QApplication::applicationVersion()));
    });
}

QList<QAction *> MainWindow::allActions() const
{
    QList<QAction *> actions;
    for (const QMenu *menu : menuBar()->findChildren<QMenu *>())
        if (menu != m_recent && menu != m_bookmarks)
            actions += menu->actions();
    return actions;
}

QWidget *MainWindow::makeColouringButton(QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setMenu(m_colouringMenu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolTip(tr("Colour of the boxes in the graph"));
    const auto tell = [this, button] {
        const QAction *chosen = m_colourings->checkedAction();
        button->setText(tr("Colour by: %1 ▾").arg(chosen ? chosen->text() : QString()));
    };
    for (const QAction *action : m_colourings->actions())
        connect(action, &QAction::toggled, button, tell);
    tell();
    return button;
}

/// Exports a picture; its menu has the rest.
QWidget *MainWindow::makeExportButton(QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setObjectName("export");
    button->setDefaultAction(m_exportMenu->actions().front());
    button->setMenu(m_exportMenu);
    button->setPopupMode(QToolButton::MenuButtonPopup);
    return button;
}

void MainWindow::makeToolBar()
{
    QToolBar *bar = addToolBar(tr("Tools"));
    bar->setObjectName("tools");
    bar->setMovable(false);
    bar->setIconSize({16, 16});
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    const auto add = [&](const QString &iconName) {
        for (QAction *action : allActions())
            if (action->property("icon-name").toString() == iconName)
                bar->addAction(action);
    };
    for (const char *name : {"open", "", "search", "costliest", "", "shallower", "deeper", "", "zoom-out", "zoom-in",
                             "fit", "", "panel", "", "run"}) {
        if (*name)
            add(name);
        else
            bar->addSeparator();
    }
    bar->addSeparator();
    bar->addWidget(makeColouringButton(bar));
    bar->addWidget(makeExportButton(bar));
    auto *space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    add("commands");
    add("theme");
}

} // namespace cutaway::desktop
