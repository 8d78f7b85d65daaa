// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run/profile_files.h"

#include "views/session/document.h"
#include "views/session/running.h"
#include "views/session/session.h"

#include <QFileDialog>
#include <QFileInfo>

namespace cutaway::views {
namespace {

QString chosen(QWidget *window, const QString &title)
{
    return QFileDialog::getOpenFileName(window, title, {}, QObject::tr("Profiles (*.json)"));
}

} // namespace

void openProfile(Session &session, QWidget *window)
{
    if (const QString path = chosen(window, QObject::tr("Open profile")); !path.isEmpty())
        session.running().open(path);
}

void saveProfile(Session &session, QWidget *window)
{
    if (!session.running().profile())
        return;
    const QString name = QFileInfo(QString::fromStdString(session.document().file().path)).completeBaseName();
    const QString path = QFileDialog::getSaveFileName(
        window, QObject::tr("Save profile"), name + QStringLiteral(".profile.json"), QObject::tr("Profiles (*.json)"));
    if (!path.isEmpty())
        session.running().save(path);
}

void compareProfile(Session &session, QWidget *window)
{
    if (const QString path = chosen(window, QObject::tr("Compare with profile")); !path.isEmpty())
        session.running().compareWith(path);
}

} // namespace cutaway::views
