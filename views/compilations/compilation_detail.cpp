// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compilations/compilation_detail.h"

#include "core/print/figures.h"
#include "core/report/sequences/headings.h"
#include "core/report/sequences/sequences.h"
#include "core/sequence/facts/guards.h"
#include "core/sequence/saved.h"
#include "views/appearance/fonts.h"
#include "views/compilations/compilation_model.h"
#include "views/compilations/recorded_step_model.h"
#include "views/compilations/training_curve.h"
#include "views/parts/elided_label.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"

#include <QHeaderView>
#include <QJsonDocument>
#include <QListWidget>
#include <QLocale>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>
#include <map>

namespace cutaway::views {
namespace {

constexpr std::size_t firstRecord = 2;         ///< the row of the first record
constexpr qsizetype maxTextLength = 2'000'000; ///< characters; an editor with more text is slow

void add(QStringList &lines, const QString &title, const QStringList &rows)
{
    if (rows.isEmpty())
        return;
    lines << QString() << title;
    for (const QString &row : rows)
        lines << QStringLiteral("    ") + row;
}

QStringList breaksOf(const sequence::Sequence &sequence)
{
    QStringList breaks;
    for (const sequence::GraphBreak &each : sequence.graphBreaks) {
        const QString at = placeText(each.file.value_or(std::string()), each.line, true);
        QStringList reason = shown(each.reason, true).trimmed().split('\n');
        breaks << (at.isEmpty() ? reason.takeFirst() : at);
        for (const QString &line : reason)
            breaks << QStringLiteral("    ") + line.trimmed();
    }
    return breaks;
}

/// Adds lines about symbolic sizes, caches and times.
void addFacts(QStringList &lines, const sequence::Sequence &sequence)
{
    QStringList sizes, phases;
    for (const sequence::SizeSymbol &symbol : sequence.symbols)
        sizes << shown(report::symbolText(symbol));
    add(lines, QObject::tr("Symbolic sizes"), sizes);
    if (const std::string caches = report::cachesText(sequence); !caches.empty())
        add(lines, QObject::tr("Caches"), {shown(caches)});
    for (const sequence::Phase &phase : sequence.phases)
        phases << QStringLiteral("%1  %2").arg(shown(print::secondsText(phase.seconds)), shown(phase.name));
    add(lines, QObject::tr("Compile time; phases are nested"), phases);
}

QString summaryOf(const sequence::Sequence &sequence, const sequence::Document &document)
{
    QStringList lines;
    const QString place = placeText(sequence.file, sequence.line, true);
    lines << (!sequence.function.empty() ? QStringLiteral("%1  %2").arg(shown(sequence.function), place).trimmed()
                  : sequence.compileId   ? QObject::tr("The code that was compiled is not known.")
                                         : QObject::tr("Graphs without a log: the compiled code is not recorded."));
    if (!sequence.recompileReason.empty())
        add(lines, QObject::tr("Recompiled because"), shown(sequence.recompileReason, true).trimmed().split('\n'));
    add(lines, QObject::tr("Graph breaks"), breaksOf(sequence));
    addFacts(lines, sequence);
    QStringList messages;
    for (const sequence::Diagnostic &each : document.diagnostics)
        messages << messageText(each);
    add(lines, QObject::tr("Messages about the file"), messages);
    return lines.join('\n');
}

/// Describes what kernels move and save, and the memory of training.
QString figuresOf(const sequence::Document &document, const sequence::Sequence &sequence, const Task &task)
{
    const QString text = shown(report::figuresText(document, sequence, task), true);
    return text.isEmpty() ? QObject::tr("The log has no code of kernels and no backward for this compilation.") : text;
}

/// Returns the checks one below the other, each above the line of code that required it.
QString guardsText(const std::vector<sequence::Guard> &guards)
{
    QStringList lines;
    for (const sequence::Guard &guard : guards) {
        lines << QStringLiteral("%1  %2").arg(shown(guard.kind), shown(guard.check));
        if (!guard.place.empty())
            lines << QStringLiteral("    %1  %2").arg(shown(guard.place), shown(guard.code));
    }
    return lines.join('\n');
}

/// Returns the text of a record for display: checks as guardsText() writes them, JSON indented over several lines,
/// other text as it is. If the file has changed since it was read, the text says so instead.
QString recordText(const sequence::Record &record)
{
    const std::string text = record.text.text();
    if (const auto unchanged = record.text.file->checkUnchanged(); !unchanged)
        return sentence(shown(unchanged.error().text()));
    if (record.name == sequence::guardsRecord)
        if (const auto guards = sequence::guardsIn(record); !guards.empty())
            return guardsText(guards);
    if (text.starts_with('{') || text.starts_with('[')) {
        const QJsonDocument json = QJsonDocument::fromJson(QByteArray::fromStdString(text));
        if (!json.isNull())
            return shown(json.toJson().toStdString(), true);
    }
    return shown(text, true);
}

} // namespace

CompilationDetail::CompilationDetail(std::shared_ptr<const sequence::Document> document,
                                     std::function<void(const QString &)> openStep, QWidget *parent)
    : QWidget(parent),
      m_document(std::move(document)),
      m_openStep(std::move(openStep)),
      m_model(new RecordedStepModel(this)),
      m_steps(new QTreeView(this)),
      m_unchanged(new ElidedLabel({}, this)),
      m_records(new QListWidget(this)),
      m_curve(new TrainingCurve(this)),
      m_text(new QPlainTextEdit(this))
{
    auto *parts = new QSplitter(this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(makeSteps());
    parts->addWidget(makeTexts());
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(parts);
}

QWidget *CompilationDetail::makeSteps()
{
    m_steps->setObjectName("steps");
    m_steps->setModel(m_model);
    m_steps->setRootIsDecorated(false);
    m_steps->setUniformRowHeights(true);
    m_steps->setAllColumnsShowFocus(true);
    m_steps->setItemDelegate(new RowDelegate(m_steps));
    m_steps->setAccessibleName(tr("Steps"));
    QHeaderView &header = *m_steps->header();
    header.setStretchLastSection(false);
    header.setMinimumSectionSize(24);
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    header.setSectionResizeMode(RecordedStepModel::NameColumn, QHeaderView::Stretch);
    const auto open = [this](const QModelIndex &index) {
        if (const sequence::Step *step = m_model->step(index))
            m_openStep(QString::fromStdString(step->address));
    };
    connect(m_steps, &QTreeView::activated, this, open);
    makeCopyable(*m_steps, [open](QMenu &menu, const QModelIndex &index) {
        menu.addAction(tr("Open as a model"), [open, index = QPersistentModelIndex(index)] { open(index); });
    });
    m_unchanged->setObjectName("unchanged");
    m_unchanged->setAction([this] {
        m_model->setShowsUnchanged(!m_model->showsUnchanged());
        tellUnchanged();
    });
    auto *part = new QWidget(this);
    auto *column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_steps, 1);
    m_under = new QWidget(part);
    auto *under = new QHBoxLayout(m_under);
    under->setContentsMargins(12, 4, 12, 6);
    under->addWidget(m_unchanged);
    column->addWidget(m_under);
    return part;
}

QWidget *CompilationDetail::makeTexts()
{
    m_records->setObjectName("records");
    m_records->setItemDelegate(new RowDelegate(m_records));
    m_records->setUniformItemSizes(true);
    m_records->setFrameShape(QFrame::NoFrame);
    m_records->setTextElideMode(Qt::ElideMiddle);
    m_records->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_records->setAccessibleName(tr("Records of the log"));
    connect(m_records, &QListWidget::currentRowChanged, this, &CompilationDetail::showText);
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->document()->setDocumentMargin(12);
    m_text->setAccessibleName(tr("Text"));
    auto *parts = new QSplitter(this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_records);
    auto *part = new QWidget(this);
    auto *column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_curve, 2);
    column->addWidget(m_text, 3);
    parts->addWidget(part);
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 3);
    return parts;
}

