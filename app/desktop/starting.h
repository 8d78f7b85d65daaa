// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/annotations/colouring.h"
#include "views/session/stepping.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <string>
#include <vector>

namespace cutaway::desktop {

class MainWindow;
class ModelPage;

/// The options of the command line for a window.
struct StartRequest {
    QString model{};                               ///< empty: the start page
    QStringList row{};                             ///< files in a row, to open in place of `model`
    bool isFollowed = false;                       ///< the model is read again whenever it has changed
    std::vector<std::string> bindings{}, inputs{}; ///< "s0=8", "x=1x3x224x224:float32"
    std::optional<views::Colouring> colouring{};
    QString data{};                      ///< a table of node data, or empty
    std::optional<std::string> passes{}; ///< a pipeline to run, "" for the default one
    std::optional<std::size_t> step{};   ///< number of its steps, or of recorded ones, to apply
    views::StepDisplay::View stepView = views::StepDisplay::View::Both;
    bool onlyChanges = false;
    std::optional<std::string> profile{}; ///< a backend to profile with, "" for the first one available
    double profileSeconds = 1;
    QString trace{};                         ///< a trace of the model, alone where there is none, or empty
    QString against{};                       ///< a trace to compare that one with, or empty
    std::optional<std::string> statistics{}; ///< a backend to run with, looking at all values; "" for the first one
    QString compareWith{};                   ///< a model to compare it with, or empty
    QString show{};                          ///< name of a dock to bring to the front, or empty
    std::optional<int> openDepth{};
    QString select{}; ///< name of a node or value, path of a module, name of a part that was found, or empty
    QString find{};   ///< a text to search for, or empty
    QString beside{}; ///< a file to open beside it, or empty
};

/// Opens the model and does what is requested, each step once the work of the one before is done. Errors are printed on
/// the standard error stream. It ends early if the user closes the model or turns to another one, and deletes itself
/// once it has ended.
class Starting : public QObject {
    Q_OBJECT

public:
    Starting(MainWindow &window, StartRequest request);
    void start();

signals:
    /// `exitCode`: 0, or 3 if the model cannot be read.
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

    /// Something that is asked for, by an option of the command line.
    struct Step {
        QString option;
        std::function<void()> act;
    };

    MainWindow &m_window;
    StartRequest m_request;
    QPointer<ModelPage> m_page; ///< the model's
    std::vector<Step> m_steps;
    std::size_t m_done = 0;
    int m_waitedMs = 0; ///< for work to be done
};

} // namespace cutaway::desktop
