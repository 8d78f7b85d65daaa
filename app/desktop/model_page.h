// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/saved_session.h"
#include "app/desktop/opening.h"

#include <QTimer>
#include <QWidget>
#include <memory>
#include <vector>

class QSplitter;
class QVBoxLayout;

namespace cutaway::views {
class Canvas;
class Session;
} // namespace cutaway::views

namespace cutaway::desktop {

class Banner;

/// Whether the page of a file shows the list of its tensors in place of a graph, since it has weights only.
bool showsWeights(const ir::Model &file);

/// A page for one file: a note while it is read, then the model with all views of it, the list of sequences in the
/// file, why its model could not be exported, or why the file cannot be read. Each page reads on a thread of its own.
class ModelPage : public QWidget {
    Q_OBJECT

public:
    ModelPage(Source source, QWidget *parent);
    ~ModelPage() override;

    const Source &source() const { return m_source; }
    /// Returns the path that identifies the page; see Source.
    const QString &path() const { return m_source.path; }
    /// Returns the file or folder of path(), which may be the address of something in it.
    const QString &file() const { return m_file; }
    /// Returns the last part of the path; for an address including what follows the file's name: "run.log#0/1".
    QString name() const;
    /// Forgets the sequence that was read, so that the file is read again.
    void forgetSequence() { m_source.sequence.reset(); }
    /// Returns the session of the model; nullptr until the model is read.
    views::Session *session() const { return m_session.get(); }
    /// Returns the sequences that the page lists in place of a model; nullptr if it lists none.
    const std::shared_ptr<const sequence::Document> &listed() const { return m_listed; }
    /// Whether the page shows a model, sequences or a failed export, rather than an error or a note.
    bool isRead() const { return m_session || m_listed || m_exportFailure; }
    /// Returns why the graphs are only a part of a model, or why there are none; nullptr if the model is complete.
    const NoExport &exportFailure() const { return m_exportFailure; }
    /// Returns the views for the docks, in the order of docks(); empty without a model. A dock that shows one owns it.
    const std::vector<QWidget *> &dockViews() const { return m_dockViews; }
    /// Returns the graph that has the keyboard focus, or else the first one; nullptr without a model.
    views::Canvas *canvasInSight() const;
    /// Returns the graph of the model; nullptr without a model.
    views::Canvas *canvas() const;
    /// Returns the graphs of the model and of the compared one.
    QList<views::Canvas *> canvases() const;

    Opening &opening() { return m_opening; }
    Opening &openingOther() { return m_openingOther; } ///< reads the model to compare with
    /// Compares the page's model with another one, once it is read. `folder` is a temporary folder with the other
    /// model, which is removed with the page; null if there is none.
    void compareWith(const QString &other, std::shared_ptr<const TemporaryFolder> folder);
    /// Opens a trace of the page's model, once that is read.
    void openTrace(const QString &trace);
    /// Opens the model that compareWith() was called with before there was a model. Precondition: the page has a model.
    void openWantedOther();
    /// Opens the trace that openTrace() was called with before there was a model. Precondition: the page has a model.
    void openWantedTrace();
    bool isOpening() const { return m_opening.isBusy() || m_openingOther.isBusy(); }

    /// Shows a widget in place of a model.
    void setPage(QWidget *page);
    /// Takes a model that was read and makes its views, in place of the previous ones. Its session is not started yet.
    void setModel(const ReadModel &read);
    /// Shows `page`, which lists sequences, in place of a model.
    void setListed(std::shared_ptr<const sequence::Document> listed, QWidget *page);
    /// Shows why a model could not be exported, if there are no graphs of it.
    void setNotExported(NoExport failure);
    Banner &banner() { return *m_banner; }

    // State that the window keeps for the page.

    std::optional<SavedSession> wanted;           ///< the session to restore with the next model
    SavedSession rest;                            ///< the parts of restored sessions that do not fit the model
    std::shared_ptr<const ir::Model> written;     ///< the state of the model that was written last
    std::shared_ptr<const trace::Trace> recorded; ///< the trace that the model is made of, or null
    QTimer keeping;                               ///< runs from a change until the session is saved
    bool failsToKeep = false;                     ///< whether the user was told that the session cannot be saved

signals:
    void canvasesGoing();
    void canvasesChanged();
    /// Emitted when a trace is being opened because the user wants to see its events.
    void traceOpened();

private:
    void clear();
    void fill(QWidget *content, QWidget *reader);
    QWidget *besideFailure(QWidget *graphs);
    void showOther();

    Source m_source;
    QString m_file;
    std::shared_ptr<const sequence::Document> m_listed;
    NoExport m_exportFailure;
    std::unique_ptr<views::Session> m_session;
    std::vector<QWidget *> m_dockViews;
    QVBoxLayout *m_column;
    Banner *m_banner;
    QWidget *m_content = nullptr;
    QSplitter *m_panes = nullptr; ///< the graphs of the model and of the compared one
    Opening m_opening;
    Opening m_openingOther;
    std::shared_ptr<const TemporaryFolder> m_otherFolder;
    QString m_wantedOther; ///< the file to compare the next model with, or ""
    QString m_wantedTrace; ///< the trace to open with the next model, or ""
};

} // namespace cutaway::desktop