const sequence::Sequence *CompilationDetail::sequence() const { return m_at ? &m_document->sequences[*m_at] : nullptr; }

void CompilationDetail::show(std::optional<std::size_t> at)
{
    m_at = at;
    m_model->setSequence(sequence());
    tellUnchanged();
    m_records->clear();
    if (!sequence())
        return;
    m_records->addItem(tr("Summary"));
    m_records->addItem(tr("Kernels and memory"));
    std::map<std::string, int> known;
    for (const sequence::Record &record : sequence()->records) {
        const int count = ++known[record.name];
        auto *item = new QListWidgetItem(
            shown(record.name) + (count > 1 ? QStringLiteral(" (%1)").arg(count) : QString()), m_records);
        item->setToolTip(toolTipText(tr("%1, line %2, %3")
                                         .arg(shown(record.name))
                                         .arg(record.line)
                                         .arg(QLocale::c().formattedDataSize(qint64(record.text.byteCount()), 1))));
    }
    m_records->setCurrentRow(0);
}

void CompilationDetail::tellUnchanged()
{
    const std::size_t count = m_model->unchangedCount();
    m_under->setVisible(count > 0);
    const QString steps =
        counted(static_cast<long long>(count), "step that changed nothing", "steps that changed nothing");
    m_unchanged->setText((m_model->showsUnchanged() ? tr("Hide %1") : tr("Show %1")).arg(steps));
}

void CompilationDetail::showText(int row)
{
    m_work.cancel();
    m_curve->show(nullptr);
    if (!sequence() || row < 0)
        return setText({}, false);
    if (row == 0)
        return setText(summaryOf(*sequence(), *m_document), false);
    if (row == 1)
        return showFigures();
    m_work.request([this, record = sequence()->records[std::size_t(row) - firstRecord]](
                       const std::stop_token &) -> LatestWork::Finish {
        QString text = recordText(record);
        if (text.size() > maxTextLength)
            text = text.first(maxTextLength) + tr("\n… (truncated)");
        return [this, text] { setText(text, true); };
    });
}

void CompilationDetail::showFigures()
{
    m_work.request([this, document = m_document, at = *m_at](const std::stop_token &stop) -> LatestWork::Finish {
        const sequence::Sequence &each = document->sequences[at];
        const Task task{stop, {}};
        const QString text = figuresOf(*document, each, task);
        const sequence::Sequence *backward = sequence::backwardOf(*document, each);
        auto training = backward ? sequence::trainingOf(each, *backward, task) : std::nullopt;
        auto memory =
            training ? std::make_shared<const sequence::TrainingMemory>(std::move(training->memory)) : nullptr;
        return [this, text, memory = std::move(memory)] {
            m_curve->show(memory);
            setText(text, true);
        };
    });
}

void CompilationDetail::setText(const QString &text, bool isCode)
{
    m_text->setFont(isCode ? monospaceFont() : font());
    m_text->setLineWrapMode(isCode ? QPlainTextEdit::NoWrap : QPlainTextEdit::WidgetWidth);
    m_text->setPlainText(text);
}

} // namespace cutaway::views
