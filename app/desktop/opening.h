// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/source.h"
#include "views/parts/latest_work.h"

#include <QObject>
#include <memory>
#include <variant>

namespace cutaway::analysis {
struct ModuleSums;
}

namespace cutaway::passes {
class History;
}

namespace cutaway::sequence {
struct ExportFailure;
}

namespace cutaway::trace {
struct Trace;
}

namespace cutaway::desktop {

/// A model that was read from a source. If the source is a sequence of graphs, it is the first of them.
struct ReadModel {
    std::shared_ptr<const ir::Model> model;
    std::shared_ptr<const analysis::ModuleSums> sums;         ///< sums over the modules of the model's first function
    std::shared_ptr<const passes::History> history = nullptr; ///< the sequence whose first graph `model` is, or null
    std::shared_ptr<const trace::Trace> recorded = nullptr;   ///< the trace that the model is made of, or null
    /// Why the graphs of the history are only a part of a model, or null.
    std::shared_ptr<const sequence::ExportFailure> exportFailure = nullptr;
};

/// Why torch could not export a model, of which there are then no graphs, or only some.
using NoExport = std::shared_ptr<const sequence::ExportFailure>;

/// Reads files on another thread, one at a time. Opening another file cancels the reading of the present one.
class Opening : public QObject {
    Q_OBJECT

public:
    explicit Opening(QObject *parent = nullptr);

    /// Reads a model, or makes one of a trace. Several graphs in the file are an error.
    void start(const QString &path);
    /// Reads what a source holds: a graph, a trace, the steps of a sequence, several sequences, or why there is no
    /// graph.
    void start(const Source &source);
    void cancel() { m_work.cancel(); }
    bool isBusy() const { return m_work.isBusy(); }

signals:
    void busyChanged();
    /// `total` is 0 if it is unknown.
    void progress(const QString &what, quint64 done, quint64 total);
    void opened(const QString &path, const cutaway::desktop::ReadModel &read);
    /// Emitted if the source has several sequences.
    void listed(const QString &path, const std::shared_ptr<const cutaway::sequence::Document> &document);
    void notExported(const QString &path, const cutaway::desktop::NoExport &failure);
    void failed(const QString &path, const cutaway::Error &error);

private:
    using Opened = Result<std::variant<ReadModel, std::shared_ptr<const sequence::Document>, NoExport>>;
    static Opened asRead(ir::Model model);
    static Opened openedAlone(const std::string &trace, const Task &task);
    static Opened stepsOf(const sequence::Sequence &sequence, const Task &task);
    static Opened found(const Source &source, const Task &task);
    void begin(const QString &path, std::function<Opened(const Task &)> read);
    void ended();

    QString m_path;                ///< the last requested path
    Opened m_opened = cancelled(); ///< the result of the work; cancelled() unless it was completed
    views::LatestWork m_work;      ///< declared last, so that it ends before what it uses
};

/// The description of a format and its suffixes, for dialogs and pages: "ONNX" and "*.onnx".
struct FormatText {
    QString description;
    QString suffixes;
};
std::vector<FormatText> formatTexts();

} // namespace cutaway::desktop
