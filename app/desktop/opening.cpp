// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/opening.h"

#include "core/formats/format.h"
#include "core/plugin/importing.h"
#include "core/sequence/address.h"

#include <chrono>

namespace cutaway::desktop {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds reportInterval{50};

QString toQt(std::string_view text) { return QString::fromUtf8(text); }

} // namespace

Opening::Opening(QObject *parent) : QObject(parent)
{
    connect(&m_work, &views::LatestWork::busyChanged, this, &Opening::ended);
}

void Opening::start(const QString &path)
{
    m_path = path;
    m_work.request([this, path](const std::stop_token &stop) -> views::LatestWork::Finish {
        Clock::time_point reported;
        const Task task{stop, [this, &reported](std::string_view what, std::uint64_t done, std::uint64_t total) {
                            if (Clock::now() - reported < reportInterval)
                                return; // limits the rate of signals
                            reported = Clock::now();
                            emit progress(toQt(what), done, total); // queued: the receivers are on another thread
                        }};
        Opened opened = sequence::open(path.toStdString(), task).transform([](ir::Model model) {
            Read read{std::make_shared<const ir::Model>(std::move(model)), nullptr};
            // Views show these sums at once, so they are computed on this thread: for a million nodes it takes a
            // second.
            if (!read.model->functions.empty())
                read.sums = std::make_shared<const analysis::ModuleSums>(
                    analysis::moduleSums(*read.model, read.model->functions.front()));
            return read;
        });
        return [this, opened = std::move(opened)] { m_opened = opened; };
    });
}

/// A stopped work has no result.
void Opening::ended()
{
    emit busyChanged();
    if (isBusy())
        return;
    const QString path = m_path; // copied: a receiver may start another one
    const Opened opened = std::exchange(m_opened, cancelled());
    if (opened)
        emit this->opened(path, opened->model, opened->sums);
    else
        emit failed(path, opened.error());
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
