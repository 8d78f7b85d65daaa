// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/failure/failure.h"

#include "views/appearance/fonts.h"
#include "views/appearance/icon.h"
#include "views/appearance/theme.h"
#include "views/parts/centred.h"
#include "views/parts/elided_label.h"
#include "views/parts/text.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace cutaway::views {
namespace {

constexpr int messageWidth = 620;
constexpr qsizetype maxMessageLength = 600; ///< characters that are shown; "Copy message" copies all
constexpr qsizetype maxWordLength = 64;

/// Returns a text with long words and a long end cut out: a message quotes names, which may be of any length.
QString bounded(const QString &text)
{
    QStringList words = text.split(' ');
    for (QString &word : words)
        if (word.size() > maxWordLength)
            word = word.first(maxWordLength / 2) + QStringLiteral("…") + word.last(maxWordLength / 4);
    const QString whole = words.join(' ');
    return whole.size() > maxMessageLength ? whole.first(maxMessageLength) + QStringLiteral("…") : whole;
}

QLabel *wrapped(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(bounded(text), parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

/// Splits a message into the error and the advice that it ends with, if any: "a NumPy array; give it as an input".
std::pair<QString, QString> splitAdvice(const QString &message)
{
    const qsizetype at = message.lastIndexOf(QLatin1String("; "));
    const bool isQuoted = message.indexOf('"', std::max<qsizetype>(at, 0)) >= 0; // the "; " is within a quoted name
    return at < 0 || isQuoted ? std::pair(message, QString()) : std::pair(message.first(at), message.sliced(at + 2));
}

QWidget *buttons(const QString &details, const FailureActions &actions, QWidget *parent)
{
    auto *row = new QWidget(parent);
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    auto *other = new QPushButton(QObject::tr("Open another file…"), row);
    other->setDefault(true);
    auto *again = new QPushButton(QObject::tr("Try again"), row);
    auto *copy = new QPushButton(QObject::tr("Copy message"), row);
    QObject::connect(other, &QPushButton::clicked, row, [browse = actions.browse] { browse(); });
    QObject::connect(again, &QPushButton::clicked, row, [retry = actions.retry] { retry(); });
    QObject::connect(copy, &QPushButton::clicked, row, [details] { QGuiApplication::clipboard()->setText(details); });
    for (QPushButton *button : {other, again, copy})
        line->addWidget(button);
    line->addStretch();
    return row;
}

void addMuted(QVBoxLayout &column, const QString &text, QWidget *parent)
{
    QLabel *label = wrapped(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    column.addWidget(label);
}

void addMessage(QVBoxLayout &column, const Error &error, QWidget *parent)
{
    const auto [wrong, advice] = splitAdvice(shown(error.message));
    column.addWidget(wrapped(sentence(wrong), parent));
    if (!error.where.empty()) {
        column.addSpacing(4);
        QLabel *place = wrapped(QObject::tr("Where: %1").arg(shown(error.where)), parent);
        place->setFont(monospaceFont());
        place->setForegroundRole(QPalette::PlaceholderText);
        column.addWidget(place);
    }
    if (!advice.isEmpty()) {
        column.addSpacing(4);
        column.addWidget(wrapped(sentence(advice), parent));
    }
    column.addSpacing(16);
    // An error without a position is a bug of Cutaway, so there is no guess about the file.
    if (advice.isEmpty() && !error.where.empty())
        addMuted(column, QObject::tr("The file may be incomplete, or newer than this version supports."), parent);
    column.addSpacing(4);
}

void addTitle(QVBoxLayout &column, const QFileInfo &file, QWidget *parent)
{
    auto *title = new ElidedLabel(QObject::tr("%1 could not be opened").arg(file.fileName()), parent);
    title->setFont(titleFont(1.4));
    auto *folder = new ElidedLabel(file.absolutePath(), parent);
    folder->setForegroundRole(QPalette::PlaceholderText);
    column.addWidget(title);
    column.addWidget(folder);
}

} // namespace

QWidget *makeFailurePage(const QString &path, const Error &error, const QString &formats, const FailureActions &actions,
                         QWidget *parent)
{
    auto *page = new QWidget(parent);
    auto *block = new QWidget(page);
    block->setMaximumWidth(messageWidth);
    auto *column = new QVBoxLayout(block);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(4);
    addTitle(*column, QFileInfo(path), block);
    column->addSpacing(16);
    addMessage(*column, error, block);
    addMuted(*column, QObject::tr("Cutaway opens: %1.").arg(formats), block);
    column->addSpacing(16);
    column->addWidget(buttons(path + ": " + shown(error.text()), actions, block));
    placeCentred(block, page);
    page->setFocusProxy(page->findChild<QPushButton *>()); // the default button
    return page;
}

} // namespace cutaway::views
