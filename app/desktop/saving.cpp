// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the main window writes: models and pictures of steps.
#include "app/desktop/main_window.h"

#include "app/desktop/status.h"
#include "core/formats/format.h"
#include "core/report/sequence.h"
#include "core/request/given.h"
#include "views/parts/text.h"
#include "views/session/stepping.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace cutaway::desktop {

/// Writes files on another thread; what goes wrong is told when it is over.
void MainWindow::inBackground(const QString &what, std::function<Result<void>(std::stop_token)> work)
{
    m_status->begin(what, [this] {
        m_writing.cancel();
        m_status->end();
    });
    m_writing.request([this, what, work = std::move(work)](const std::stop_token &stop) -> views::LatestWork::Finish {
        Result<void> done = work(stop);
        return [this, what, done = std::move(done)] {
            m_status->end();
            if (!done && done.error().kind != ErrorKind::Cancelled)
                QMessageBox::warning(this, what, views::shown(done.error().text()));
        };
    });
}

void MainWindow::exportSteps()
{
    const auto history = m_session->stepping().history();
    if (!history) {
        showDock("passes"); // where they are run
        return;
    }
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the pictures of the steps"));
    if (!folder.isEmpty())
        inBackground(tr("Writing the steps"), [history, folder](std::stop_token stop) {
            return report::writeSequence(*history, folder.toStdString(), std::move(stop));
        });
}

void MainWindow::saveShown()
{
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save the model as it is shown"), {}, tr("Models (*.onnx *.pt2 *.json)"));
    if (path.isEmpty())
        return;
    inBackground(tr("Writing %1").arg(QFileInfo(path).fileName()),
                 [path, model = m_session->sharedModel(), file = m_session->sharedFileModel(),
                  function = m_session->functionId()](const std::stop_token &stop) {
                     return formats::write(request::withoutGiven(*model, *file, function), path.toStdString(),
                                           Task{stop, {}});
                 });
}

} // namespace cutaway::desktop
