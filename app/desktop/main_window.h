// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/pages.h"
#include "app/desktop/picture_dialog.h"
#include "app/desktop/plugin_watch.h"
#include "views/appearance/theme.h"
#include "views/session/analysing.h"
#include "views/session/running.h"

#include <QMainWindow>
#include <QUndoGroup>

class QActionGroup;
class QDockWidget;
class QMenu;
class QPrinter;
class QSettings;
class QTreeView;

namespace cutaway::views {
class Canvas;
class Session;
} // namespace cutaway::views

namespace cutaway::desktop {

class Manual;
class Status;

/// The main window: the open files, and docks, menus and a status bar, which show the file in front. It keeps its
/// arrangement, theme, colouring, recent files and the chosen device in `settings`.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(std::unique_ptr<QSettings> settings);
    ~MainWindow() override;

    /// Opens a file as Pages::open() does.
    void open(const QString &path) { m_pages->open(path); }
    /// Opens another model beside the current one.
    void compareWith(const QString &path);
    Pages &pages() { return *m_pages; }
    void setTheme(views::Theme theme);
    /// Sets the colouring of this model and, unless it colours by a column, that of models opened later in this window.
    void setColouring(const views::Colouring &colouring);
    /// Opens a table of node data for this model and colours the graph by its first column; returns false and tells the
    /// user if it cannot be read.
    bool openNodeData(const QString &path);
    /// Sets the device for which times are predicted, for models opened later.
    void setDevice(analysis::Device device);
    /// Whether a device was set now or in an earlier window.
    bool hasDevice() const { return m_device.has_value(); }
    /// Raises a dock; false if no dock has this name.
    bool showDock(const QString &name);
    /// Writes the picture of the graph that is in sight and, unless `reportPath` is "", the report, and later tells in
    /// the status bar or a message how it went.
    void writePicture(const QString &path, const PictureChoice &choice, const QString &reportPath = {});
    /// Writes the report as writePicture() writes a picture, in the form that the suffix names: html, md, csv or json.
    void writeReport(const QString &path);
    /// Writes the differences from the compared model as writePicture() writes a picture: html, md, json, diff or txt.
    /// Precondition: there are computed differences.
    void writeDifferences(const QString &path);
    /// Copies the picture, or the table that is in sight or has the keyboard.
    void copyPicture();
    void copyTable();
    /// Paints the picture that is in sight on a page.
    void printOn(QPrinter &printer) const;
    bool isOpening() const { return m_pages->opening() != nullptr; }
    /// The session of the file in front; nullptr while that has no model, or no file is open.
    views::Session *session() const { return m_pages->current() ? m_pages->current()->session() : nullptr; }

signals:
    void colouringShown();
    void opened();
    void openingFailed(const QString &path, const cutaway::Error &error);

protected:
    bool focusNextPrevChild(bool next) override;
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void restore();
    void makeDocks();
    void arrangeDocks();
    void makeMenus();
    void makeFileMenu();
    void makeExportMenu(QMenu &file);
    void makeViewMenu();
    void makePaneActions(QMenu &menu);
    void showTabMenu(const QPoint &at);
    void makeThemeMenu(QMenu &view);
    void makeHideMenu(QMenu &view);
    void makeColouringMenu(QMenu &view);
    void makeGoMenu();
    void makeGoPanels(QMenu &menu);
    void makeViewPanels(QMenu &menu);
    void makeHelpMenu();
    Manual &manual();
    void showManual(const QString &page);
    void showShortcuts();
    void makePassesMenu();
    void makeStepViews(QMenu &menu);
    void makeRunMenu();
    void startRunning(views::Running::Kind kind);
    void makeToolBar();
    void makeBookmarkActions(QMenu &menu);
    QWidget *makeColouringButton(QWidget *parent);
    QWidget *makeExportButton(QWidget *parent);
    void makeEditMenu();
    static void addEdit(QMenu &menu, const QString &name, const QKeySequence &shortcut, QAction *edit);
    void makeFindActions(QMenu &menu);
    /// Enables the action only while there is a model and `isUseful` returns true.
    void onlyWhile(QAction *action, std::function<bool()> isUseful);
    /// Enables the action only while there is a model with a graph.
    QAction *ofGraph(QAction *action);
    void ticked(QAction *action, std::function<bool()> isOn);
    void updateActions();
    QAction *addAction(QMenu &menu, const QString &icon, const QString &text, const QKeySequence &shortcut,
                       std::function<void()> run, bool needsSession = false);

