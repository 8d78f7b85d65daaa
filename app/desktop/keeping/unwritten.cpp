// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keeping/unwritten.h"

#include "app/desktop/model_page.h"
#include "app/desktop/pages.h"
#include "views/session/document.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QMessageBox>
#include <QPointer>
#include <QPushButton>

namespace cutaway::desktop {

bool isUnwritten(const ModelPage &page)
{
    if (!page.session())
        return false;
    const views::Stepping &stepping = page.session()->stepping();
    if (stepping.isRecorded())
        return false; // recorded steps come from a file, so there is nothing to write
    bool isChanged = false;
    for (std::size_t step = 0; step < stepping.position(); ++step)
        isChanged |= stepping.history()->steps()[step].isChange;
    return isChanged && page.session()->document().models().shown.model != page.written;
}

void askAboutUnwritten(const QList<ModelPage *> &unwritten, Pages &pages, const std::function<void()> &close,
                       const std::function<void()> &again)
{
    QStringList names;
    for (const ModelPage *page : unwritten)
        names << page->name();
    auto *box = new QMessageBox(
        QMessageBox::Question, QObject::tr("Close"),
        QObject::tr("Passes have changed %1, and the result is not saved.").arg(names.join(QObject::tr(", "))),
        QMessageBox::Cancel, &pages);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(QObject::tr("The session keeps the passes, which can be run again."));
    box->setObjectName("unwritten");
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton *discard = box->addButton(QObject::tr("Close without saving"), QMessageBox::DestructiveRole);
    QObject::connect(discard, &QPushButton::clicked, &pages, close, Qt::QueuedConnection); // once the box is gone
    QPushButton *saving = box->addButton(unwritten.size() == 1 ? QObject::tr("Save…")
                                                               : QObject::tr("Save %1…").arg(unwritten.front()->name()),
                                         QMessageBox::AcceptRole);
    const auto request = [page = QPointer(unwritten.front()), &pages, again] {
        if (page)
            emit pages.savingRequested(page, again);
    };
    QObject::connect(saving, &QPushButton::clicked, &pages, request, Qt::QueuedConnection);
    box->setDefaultButton(saving);
    box->open();
}

} // namespace cutaway::desktop
