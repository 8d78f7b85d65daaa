// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/opening.h"

#include "core/analysis/module_sums.h"
#include "core/base/overloaded.h"
#include "core/formats/format.h"
#include "core/ir/model.h"
#include "core/passes/history.h"
#include "core/plugin/importing.h"
#include "core/sequence/address.h"
#include "core/sequence/facts/export_failure.h"
#include "core/sequence/history.h"
#include "core/sequence/kernel_modules.h"
#include "core/trace/read/recognize.h"
#include "core/trace/recorded_model.h"

#include <chrono>

namespace cutaway::desktop {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds reportInterval{50};

QString toQt(std::string_view text) { return QString::fromUtf8(text); }

/// Returns the sums that views show at once. The reader's thread calls this, since it takes a second for a million
/// nodes.
std::shared_ptr<const analysis::ModuleSums> sumsOf(const ir::Model &model)
{
    if (model.functions.empty())
        return nullptr;
    return std::make_shared<const analysis::ModuleSums>(analysis::moduleSums(model, model.functions.front()));
}

} // namespace

Opening::Opening(QObject *parent) : QObject(parent)
{
    connect(&m_work, &views::LatestWork::busyChanged, this, &Opening::ended);
}

void Opening::start(const QString &path)
{
    begin(path, [file = path.toStdString()](const Task &task) {
        return trace::recognizes(file) ? openedAlone(file, task)
                                       : sequence::openInKernels(file, task).and_then(&asRead);
    });
}

void Opening::start(const Source &source)
{
    begin(source.path, [source](const Task &task) {
        return source.sequence ? stepsOf(*source.sequence, task) : found(source, task);
    });
}

Opening::Opened Opening::asRead(ir::Model model)
{
    auto shared = std::make_shared<const ir::Model>(std::move(model));
    auto sums = sumsOf(*shared);
    return ReadModel{std::move(shared), std::move(sums)};
}

/// Reads a trace without a model, and makes a model of its operators.
Opening::Opened Opening::openedAlone(const std::string &trace, const Task &task)
{
    CUTAWAY_TRY(auto recorded, trace::read(trace, task));
    const auto shared = std::make_shared<const trace::Trace>(std::move(recorded));
    Opened opened = asRead(trace::recordedModel(*shared, trace));
    std::get<ReadModel>(*opened).recorded = shared;
    return opened;
}

Opening::Opened Opening::stepsOf(const sequence::Sequence &sequence, const Task &task)
{
    NoExport failure;
    if (auto found = sequence::exportFailureOf(sequence))
        failure = std::make_shared<const sequence::ExportFailure>(*std::move(found));
    if (failure && sequence.steps.empty())
        return failure;
    CUTAWAY_TRY(auto made, sequence::startOfHistory(sequence, task));
    const auto history = std::make_shared<const passes::History>(std::move(made));
    return ReadModel{.model = history->modelAfter(0),
                     .sums = sumsOf(*history->modelAfter(0)),
                     .history = history,
                     .exportFailure = failure};
}

Opening::Opened Opening::found(const Source &source, const Task &task)
{
    std::vector<std::string> sources;
    for (const QString &file : source.row.isEmpty() ? QStringList{source.path} : source.row)
        sources.push_back(file.toStdString());
    if (sources.size() == 1 && trace::recognizes(sources.front()))
        return openedAlone(sources.front(), task);
    CUTAWAY_TRY(auto found, sequence::find(sources, task));
    return std::visit(Overloaded{[](ir::Model &model) { return asRead(std::move(model)); },
                                 [&](const sequence::Sequence &sequence) { return stepsOf(sequence, task); },
                                 [](sequence::Document &document) {
                                     return Opened(std::make_shared<const sequence::Document>(std::move(document)));
                                 }},
                      found);
}

void Opening::begin(const QString &path, std::function<Opened(const Task &)> read)
{
    m_path = path;
    m_work.request([this, read = std::move(read)](const std::stop_token &stop) -> views::LatestWork::Finish {
        Clock::time_point reported;
        const Task task{stop, [this, &reported](std::string_view what, std::uint64_t done, std::uint64_t total) {
                            if (Clock::now() - reported < reportInterval)
                                return; // limits the rate of signals
                            reported = Clock::now();
                            emit progress(toQt(what), done, total); // queued, since the receivers are on another thread
                        }};
        return [this, opened = read(task)] { m_opened = opened; };
    });
}

/// Reports the result of the work, once no other work follows. If the work was stopped, the result is an error.
void Opening::ended()
{
    emit busyChanged();
    if (isBusy())
        return;
    const QString path = m_path; // a copy, since a receiver of the signals may open another file
    const Opened opened = std::exchange(m_opened, cancelled());
    if (!opened)
        return emit failed(path, opened.error());
    std::visit(
        Overloaded{[&](const ReadModel &read) { emit this->opened(path, read); },
                   [&](const std::shared_ptr<const sequence::Document> &document) { emit listed(path, document); },
                   [&](const NoExport &failure) { emit notExported(path, failure); }},
        *opened);
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
    texts.push_back({Opening::tr("Logs of torch.compile"), QStringLiteral("*.log *.txt")});
    texts.push_back({Opening::tr("Recorded steps"), QStringLiteral("*.cutaway")});
    texts.push_back({Opening::tr("Traces"), QStringLiteral("*.json *.json.gz")});
    return texts;
}

} // namespace cutaway::desktop
