// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/saved_session.h"
#include "app/desktop/opening.h"
#include "views/session/document.h"

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

/// Whether the page of a model is the list of its tensors, since it has no graph.
bool showsWeights(const ir::Model &file);

/// A file of the window: a note while it is read, then its model and all views of it, the list of sequences that it
/// holds, why its model could not be exported, or why it cannot be read. Each page reads on a thread of its own.
class ModelPage : public QWidget {
    Q_OBJECT

public:
    ModelPage(Source source, QWidget *parent);
    ~ModelPage() override;

    const Source &source() const { return m_source; }
    /// Names the page; see Source.
    const QString &path() const { return m_source.path; }
    /// The file or folder of path(), which may be the address of something in it.
    const QString &file() const { return m_file; }
    QString name() const; ///< the last part of the path, with what an address names: "run.log#0/1"
    /// Leaves what is known of its sequence, so that the file is read again.
    void forgetSequence() { m_source.sequence.reset(); }
    /// The session of the model; nullptr until the model is read.
    views::Session *session() const { return m_session.get(); }
    /// The sequences of the file that the page lists in place of a model; nullptr: it lists none.
    const std::shared_ptr<const sequence::Document> &listed() const { return m_listed; }
    /// Whether the page shows what was read.
    bool isRead() const { return m_session || m_listed || m_exportFailure; }
    /// Why the graphs are but a part of a model, which stands beside them, or why there is none; nullptr: they are
    /// whole.
    const NoExport &exportFailure() const { return m_exportFailure; }
    /// The views for the docks, in the order of docks(); empty without a model. A dock that shows one owns it.
    const std::vector<QWidget *> &dockViews() const { return m_dockViews; }
    /// The graph that the user looks at: if two models are compared, the one with the keyboard, or else the first.
    /// nullptr without a model.
    views::Canvas *canvasInSight() const;
    /// The graph of the model; nullptr without a model.
    views::Canvas *canvas() const;
    /// The graphs of the model and of the one that it is compared with.
    QList<views::Canvas *> canvases() const;

    Opening &opening() { return m_opening; }
    Opening &openingOther() { return m_openingOther; } ///< the model to compare with
    bool isOpening() const { return m_opening.isBusy() || m_openingOther.isBusy(); }

    /// Shows a page in place of a model.
    void setPage(QWidget *page);
    /// Takes a model that was read and makes its views, in place of those before. Its session is not started yet.
    void setModel(const ReadModel &read);
    /// Shows a list of sequences, which `page` is, in place of a model.
    void setListed(std::shared_ptr<const sequence::Document> listed, QWidget *page);
    /// Shows why a model could not be exported, of which there is no graph.
    void setNotExported(NoExport failure);
    Banner &banner() { return *m_banner; }

    // The window keeps this state with the page.

    std::optional<SavedSession> wanted;                 ///< to be restored with the next model
    std::shared_ptr<const TemporaryFolder> otherFolder; ///< which the compared model is in: it goes with the page
    QString wantedOther;                                ///< the file to compare the next model with, or ""
    QString wantedTrace;                                ///< the trace to open with the next model, or ""
    SavedSession rest;                                  ///< the part of restored sessions that does not fit the model
    std::shared_ptr<const ir::Model> written;           ///< the state that was saved last
    std::shared_ptr<const trace::Trace> recorded;       ///< the trace that the model is all of, or null
    QTimer keeping;                                     ///< runs from a change until the session is kept
    bool failsToKeep = false;                           ///< it could not be kept the last time, which the user knows

signals:
    void canvasesGoing();
    void canvasesChanged();

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
    QSplitter *m_panes = nullptr; ///< the panes of the model and of the compared one
    Opening m_opening;
    Opening m_openingOther;
};

} // namespace cutaway::desktop
