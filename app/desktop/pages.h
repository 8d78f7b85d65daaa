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
    /// What the window wants of each new session.
    using Prepare = std::function<void(views::Session &)>;

    Pages(QSettings &settings, Prepare prepare, QWidget *parent);
    ~Pages() override;

    /// In front of the active pane. Nullptr while no file is open.
    ModelPage *current() const;
    bool isOpening() const;
    /// The page that reads a file; of several the one in front, or asked for last. Nullptr if none does.
    ModelPage *opening() const;
    /// Of all panes.
    int count() const;
    /// The panes themselves; what is open in them is up to this.
    Panes &panes() { return *m_panes; }
    /// The next tab of the active pane (1) or the one before (-1) comes to the front.
    void step(int by);

    /// In a tab of its own, or the tab that has it comes to the front: a model, the model of a saved session with that,
    /// or the database of a survey.
    void open(const QString &path);
    /// The same in the pane to the right of the active one, where a file that is open is shown a second time.
    void openBeside(const QString &path);
    /// Whether what is in front of the panes, and compared models, are kept in step: place, zoom and selection.
    bool isInStep() const { return m_isInStep; }
    void setInStep(bool isInStep);
    /// Whether it is known what corresponds of what is kept in step.
    bool isInStepReady() const;
    /// The survey that was opened last, or nullptr; its tab comes to the front.
    ModelPage *survey() const { return m_survey; }
    void showSurvey();
    /// Reads a file anew and brings all views of it into the state that they have.
    void reload(ModelPage &page);
    /// Asks first if there are passes' results that were not saved.
    void close(ModelPage &page);
    /// The same for all, before the window goes; false: they stay, or the user is asked, and `again` called if they may
    /// go.
    bool closeAll(const std::function<void()> &again);
    /// Sessions that are kept do not change the device: the user has named one for this start.
    void leaveDevice() { m_leavesDevice = true; }
    /// Errors: it cannot be written.
    Result<void> saveSession(const ModelPage &page, const QString &path) const;

signals:
    /// Another page is in front, or it has another model or none, or there is another number of pages.
    void currentChanged();
    void opened(cutaway::desktop::ModelPage *page);
    void openingFailed(const QString &path, const cutaway::Error &error);
    void surveyShown();
    void inStepChanged();
    /// For the tab of the current page.
    void tabMenuRequested(const QPoint &at);
    void browseRequested();
    /// The shown model of a page is to be written; `then` is called if it was.
    void savingRequested(cutaway::desktop::ModelPage *page, const std::function<void()> &then);
    /// What has nothing to do with a page, for the user.
    void problem(const QString &title, const QString &text);
    /// A file begins or ends to be read.
    void workChanged();
    /// `total` 0: unknown.
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
    std::unique_ptr<views::InStep> m_inStep; ///< of what is in front, while that is to be
    QPointer<ModelPage> m_latest;            ///< as the user has asked for it last: comes to the front when it is there
    QPointer<ModelPage> m_survey;
    bool m_mayClose = false; ///< the user was asked
    bool m_leavesDevice = false;
    bool m_isInStep = false;
};

/// "ONNX (*.onnx)": what can be opened, a text each.
QStringList formatSummaries();

} // namespace cutaway::desktop
