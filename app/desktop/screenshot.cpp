// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/screenshot.h"

#include "app/desktop/main_window.h"
#include "app/desktop/panes/panes.h"
#include "views/graph/canvas.h"
#include "views/session/analysing.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/search.h"
#include "views/session/searching.h"
#include "views/session/session.h"

#include <QApplication>
#include <QLineEdit>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

namespace cutaway::desktop {
namespace {

/// Longer than any animation, if nothing else runs.
constexpr int settleMs = 250;
constexpr int pollMs = 20;

void complain(const QString &subject, const QString &what)
{
    std::fprintf(stderr, "cutaway: %s: %s\n", qPrintable(subject), qPrintable(what));
}

class Screenshot : public QObject {
public:
    Screenshot(MainWindow &window, ScreenshotRequest request)
        : QObject(&window),
          m_window(window),
          m_request(std::move(request))
    {
        if (!m_request.bindings.empty() || !m_request.inputs.empty())
            m_steps.emplace_back([this] { give(); });
        if (m_request.passes)
            m_steps.emplace_back([this] { runPasses(); });
        if (m_request.passes && m_request.step)
            m_steps.emplace_back([this] { m_window.session()->stepping().goTo(*m_request.step); });
        if (m_request.profile)
            m_steps.emplace_back([this] { profile(); });
        if (!m_request.compareWith.isEmpty())
            m_steps.emplace_back([this] { m_window.compareWith(m_request.compareWith); });
        if (!m_request.show.isEmpty())
            m_steps.emplace_back([this] { show(); });
        if (m_request.openDepth)
            m_steps.emplace_back([this] { m_window.session()->navigation().setDepth(*m_request.openDepth); });
        if (!m_request.select.isEmpty())
            m_steps.emplace_back([this] { select(); });
        if (!m_request.find.isEmpty())
            m_steps.emplace_back([this] { find(); });
        if (!m_request.beside.isEmpty())
            m_steps.emplace_back([this] { m_window.pages().openBeside(m_request.beside); });
        connect(&window, &MainWindow::opened, this, [this] { next(); }, Qt::SingleShotConnection);
        connect(&window.pages(), &Pages::surveyShown, this, [this] {
            if (auto *filter = m_window.pages().current()->findChild<QLineEdit *>())
                filter->setText(m_request.find);
            finish(0);
        });
        connect(&window, &MainWindow::openingFailed, this, [this](const QString &path, const Error &error) {
            complain(path, QString::fromStdString(error.text()));
            finish(3);
        });
    }

    void start()
    {
        m_window.resize(m_request.size);
        m_window.setColouring(m_request.colouring);
        m_window.show();
        if (m_request.model.isEmpty())
            finish(0);
        else
            m_window.open(m_request.model);
    }

private:
    void give()
    {
        std::vector<std::string> bindings; // one text per input, as in the panel
        for (const std::string &text : m_request.bindings)
            for (const QString &binding : QString::fromStdString(text).split(','))
                bindings.push_back(binding.toStdString());
        const auto given = m_window.session()->document().give({bindings, m_request.inputs});
        if (!given)
            complain(m_request.model, QString::fromStdString(given.error().text()));
    }

    void runPasses()
    {
        views::Stepping &stepping = m_window.session()->stepping();
        auto pipeline = m_request.passes->empty() ? Result<passes::Pipeline>(passes::defaultPipeline())
                                                  : passes::parsePipeline(*m_request.passes, stepping.otherPasses());
        if (!pipeline)
            return complain(m_request.model, QString::fromStdString(pipeline.error().text()));
        stepping.setPipeline(std::move(*pipeline));
        stepping.setView(m_request.stepView);
        stepping.setFocusesChanges(m_request.onlyChanges);
        stepping.run();
    }

    void profile()
    {
        views::Running &running = m_window.session()->running();
        views::RunSettings settings = running.settings();
        settings.seconds = m_request.profileSeconds;
        if (!m_request.profile->empty())
            settings.backend = *m_request.profile;
        running.setSettings(settings);
        connect(&running, &views::Running::stateChanged, this, [this, &running] {
            if (const auto *failed = std::get_if<views::Running::Failed>(&running.state()))
                complain(m_request.model, QString::fromStdString(failed->error.text()));
        });
        running.start(views::Running::Kind::Profile);
    }

    void show()
    {
        if (!m_window.showDock(m_request.show))
            complain(m_request.model, QStringLiteral("no view is named %1").arg(m_request.show));
    }

    void select()
    {
        const auto found = views::named(m_window.session()->document().function(), m_request.select.toStdString());
        if (found)
            m_window.session()->navigation().reveal(*found);
        else
            complain(m_request.model, QStringLiteral("nothing is named %1").arg(m_request.select));
    }

    void find()
    {
        views::Searching &searching = m_window.session()->searching();
        searching.setText(m_request.find);
        if (searching.mistake())
            complain(m_request.model, searching.mistake()->message);
    }

    bool isBusy() const
    {
        const QList<ModelPage *> fronts = m_window.pages().panes().fronts();
        return m_window.isOpening() || std::ranges::any_of(fronts, [](const ModelPage *page) {
                   return page->session() && isUnderWay(*page->session());
               });
    }

    static bool isUnderWay(views::Session &session)
    {
        const auto isUnseen = [](const views::Session &each) {
            return each.drawing().isBusy() || each.analysing().isBusy() || !each.drawing().diagram();
        };
        const views::Session *other = session.comparing().other();
        return session.stepping().isRunning() || session.comparing().isBusy() || session.running().isBusy()
            || session.searching().isWaiting() || isUnseen(session) || (other && isUnseen(*other));
    }

    /// Takes the next step once all work is done.
    void next()
    {
        if (isBusy()) {
            QTimer::singleShot(pollMs, this, [this] { next(); });
        } else if (m_done < m_steps.size()) {
            m_steps[m_done++]();
            QTimer::singleShot(pollMs, this, [this] { next(); });
        } else {
            finish(0);
        }
    }

    void finish(int exitCode)
    {
        m_window.resize(m_request.size); // views shown meanwhile may have enlarged the window
        QTimer::singleShot(settleMs, this, [this, exitCode] { grab(exitCode); });
    }

    /// On a machine with much else to do, the graph may still be on its way to what was selected.
    void grab(int exitCode)
    {
        if (std::ranges::any_of(m_window.findChildren<const views::Canvas *>(), &views::Canvas::isMoving)) {
            QTimer::singleShot(pollMs, this, [this, exitCode] { grab(exitCode); });
            return;
        }
        const bool saved = m_window.grab().save(m_request.output);
        if (!saved)
            complain(m_request.output, QStringLiteral("the picture could not be written"));
        QApplication::exit(saved || exitCode != 0 ? exitCode : 2);
    }

    MainWindow &m_window;
    ScreenshotRequest m_request;
    std::vector<std::function<void()>> m_steps;
    std::size_t m_done = 0;
};

} // namespace

void takeScreenshot(MainWindow &window, const ScreenshotRequest &request)
{
    (new Screenshot(window, request))->start();
}

} // namespace cutaway::desktop
