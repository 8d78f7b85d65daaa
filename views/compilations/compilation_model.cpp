// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compilations/compilation_model.h"

#include "core/base/text.h"
#include "views/appearance/theme.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"

#include <QGuiApplication>
#include <QPalette>
#include <QRegularExpression>
#include <algorithm>
#include <filesystem>
#include <ranges>

namespace cutaway::views {

namespace {

QString statusText(sequence::Status status)
{
    switch (status) {
    case sequence::Status::Ok:
        return QObject::tr("compiled");
    case sequence::Status::Empty:
        return QObject::tr("no graph");
    case sequence::Status::Restarted:
        return QObject::tr("restarted");
    case sequence::Status::Failed:
        return QObject::tr("failed");
    case sequence::Status::Cut:
        return QObject::tr("cut off");
    }
    return {};
}

QString statusToolTip(sequence::Status status)
{
    switch (status) {
    case sequence::Status::Ok:
        return QObject::tr("The compilation was completed.");
    case sequence::Status::Empty:
        return QObject::tr("The compiler traced the code and produced no graph.");
    case sequence::Status::Restarted:
        return QObject::tr("The compiler abandoned this attempt for a later one.");
    case sequence::Status::Failed:
        return QObject::tr("The compilation ended with an error.");
    case sequence::Status::Cut:
        return QObject::tr("The log ends in this compilation.");
    }
    return {};
}

std::optional<std::uint64_t> nodesOfLast(const sequence::Sequence &sequence)
{
    for (const sequence::Step &step : sequence.steps | std::views::reverse)
        if (step.outline)
            return step.outline->nodes;
    return std::nullopt;
}

QVariant foreground(const sequence::Sequence &sequence, int column)
{
    const QPalette palette = QGuiApplication::palette();
    if (sequence.status == sequence::Status::Failed && column == CompilationModel::StatusColumn)
        return errorColor(palette);
    if (sequence.status == sequence::Status::Cut && column == CompilationModel::StatusColumn)
        return warningColor(palette);
    const bool isAside = sequence.steps.empty() || sequence.status == sequence::Status::Restarted;
    return isAside ? QVariant(mutedText(palette)) : QVariant();
}

/// Whether a sequence is known to be a part of training: it is a backward, or one of its steps is a forward or joint
/// graph.
bool isPartKnown(const sequence::Sequence &sequence)
{
    return sequence.part == sequence::Part::Backward
        || std::ranges::any_of(sequence.steps, [](const sequence::Step &step) {
               return step.direction == sequence::Direction::Forward || step.direction == sequence::Direction::Joint;
           });
}

/// Returns the compiler's id, or else the name of the folder with the graphs, since files in a folder have no id.
QString idText(const sequence::Sequence &sequence, const sequence::Document &document)
{
    if (sequence.compileId)
        return shown(*sequence.compileId);
    const bool isInFolder =
        !sequence.steps.empty() && !std::ranges::contains(document.sources, sequence.steps.front().source);
    return isInFolder ? shown(std::filesystem::path(sequence.steps.front().source).parent_path().filename().string())
                      : QStringLiteral("–");
}

/// Returns the text with each number padded to the same width, so that 9 comes before 10 when texts are sorted.
QString withWideNumbers(const QString &text)
{
    constexpr qsizetype width = 20;
    static const QRegularExpression number(QStringLiteral("\\d+"));
    QString wide;
    qsizetype end = 0;
    for (const QRegularExpressionMatch &match : number.globalMatch(text)) {
        wide += text.mid(end, match.capturedStart() - end) + match.captured().rightJustified(width, '0');
        end = match.capturedEnd();
    }
    return wide + text.mid(end);
}

/// Returns the alignment of a column: numbers are right-aligned, except ranks, which are names rather than amounts.
int alignmentOf(int column)
{
    const bool isAmount = CompilationModel::hasNumbers(column) && column != CompilationModel::RankColumn;
    return int((isAmount ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

QString placeText(const std::string &file, std::optional<std::uint64_t> line, bool isWhole)
{
    if (file.empty())
        return {};
    const QString path = shown(file);
    return (isWhole ? path : path.sliced(path.lastIndexOf('/') + 1)) + (line ? QStringLiteral(":%1").arg(*line) : "");
}

QString messageText(const sequence::Diagnostic &message)
{
    const QString place = placeText(message.file, message.line);
    return (place.isEmpty() ? QString() : place + QStringLiteral(": ")) + sentence(shown(message.message));
}

CompilationModel::CompilationModel(std::shared_ptr<const sequence::Document> document, QObject *parent)
    : QAbstractTableModel(parent),
      m_document(std::move(document))
{
}

int CompilationModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_document->sequences.size());
}
int CompilationModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

bool CompilationModel::hasNumbers(int column)
{
    return column == RankColumn || column == StepsColumn || column == NodesColumn || column == BreaksColumn;
}

bool CompilationModel::isIdle(int column) const
{
    if (column == RankColumn) {
        const auto &all = m_document->sequences;
        return std::ranges::adjacent_find(all, std::ranges::not_equal_to(), &sequence::Sequence::rank) == all.end();
    }
    return std::ranges::all_of(m_document->sequences, [&](const sequence::Sequence &each) {
        return text(each, column).isEmpty() || (column == PartColumn && !isPartKnown(each));
    });
}

std::optional<std::uint64_t> CompilationModel::number(const sequence::Sequence &sequence, int column) const
{
    switch (column) {
    case RankColumn:
        return sequence.rank;
    case StepsColumn:
        return sequence.steps.size();
    case NodesColumn:
        return nodesOfLast(sequence);
    default:
        return sequence.graphBreaks.empty() ? std::nullopt : std::optional(std::uint64_t(sequence.graphBreaks.size()));
    }
}

QString CompilationModel::text(const sequence::Sequence &sequence, int column) const
{
    switch (column) {
    case IdColumn:
        return idText(sequence, *m_document);
    case PartColumn:
        return isPartKnown(sequence) ? shown(sequence::name(sequence.part)) : QStringLiteral("–");
    case FunctionColumn:
        return shown(sequence.function);
    case PlaceColumn:
        return placeText(sequence.file, sequence.line);
    case StatusColumn: // a sequence of files, which no compiler ran on, has no status
        return sequence.compileId || sequence.status != sequence::Status::Ok ? statusText(sequence.status) : QString();
    case ReasonColumn:
        return shown(sequence.recompileReason).simplified();
    default:
        const auto value = number(sequence, column);
        return value ? shown(grouped(std::int64_t(*value))) : QString();
    }
}

QString CompilationModel::toolTip(const sequence::Sequence &sequence, int column) const
{
    switch (column) {
    case FunctionColumn:
    case PlaceColumn:
        return toolTipText(placeText(sequence.file, sequence.line, true));
    case StatusColumn:
        return toolTipText(statusToolTip(sequence.status));
    case ReasonColumn:
        return toolTipText(shown(sequence.recompileReason, true));
    default:
        return {};
    }
}

QVariant CompilationModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const sequence::Sequence &sequence = m_document->sequences[std::size_t(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(sequence, column);
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    case Qt::ToolTipRole:
        return toolTip(sequence, column);
    case Qt::ForegroundRole:
        return foreground(sequence, column);
    case sortRole:
        if (column == IdColumn)
            return withWideNumbers(text(sequence, column));
        [[fallthrough]];
    case exactRole:
        if (!hasNumbers(column))
            return text(sequence, column);
        if (const auto value = number(sequence, column))
            return qulonglong(*value);
        return {};
    default:
        return {};
    }
}

QVariant CompilationModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(section);
    const std::pair<QString, QString> titles[] = {
        {tr("Id"), tr("The compilation's id in the log: frame/recompilation_attempt")},
        {tr("Rank"), tr("The process of a distributed run")},
        {tr("Part"), tr("The forward and the backward are compiled one after the other")},
        {tr("Function"), tr("The code that was compiled")},
        {tr("Place"), tr("Where that code begins")},
        {tr("Status"), {}},
        {tr("Steps"), tr("Recorded graphs")},
        {tr("Nodes"), tr("Nodes of the last graph")},
        {tr("Breaks"), tr("Where the compiler ended the graph and went on in Python")},
        {tr("Recompiled because"), tr("The guard that failed")}};
    if (role == Qt::ToolTipRole)
        return titles[section].second;
    return role == Qt::DisplayRole ? QVariant(titles[section].first) : QVariant();
}

} // namespace cutaway::views
