// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/writing/file_dialogs.h"

#include "app/desktop/keeping/saved_session.h"
#include "app/desktop/opening.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>

namespace cutaway::desktop {

QString chooseModel(QWidget &window, const QString &title, const QString &model, bool withSurveys)
{
    QStringList all, filters;
    for (const FormatText &format : formatTexts()) {
        for (const QString &suffix : format.suffixes.split(' '))
            if (!all.contains(suffix))
                all << suffix;
        filters << QStringLiteral("%1 (%2)").arg(format.description, format.suffixes);
    }
    if (withSurveys) {
        all << QStringLiteral("*.db");
        filters << QObject::tr("Surveys (*.db)");
    }
    filters.prepend(
        (withSurveys ? QObject::tr("Models and surveys (%1)") : QObject::tr("Models (%1)")).arg(all.join(' ')));
    filters << QObject::tr("Sessions (*%1)").arg(QString::fromUtf8(sessionSuffix));
    filters << QObject::tr("All files (*)");
    const QString folder = model.isEmpty() ? QString() : QFileInfo(model).absolutePath();
    return QFileDialog::getOpenFileName(&window, title, folder, filters.join(";;"));
}

QString chooseTrace(QWidget &window, const QString &model)
{
    return QFileDialog::getOpenFileName(&window, QObject::tr("Open a trace of the model"),
                                        QFileInfo(model).absolutePath(),
                                        QObject::tr("Traces (*.json *.json.gz);;All files (*)"));
}

QString targetFolder(const QString &model)
{
    const QString folder = QFileInfo(model).absolutePath();
    return QFileInfo(folder).isWritable() ? folder : QDir::homePath();
}

QString chooseTarget(QWidget &window, const QString &title, const QString &model, const QString &name,
                     const std::vector<std::pair<QString, QString>> &filters)
{
    QFileDialog dialog(&window, title, targetFolder(model));
    QStringList texts;
    for (const auto &[text, suffix] : filters)
        texts << QStringLiteral("%1 (*.%2)").arg(text, suffix);
    dialog.setNameFilters(texts);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    const auto follow = [&](const QString &filter) {
        const auto chosen = std::size_t(std::max<qsizetype>(texts.indexOf(filter), 0));
        dialog.setDefaultSuffix(filters[chosen].second);
    };
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, follow);
    follow(texts.front());
    dialog.selectFile(QFileInfo(model).completeBaseName() + name + '.' + filters.front().second);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

} // namespace cutaway::desktop
