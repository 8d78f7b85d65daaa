// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compilations/side_by_side.h"

#include "core/base/result.h"
#include "core/report/sequences/comparison.h"
#include "core/sequence/address.h"
#include "views/appearance/theme.h"
#include "views/compilations/compilation_model.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace cutaway::views {
namespace {

enum Column { NameColumn, VerdictColumn, NodesColumn, DifferenceColumn, ColumnCount };
constexpr int addressRole = Qt::UserRole; ///< the role of a row's two addresses, those of the graphs of a stage

void colour(QTreeWidgetItem &item, sequence::Verdict verdict, const QPalette &palette)
{
    if (verdict == sequence::Verdict::Differs)
        item.setForeground(VerdictColumn, warningColor(palette));
    else
        item.setForeground(VerdictColumn, mutedText(palette));
}

QString differenceText(const sequence::ComparedStep &step)
{
    QStringList parts{shown(report::detailText(step)), shown(report::operatorCountsText(step))};
    parts.removeAll(QString());
    return parts.join(QStringLiteral("; "));
}

/// Adds a row for texts that only one side has, with the texts as rows below it.
void addOnly(QTreeWidgetItem &under, const QString &what, const sequence::OnlyTexts &only)
{
    constexpr std::size_t most = 200;
    if (only.isEmpty())
        return;
    auto *item = new QTreeWidgetItem(
        &under, {what, {}, {}, QObject::tr("%1 only in A, %2 only in B").arg(only.a.size()).arg(only.b.size())});
    for (const auto &[texts, side] :
         {std::pair(&only.a, QObject::tr("only in A")), std::pair(&only.b, QObject::tr("only in B"))})
        for (std::size_t i = 0; i < std::min(texts->size(), most); ++i) {
            const QString text = shown((*texts)[i]);
            auto *row = new QTreeWidgetItem(item, {{}, side, {}, text});
            row->setToolTip(DifferenceColumn, toolTipText(text));
        }
}

QString addressOf(const sequence::Document &document, std::optional<std::size_t> sequence,
                  std::optional<std::size_t> step)
{
    return sequence && step ? QString::fromStdString(document.sequences[*sequence].steps[*step].address) : QString();
}

} // namespace

ComparedSide sideOf(QString name, std::shared_ptr<const sequence::Document> document)
{
    return {std::move(name), [document = std::move(document)](const Task &) { return document; }};
}

ComparedSide sideAt(const QString &path)
{
    return {QFileInfo(path).fileName(), [path](const Task &task) -> Result<std::shared_ptr<const sequence::Document>> {
                CUTAWAY_TRY(auto document, sequence::readAt(path.toStdString(), task));
                return std::make_shared<const sequence::Document>(std::move(document));
            }};
}

SideBySideWindow::SideBySideWindow(const ComparedSide &a, const ComparedSide &b, OpenPair openPair, QWidget *parent)
    : QDialog(parent),
      m_openPair(std::move(openPair)),
      m_verdict(new QLabel(tr("Comparing %1 with %2 …").arg(a.name, b.name), this)),
      m_list(new QTreeWidget(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Compilations side by side"));
    resize(980, 560);
    m_verdict->setObjectName("verdict");
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setWordWrap(true);
    m_list->setObjectName("stages");
    m_list->setColumnCount(ColumnCount);
    m_list->setHeaderLabels({tr("Stage"), tr("Verdict"), tr("Nodes"), tr("Difference")});
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setAccessibleName(tr("Stages"));
    makeCopyable(*m_list);
    connect(m_list, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem *item) {
        const QStringList pair = item->data(NameColumn, addressRole).toStringList();
        if (pair.size() == 2 && m_openPair)
            m_openPair(pair[0], pair[1]);
    });
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_verdict);
    column->addWidget(m_list, 1);
    compare(a, b);
}

