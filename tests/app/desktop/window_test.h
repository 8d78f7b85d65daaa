// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/main_window.h"
#include "app/desktop/panes/tab_bar.h"
#include "views/graph/canvas.h"
#include "views/session/analysing.h"
#include "views/session/drawing.h"
#include "views/session/session.h"

#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace cutaway::desktop {

/// The texts of all labels in a widget, in lines.
inline QString labelTexts(const QWidget &widget)
{
    QStringList texts;
    for (const QLabel *label : widget.findChildren<QLabel *>())
        texts << label->text();
    return texts.join('\n');
}

/// Tests of a window with several files: a folder with two copies of the sample, and the actions of a user.
class WindowTest : public QObject {
protected:
    void makeFiles()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_a = copied("a.onnx");
        m_b = copied("b.onnx");
    }

    std::unique_ptr<QSettings> settings() const
    {
        return std::make_unique<QSettings>(m_folder->filePath("settings.ini"), QSettings::IniFormat);
    }

    QString copied(const QString &name) const
    {
        const QString path = m_folder->filePath(name);
        if (!QFile::copy(QStringLiteral(CUTAWAY_SAMPLES "/small_vision.onnx"), path))
            qFatal("the sample could not be copied");
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        return path;
    }

    QString write(const QString &name, const QByteArray &content) const
    {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("the test's file could not be written");
        return file.fileName();
    }

    /// Writes a trace of ONNX Runtime in which a node of the sample takes 3 ms.
    QString writeTrace() const
    {
        return write("run.json", R"([
{"cat" : "Session","pid" :2,"tid" :2,"dur" :4000,"ts" :10,"ph" : "X","name" :"model_run","args" : {}},
{"cat" : "Node","pid" :2,"tid" :2,"dur" :3000,"ts" :20,"ph" : "X","name" :"/stem/conv/Conv_kernel_time","args" : {"op_name" : "Conv"}}
])");
    }

    static QByteArray read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    static TabBar &tabs(const MainWindow &window) { return *window.findChild<TabBar *>(); }
    static QStringList names(const MainWindow &window)
    {
        QStringList all;
        for (int i = 0; i < tabs(window).count(); ++i)
            all << tabs(window).tabText(i);
        return all;
    }
    static QDockWidget *dock(const MainWindow &window, const QString &name)
    {
        return window.findChild<QDockWidget *>(name);
    }
    static QAction *undo(const MainWindow &window) { return window.findChild<QAction *>("undo"); }
    static QAction *action(const MainWindow &window, const QString &name)
    {
        for (QAction *each : window.findChildren<QAction *>())
            if (each->text().remove('&') == name)
                return each;
        qFatal("there is no action %s", qPrintable(name));
    }
    static views::Canvas &canvas(MainWindow &window) { return *window.pages().current()->canvas(); }

    static void open(MainWindow &window, const QString &path)
    {
        QSignalSpy opened(&window, &MainWindow::opened);
        window.open(path);
        QVERIFY(opened.wait());
    }
    static void openDrawn(MainWindow &window, const QString &path)
    {
        open(window, path);
        QTRY_VERIFY(canvas(window).picture() && !window.session()->drawing().isBusy()
                    && !window.session()->analysing().isBusy());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_a, m_b;
};

} // namespace cutaway::desktop
