// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/file_watch.h"
#include "app/desktop/keeping/kept_sessions.h"
#include "app/desktop/model_page.h"

#include <QPointer>

class QSettings;

namespace cutaway::views {
class InStep;
} // namespace cutaway::views

namespace cutaway::desktop {

class Pane;
class Panes;

/// The open files of a window, each in a tab of one of the panes beside each other, or the start page: opens, reloads
/// and closes them, keeps their sessions, and tells when a file has changed. `settings` names the recent files;
/// sessions lie in a folder beside it.
class Pages : public QWidget {
    Q_OBJECT

public:
    /// Gives each new session the settings of the window.
    using Prepare = std::function<void(views::Session &)>;

    Pages(QSettings &settings, Prepare prepare, QWidget *parent);
    ~Pages() override;

    /// The page in front of the active pane; nullptr while no file is open.
    ModelPage *current() const;
    bool isOpening() const;
    /// The page that reads a file; if several do, the one in front, or that was asked for last. nullptr if none does.
    ModelPage *opening() const;
    /// The number of pages in all panes.
    int count() const;
    /// The panes. Their pages are opened and closed by this class alone.
    Panes &panes() { return *m_panes; }
    /// Brings the next tab of the active pane (1) or the one before (-1) to the front.
    void step(int by);

    /// Opens a file in a tab of its own, or brings the tab that has it to the front. The file is a model, a saved
    /// session, whose model is opened in the state that it saves, or the database of a survey.
    void open(const QString &path);
    /// Opens a file as open() does, but in the pane to the right of the active one. A file that is open is shown a
    /// second time.
    void openBeside(const QString &path);
    /// Whether the pages in front of the panes, and compared models, are kept in step: place, zoom and selection.
    bool isInStep() const { return m_isInStep; }
    void setInStep(bool isInStep);
    /// Whether it is known which parts of the graphs in step correspond.
    bool isInStepReady() const;
    /// The survey that was opened last, or nullptr; showSurvey() brings its tab to the front.
    ModelPage *survey() const { return m_survey; }
    void showSurvey();
    /// Reads a file anew; all views of it keep their state.
    void reload(ModelPage &page);
    /// Closes a page, but asks first if results of its passes were not saved.
    void close(ModelPage &page);
    /// Closes all pages before the window closes. Returns false if the user has to be asked first; `again` is called if
    /// the pages may be closed.
    bool closeAll(const std::function<void()> &again);
    /// Makes kept sessions leave the device alone, since the user has named one for this start.
    void leaveDevice() { m_leavesDevice = true; }
    /// Errors: the file cannot be written.
    Result<void> saveSession(const ModelPage &page, const QString &path) const;

signals:
    /// Another page is in front, or the page in front has another model or none, or the number of pages is another.
    void currentChanged();
    void opened(cutaway::desktop::ModelPage *page);
    void openingFailed(const QString &path, const cutaway::Error &error);
    void surveyShown();
    void inStepChanged();
    /// The user wants the menu for the tab of the current page.
    void tabMenuRequested(const QPoint &at);
    void browseRequested();
    /// The shown model of a page is to be written; `then` is called if it was.
    void savingRequested(cutaway::desktop::ModelPage *page, const std::function<void()> &then);
    /// The user is to be told of a problem that concerns no page.
    void problem(const QString &title, const QString &text);
    /// The reading of a file begins or ends.
    void workChanged();
    /// A file is being read. `total` 0: unknown.
    void progress(const QString &what, quint64 done, quint64 total);

private:
    void showStart();
    ModelPage *pageOf(const QString &path) const;
    QList<ModelPage *> pagesOf(const QString &path) const;
    ModelPage &add(const QString &path, Pane &pane);
    void connectTo(ModelPage &page);
    void read(ModelPage &page);
    void readOnce(ModelPage &page);
    void showReason(ModelPage &page, const Error &error);
    void showFailure(ModelPage &page, const Error &error);
    void showModel(ModelPage &page, const views::SharedModel &model, const views::SharedSums &sums = nullptr);
    void comeToFront(ModelPage &page);
    void activate();
    void drop(ModelPage &page);
    void link();
    void tell(const QString &path, FileWatch::State state);

    void openSurvey(const QString &path);
    void openTwo(const QString &first, const QString &second);
    void openSession(const QString &path, bool isBeside);
    QStringList bringBeside(ModelPage &page, const SavedSession &saved);
    void takeUp(ModelPage &page, const SavedSession &saved);
    void restoreKept(ModelPage &page);
    SavedSession ownSession(const ModelPage &page) const;
    SavedSession sessionOf(const ModelPage &page) const;
    void addBookmarksOfOthers(SavedSession &session, const ModelPage &page) const;
    void handBookmarksOn(const ModelPage &page) const;
    Result<void> keep(const ModelPage &changed) const;
    void keepAll(const ModelPage &page) const;
    void keepPictures(const ModelPage &page) const;
    static bool isUnwritten(const ModelPage &page);
    void ask(const QList<ModelPage *> &unwritten, const std::function<void()> &close,
             const std::function<void()> &again);

    QSettings &m_settings;
    Prepare m_prepare;
    KeptSessions m_sessions;
    FileWatch m_files;
    Panes *m_panes;
    std::unique_ptr<views::InStep> m_inStep; ///< of the pages in front; nullptr if they are not kept in step
    QPointer<ModelPage> m_latest;            ///< as the user has asked for it last: comes to the front when it is there
    QPointer<ModelPage> m_survey;
    bool m_mayClose = false; ///< the user was asked
    bool m_leavesDevice = false;
    bool m_isInStep = false;
};

/// Returns a text such as "ONNX (*.onnx)" for each format that can be opened.
QStringList formatSummaries();

} // namespace cutaway::desktop
