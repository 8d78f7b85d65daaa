// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"
#include "views/parts/latest_work.h"

#include <QWidget>
#include <functional>
#include <memory>

class QListWidget;
class QPlainTextEdit;
class QTreeView;

namespace cutaway::views {

class ElidedLabel;
class RecordedStepModel;
class TrainingCurve;

/// A view of one sequence of a document: its steps, and what the log says about it, as text.
class CompilationDetail : public QWidget {
    Q_OBJECT

public:
    CompilationDetail(std::shared_ptr<const sequence::Document> document,
                      std::function<void(const QString &address)> openStep, QWidget *parent);

    /// Shows the sequence with the index `at` in the document, or none.
    void show(std::optional<std::size_t> at);

private:
    QWidget *makeSteps();
    QWidget *makeTexts();
    void tellUnchanged();
    void showText(int row);
    void showFigures();
    void setText(const QString &text, bool isCode);
    const sequence::Sequence *sequence() const;

    std::shared_ptr<const sequence::Document> m_document;
    std::function<void(const QString &)> m_openStep;
    std::optional<std::size_t> m_at;
    RecordedStepModel *m_model;
    QTreeView *m_steps;
    ElidedLabel *m_unchanged;
    QWidget *m_under = nullptr; ///< the row below the steps that contains m_unchanged
    QListWidget *m_records;     ///< the records of the log, after two rows for the summary, and for kernels and memory
    TrainingCurve *m_curve;
    QPlainTextEdit *m_text;
    LatestWork m_work; ///< reads a record or the figures; declared last, so that it ends before what it uses
};

} // namespace cutaway::views
