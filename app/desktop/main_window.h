// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/opening.h"
#include "app/desktop/plugin_watch.h"
#include "views/appearance/theme.h"
#include "views/session/running.h"
#include "views/session/session.h"

#include <QMainWindow>
#include <QSettings>
#include <memory>
#include <vector>

class QActionGroup;
class QDockWidget;
class QMenu;
class QSplitter;
class QStackedWidget;

namespace cutaway::desktop {

class Status;

/// The window: wires opening, session and views. It keeps its arrangement, theme, colouring, recent files and the
/// device that the user has chosen in `settings`.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(std::unique_ptr<QSettings> settings);
    ~MainWindow() override;

    void open(const QString &path);
    /// Opens another model beside the one that is open.
    void compareWith(const QString &path);
    void setTheme(views::Theme theme);
    /// Of this model and those opened after it.
    void setColouring(std::optional<views::Measure> measure);
    /// Of the models opened after it: what times are predicted for.
    void setDevice(analysis::Device device) { m_device = std::move(device); }
    /// Set, or chosen in a window before.
    bool hasDevice() const { return m_device.has_value(); }
    /// Brings a dock to the front; false: none is called so.
    bool showDock(const QString &name);
    bool isOpening() const { return m_opening.isBusy() || m_openingOther.isBusy(); }
    /// Null while nothing is open.
    views::Session *session() const { return m_session.get(); }

signals:
    void opened();
    void openingFailed(const QString &path, const cutaway::Error &error);

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
    void makeViewMenu();
    void makeThemeMenu(QMenu &view);
    void makeColouringMenu(QMenu &view);
    void makeGoMenu();
    void makePassesMenu();
    void makeRunMenu();
    void startRunning(views::Running::Kind kind);
    void makeToolBar();
    QWidget *makeColouringButton(QWidget *parent);
    QAction *addAction(QMenu &menu, const QString &icon, const QString &text, const QKeySequence &shortcut,
                       std::function<void()> run, bool needsSession = false);

    QString chooseModel(const QString &title);
    void browse();
    void showOther();
    void exportSteps();
    void saveShown();
    void inBackground(const QString &what, std::function<Result<void>(std::stop_token)> work);
    void showStart();
    void showOpening(const QString &path);
    void showFailure(const QString &path, const Error &error);
    void showModel(const QString &path, const std::shared_ptr<const ir::Model> &model);
    void takePlugins();
    void setCentre(QWidget *page);
    void setDocksShown(bool shown);
    void showDock(QDockWidget *dock);
    std::vector<QDockWidget *> bottomDocks() const;
    void toggleBottom();
    void followWork();
    void followSelection();
    void showFacts();
    void fillRecentMenu();
    QList<QAction *> allActions() const;
    QStringList formatSummaries() const;

    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<views::Session> m_session;
    Opening m_opening;
    Opening m_openingOther; ///< what is compared with
    PluginWatch m_plugins;
    QStackedWidget *m_centre;
    QSplitter *m_panes = nullptr; ///< the model's, and that of the one beside it; null while nothing is open
    Status *m_status;
    std::vector<QDockWidget *> m_docks;
    std::vector<QAction *> m_sessionActions; ///< of use only while a model is open
    QMenu *m_recent = nullptr;
    QActionGroup *m_themes = nullptr;
    QMenu *m_colouringMenu = nullptr;
    QActionGroup *m_colourings = nullptr;
    std::optional<views::Measure> m_colouring;
    std::optional<analysis::Device> m_device;
    views::LatestWork m_writing; ///< files that the user asked for
    QByteArray m_arrangement;    ///< of the docks, while they are not shown
    QString m_path;
    bool m_docksShown = false;
};

} // namespace cutaway::desktop
