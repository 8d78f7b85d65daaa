// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/opening.h"
#include "app/desktop/picture_dialog.h"
#include "app/desktop/plugin_watch.h"
#include "views/appearance/theme.h"
#include "views/session/analysing.h"
#include "views/session/running.h"

#include <QMainWindow>
#include <memory>

class QActionGroup;
class QDockWidget;
class QMenu;
class QPrinter;
class QSettings;
class QSplitter;
class QStackedWidget;
class QTreeView;

namespace cutaway::views {
class Canvas;
class Session;
} // namespace cutaway::views

namespace cutaway::desktop {

class Status;

/// The main window: connects opening, session and views. It keeps its arrangement, theme, colouring, recent files and
/// the chosen device in `settings`.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(std::unique_ptr<QSettings> settings);
    ~MainWindow() override;

    /// A model, or the database of a survey.
    void open(const QString &path);
    /// Opens another model beside the current one.
    void compareWith(const QString &path);
    void setTheme(views::Theme theme);
    /// Sets the colouring of this model and those opened later.
    void setColouring(std::optional<views::Measure> measure);
    /// Sets the device that times are predicted for, for models opened later.
    void setDevice(analysis::Device device) { m_device = std::move(device); }
    /// Whether a device was set now or in an earlier window.
    bool hasDevice() const { return m_device.has_value(); }
    /// Raises a dock; false if no dock has this name.
    bool showDock(const QString &name);
    /// Writes the picture of the graph that is in sight, and later tells in the status bar or a message how it went.
    void writePicture(const QString &path, const PictureChoice &choice);
    /// The same for the report, in the form that the suffix names: html, md, csv or json.
    void writeReport(const QString &path);
    /// The same for the differences from the compared model: html, md, json, diff or txt. There must be some computed.
    void writeDifferences(const QString &path);
    /// Copies the picture, or the table that is in sight or has the keyboard.
    void copyPicture();
    void copyTable();
    /// Paints the picture that is in sight on a page.
    void printOn(QPrinter &printer) const;
    bool isOpening() const { return m_opening.isBusy() || m_openingOther.isBusy(); }
    /// nullptr while no model is open.
    views::Session *session() const { return m_session.get(); }

signals:
    void opened();
    void openingFailed(const QString &path, const cutaway::Error &error);
    void surveyShown();

protected:
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
    void makeThemeMenu(QMenu &view);
    void makeColouringMenu(QMenu &view);
    void makeGoMenu();
    void makePassesMenu();
    void makeStepViews(QMenu &menu);
    void makeRunMenu();
    void startRunning(views::Running::Kind kind);
    void makeToolBar();
    QWidget *makeColouringButton(QWidget *parent);
    void makeEditMenu();
    void makeFindActions(QMenu &menu);
    /// Enabled only while there is something to act on, besides a model.
    void onlyWhile(QAction *action, std::function<bool()> isUseful);
    void ticked(QAction *action, std::function<bool()> isOn);
    void updateActions();
    QAction *addAction(QMenu &menu, const QString &icon, const QString &text, const QKeySequence &shortcut,
                       std::function<void()> run, bool needsSession = false);

    QString chooseModel(const QString &title, bool withSurveys = false);
    void browse();
    void showOther();
    void exportSteps();
    void saveShown();
    void saveAsOnnx();
    void inBackground(const QString &what, std::function<Result<void>(std::stop_token)> work,
                      std::function<void()> after = {});
    std::function<void()> telling(const QString &done);
    void tellProblem(const QString &title, const QString &text);
    void exportPicture();
    void exportReport();
    void exportDifferences();
    void printPicture();
    views::Canvas *canvasInSight() const;
    QTreeView *tableInSight() const;
    QString chooseTarget(const QString &title, const QString &name,
                         const std::vector<std::pair<QString, QString>> &filters);
    void showStart();
    void leaveModel();
    void showSurvey(const QString &path);
    void openTwo(const QString &first, const QString &second);
    void showOpening(const QString &path);
    void showFailure(const QString &path, const Error &error);
    void tellFailure(const QString &path, const Error &error);
    void showModel(const QString &path, const std::shared_ptr<const ir::Model> &model);
    void takePlugins();
    void setCentre(QWidget *page);
    void setDocksShown(bool shown);
    void showDock(QDockWidget *dock);
    std::vector<QDockWidget *> bottomDocks() const;
    void toggleBottom();
    void followWork();
    void followActions();
    void colourByTimes();
    void followSelection();
    void showWeights();
    void showFacts();
    void fillRecentMenu();
    QList<QAction *> allActions() const;
    QStringList formatSummaries() const;

    static constexpr int messageMs = 6000;

    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<views::Session> m_session;
    Opening m_opening;
    Opening m_openingOther; ///< the model to compare with
    PluginWatch m_plugins;
    QStackedWidget *m_centre;
    QSplitter *m_panes = nullptr; ///< panes of the model and the compared one; nullptr while no model is open
    Status *m_status;
    std::vector<QDockWidget *> m_docks;
    std::vector<QAction *> m_sessionActions;                               ///< enabled only while a model is open
    std::vector<std::pair<QAction *, std::function<bool()>>> m_conditions; ///< asked only while a model is open
    std::vector<std::pair<QAction *, std::function<bool()>>> m_ticks;
    QMenu *m_recent = nullptr;
    QWidget *m_survey = nullptr; ///< the page of the last one, also while a model of it is open
    QAction *m_backToSurvey = nullptr;
    QActionGroup *m_themes = nullptr;
    QMenu *m_colouringMenu = nullptr;
    QActionGroup *m_colourings = nullptr;
    std::optional<views::Measure> m_colouring;
    std::optional<analysis::Device> m_device;
    PictureChoice m_pictureChoice; ///< as made last
    views::LatestWork m_writing;   ///< writes the files that the user requested
    QByteArray m_arrangement;      ///< of the docks while they are hidden
    QString m_path;
    bool m_docksShown = false;
};

} // namespace cutaway::desktop
