// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/screenshot.h"

#include "app/desktop/main_window.h"
#include "views/graph/canvas.h"

#include <QApplication>
#include <QDialog>
#include <QTimer>
#include <algorithm>
#include <cstdio>

namespace cutaway::desktop {
namespace {

/// How long the picture waits after all work is done, which is longer than an animation takes.
constexpr int settleMs = 250;
constexpr int pollMs = 20;

/// Saves a picture of the window, or of a dialog in front of it. It waits while a graph is moving, as on a busy machine
/// an animation may take longer than settleMs.
void grab(MainWindow &window, const QString &output, int exitCode)
{
    if (std::ranges::any_of(window.findChildren<const views::Canvas *>(),
                            [](const views::Canvas *canvas) { return canvas->sight().isMoving(); })) {
        QTimer::singleShot(pollMs, &window, [&window, output, exitCode] { grab(window, output, exitCode); });
        return;
    }
    const QList<QDialog *> dialogs = window.findChildren<QDialog *>();
    const auto front = std::ranges::find_if(dialogs, &QWidget::isVisible);
    const bool saved = (front == dialogs.end() ? window.grab() : (*front)->grab()).save(output);
    if (!saved)
        std::fprintf(stderr, "cutaway: %s: the picture could not be written\n", qPrintable(output));
    QApplication::exit(saved || exitCode != 0 ? exitCode : 2);
}

} // namespace

void takeScreenshot(MainWindow &window, const StartRequest &request, const QString &output, QSize size)
{
    auto *starting = new Starting(window, request);
    QObject::connect(starting, &Starting::ended, &window, [&window, output, size](int exitCode) {
        window.resize(size); // the views may have enlarged the window
        QTimer::singleShot(settleMs, &window, [&window, output, exitCode] { grab(window, output, exitCode); });
    });
    window.resize(size);
    window.show();
    starting->start();
}

} // namespace cutaway::desktop