void SideBySideWindow::compare(const ComparedSide &a, const ComparedSide &b)
{
    m_work.request([this, a, b](const std::stop_token &stop) -> LatestWork::Finish {
        const Task task{stop, {}};
        SideBySide both{a.name, b.name, {}, {}, {}};
        for (const auto &[side, document] : {std::pair(&a, &both.a), std::pair(&b, &both.b)}) {
            auto read = side->read(task);
            if (!read)
                return [this, error = read.error()] { showFailure(error); };
            *document = std::move(*read);
        }
        both.compared = sequence::compare(*both.a, *both.b, task);
        return [this, both] { showCompared(both); };
    });
}

void SideBySideWindow::showFailure(const Error &error)
{
    m_verdict->setText(sentence(tr("It could not be compared: %1").arg(shown(error.text()))));
}

void SideBySideWindow::showCompared(const SideBySide &both)
{
    const report::SequenceComparison comparison{both.nameA.toStdString(), both.nameB.toStdString(), *both.a, *both.b,
                                                both.compared};
    m_verdict->setText(tr("A: %1. B: %2. %3").arg(both.nameA, both.nameB, shown(report::verdictText(comparison))));
    for (const sequence::ComparedSequence &each : both.compared)
        addSequence(both, each);
    addMessages(both);
    for (int column = 0; column < DifferenceColumn; ++column)
        m_list->resizeColumnToContents(column);
    m_list->setFocus();
}

void SideBySideWindow::addSequence(const SideBySide &both, const sequence::ComparedSequence &compared)
{
    const report::SequenceComparison comparison{{}, {}, *both.a, *both.b, both.compared};
    const sequence::Sequence &named =
        compared.at.a ? both.a->sequences[*compared.at.a] : both.b->sequences[*compared.at.b];
    const QString title = shown(report::idText(comparison, compared) + "  " + named.function).trimmed();
    auto *item = new QTreeWidgetItem(m_list,
                                     {title,
                                      shown(report::verdictWord(compared.at, compared.verdict())),
                                      {},
                                      shown(report::detailText(comparison, compared))});
    colour(*item, compared.verdict(), palette());
    for (const sequence::ComparedStep &step : compared.steps) {
        auto *row = new QTreeWidgetItem(item,
                                        {shown(report::stepName(comparison, compared, step)),
                                         shown(report::verdictWord(step.at, step.verdict)),
                                         shown(report::nodeCountText(step)), differenceText(step)});
        colour(*row, step.verdict, palette());
        row->setToolTip(DifferenceColumn, toolTipText(differenceText(step)));
        if (step.at.a && step.at.b)
            row->setData(NameColumn, addressRole,
                         QStringList{addressOf(*both.a, compared.at.a, step.at.a),
                                     addressOf(*both.b, compared.at.b, step.at.b)});
        if (!m_list->currentItem() && step.verdict == sequence::Verdict::Differs)
            m_list->setCurrentItem(row);
    }
    addOnly(*item, tr("Graph breaks"), compared.breaks);
    addOnly(*item, tr("Recompiled because"), compared.reasons);
    addOnly(*item, tr("Guards"), compared.guards);
    item->setExpanded(compared.verdict() != sequence::Verdict::Same || both.compared.size() == 1);
}

void SideBySideWindow::addMessages(const SideBySide &both)
{
    if (both.a->diagnostics.empty() && both.b->diagnostics.empty())
        return;
    auto *item = new QTreeWidgetItem(m_list, {tr("Messages about the logs")});
    for (const auto &[document, side] : {std::pair(&both.a, tr("A")), std::pair(&both.b, tr("B"))})
        for (const sequence::Diagnostic &message : (*document)->diagnostics) {
            auto *row = new QTreeWidgetItem(item, {{}, side, {}, messageText(message)});
            row->setToolTip(DifferenceColumn, toolTipText(messageText(message)));
        }
    item->setExpanded(true);
}

} // namespace cutaway::views
