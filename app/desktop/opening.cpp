// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/opening.h"

#include "core/formats/format.h"
#include "core/plugin/importing.h"

#include <chrono>

namespace cutaway::desktop {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds reportInterval{50};

QString toQt(std::string_view text) { return QString::fromUtf8(text); }

} // namespace

void Opening::start(const QString &path)
{
    if (m_busy) {
        m_thread.request_stop();
        m_next = path;
        return;
    }
    m_busy = true;
    emit busyChanged();
    m_thread = std::jthread([this, path](std::stop_token stop) {
        Clock::time_point reported;
        const Task task{stop, [this, &reported](std::string_view what, std::uint64_t done, std::uint64_t total) {
                            if (Clock::now() - reported < reportInterval)
                                return; // the window need not know more often
                            reported = Clock::now();
                            emit progress(toQt(what), done, total); // queued: the receivers live on another thread
                        }};
        auto model = plugin::open(path.toStdString(), task);
        Result<std::shared_ptr<const ir::Model>> result = std::unexpected(Error{});
        if (model)
            result = std::make_shared<const ir::Model>(*std::move(model));
        else
            result = std::unexpected(std::move(model.error()));
        QMetaObject::invokeMethod(
            this, [this, path, result = std::move(result)]() mutable { finish(path, std::move(result)); },
            Qt::QueuedConnection);
    });
}

void Opening::cancel()
{
    m_next.reset();
    m_thread.request_stop();
}

void Opening::finish(const QString &path, Result<std::shared_ptr<const ir::Model>> result)
{
    m_busy = false;
    const bool stopped = m_thread.get_stop_token().stop_requested();
    if (m_next) {
        start(*std::exchange(m_next, std::nullopt));
        return;
    }
    emit busyChanged();
    if (result && !stopped)
        emit opened(path, *result);
    else
        emit failed(path, result ? cancelled().error() : result.error());
}

std::vector<FormatText> formatTexts()
{
    std::vector<FormatText> texts;
    for (const formats::Format &format : formats::formats())
        texts.push_back({toQt(format.description), toQt(format.suffixes)});
    for (const plugin::Manifest &plugin : plugin::findPlugins().plugins)
        for (const plugin::ImporterOffer &importer : plugin.importers) {
            QStringList patterns;
            for (const std::string &suffix : importer.suffixes)
                patterns.push_back("*" + toQt(suffix));
            texts.push_back({toQt(importer.description), patterns.join(' ')});
        }
    return texts;
}

} // namespace cutaway::desktop