    QString chooseModel(const QString &title, bool withSurveys = false);
    void browse();
    void saveSession();
    void exportSteps();
    /// Asks for a name; `then` is called once the shown model is written.
    void saveShown(ModelPage &page, const std::function<void()> &then = {});
    void extractSelection();
    void saveAsOnnx();
    void saveAsPt2();
    void saveConverted(const QString &title, const QString &filter, bool isPt2);
    void inBackground(const QString &what, std::function<Result<void>(std::stop_token)> work,
                      std::function<void()> after = {});
    std::function<Result<void>(std::stop_token)> reportWork(const QString &path) const;
    std::function<void()> telling(const QStringList &exported);
    void exportPicture();
    void exportReport();
    void exportDifferences();
    void printPicture();
    views::Canvas *canvasInSight() const;
    QTreeView *tableInSight() const;
    QString targetFolder() const;
    QString chooseTarget(const QString &title, const QString &name,
                         const std::vector<std::pair<QString, QString>> &filters);
    void makePages();
    void prepare(views::Session &session);
    void followPage();
    void takePlugins();
    void setDocksShown(bool shown);
    void showDock(QDockWidget *dock);
    std::vector<QDockWidget *> docksIn(Qt::DockWidgetArea area) const;
    void toggle(Qt::DockWidgetArea area);
    void followSession(views::Session &session);
    void followWork();
    void followActions();
    void colourByTimes();
    void colourByMagnitude();
    void showColouring();
    void showColumns();
    void chooseNodeData();
    void addColouring(const views::Colouring &colouring, QAction *before);
    void raiseForSelection();
    void raiseInsteadOfSelection();
    void followOther();
    /// Whether the file in front has no graph: its page is the list of its tensors.
    bool showsWeights() const;
    void goToCostliest();
    void showFacts();
    QString path() const;
    void fillRecentMenu();
    void fillBookmarkMenu();
    QList<QAction *> allActions() const;

    static constexpr int messageMs = 6000;
    static constexpr const char *colouringProperty = "colouring";

    std::unique_ptr<QSettings> m_settings;
    PluginWatch m_plugins;
    QUndoGroup m_edits; ///< those of the session in front
    Pages *m_pages = nullptr;
    std::unique_ptr<QObject> m_following; ///< context of all that listens to the session in front
    Status *m_status;
    std::vector<QDockWidget *> m_docks;
    std::vector<QAction *> m_sessionActions;                               ///< enabled only while a model is open
    std::vector<std::pair<QAction *, std::function<bool()>>> m_conditions; ///< asked only while a model is open
    std::vector<std::pair<QAction *, std::function<bool()>>> m_ticks;
    QMenu *m_recent = nullptr;
    QMenu *m_bookmarks = nullptr;
    QList<QAction *> m_tabActions; ///< of the menu of a tab
    QActionGroup *m_themes = nullptr;
    QMenu *m_exportMenu = nullptr;
    QMenu *m_colouringMenu = nullptr;
    QActionGroup *m_colourings = nullptr;
    QAction *m_columnsEnd = nullptr; ///< after the columns of node data
    views::Colouring m_colouring;    ///< of the next model
    std::optional<analysis::Device> m_device;
    PictureChoice m_pictureChoice; ///< as made last
    views::LatestWork m_writing;   ///< writes the files that the user requested
    QByteArray m_arrangement;      ///< of the docks while they are hidden
    bool m_docksShown = false;
    Manual *m_manual = nullptr; ///< once it was asked for
};

} // namespace cutaway::desktop
