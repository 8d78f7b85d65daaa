// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/screenshot.h"

#include "app/desktop/main_window.h"
#include "views/find/search.h"

#include <QApplication>
#include <QTimer>
#include <cstdio>
#include <functional>
#include <vector>

namespace cutaway::desktop {
namespace {

/// Longer than any motion on the screen takes.
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
        if (!m_request.show.isEmpty())
            m_steps.emplace_back([this] { show(); });
        if (m_request.openDepth)
            m_steps.emplace_back([this] { m_window.session()->setDepth(*m_request.openDepth); });
        if (!m_request.select.isEmpty())
            m_steps.emplace_back([this] { select(); });
        connect(&window, &MainWindow::opened, this, [this] { next(); });
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
        std::vector<std::string> bindings; // one text each, as the panel has them
        for (const std::string &text : m_request.bindings)
            for (const QString &binding : QString::fromStdString(text).split(','))
                bindings.push_back(binding.toStdString());
        const auto given = m_window.session()->give({bindings, m_request.inputs});
        if (!given)
            complain(m_request.model, QString::fromStdString(given.error().text()));
    }

    void show()
    {
        if (!m_window.showDock(m_request.show))
            complain(m_request.model, QStringLiteral("no view is named %1").arg(m_request.show));
    }

    void select()
    {
        const auto found = views::named(m_window.session()->function(), m_request.select.toStdString());
        if (found)
            m_window.session()->reveal(*found);
        else
            complain(m_request.model, QStringLiteral("nothing is named %1").arg(m_request.select));
    }

    /// The next step once nothing is under way.
    void next()
    {
        const views::Session *session = m_window.session();
        if (session->isLayingOut() || session->isAnalysing() || !session->diagram()) {
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
        QTimer::singleShot(settleMs, this, [this, exitCode] {
            const bool saved = m_window.grab().save(m_request.output);
            if (!saved)
                complain(m_request.output, QStringLiteral("the picture could not be written"));
            QApplication::exit(saved || exitCode != 0 ? exitCode : 2);
        });
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
