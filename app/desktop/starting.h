// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/start_request.h"

#include <QObject>
#include <QPointer>
#include <functional>
#include <vector>

namespace cutaway::desktop {

class MainWindow;
class ModelPage;

/// Carries out what the command line asks of a window: opens the model, and then performs the steps, each after the
/// work of the one before is done. Errors are printed to standard error. It ends early if the user closes the model or
/// brings another page to the front. It deletes itself at the end.
class Starting : public QObject {
    Q_OBJECT

public:
    Starting(MainWindow &window, StartRequest request);
    void start();

signals:
    /// Emitted at the end; `exitCode` is 0, or 3 if the model cannot be read.
    void ended(int exitCode);

private:
    void take();
    void give();
    void openData();
    void runPasses();
    void goToStep();
    void chooseCompilation();
    void tellIgnored() const;
    bool hasModel() const;
    void openTrace();
    void compareTrace();
    void profile();
    void takeStatistics();
    void show();
    void select();
    void find();
    void next();

    /// A step that an option of the command line asks for.
    struct Step {
        QString option;
        std::function<void()> act;
    };

    MainWindow &m_window;
    StartRequest m_request;
    QPointer<ModelPage> m_page; ///< the page of the model
    std::vector<Step> m_steps;
    std::size_t m_done = 0;
    int m_waitedMs = 0; ///< for how many milliseconds the current step has waited for work to end
};

} // namespace cutaway::desktop
