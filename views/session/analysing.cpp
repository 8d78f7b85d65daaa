// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/analysing.h"

#include "core/analysis/calibration.h"
#include "core/analysis/known_devices.h"
#include "core/base/whole_file.h"
#include "core/layout/describe.h"
#include "core/lint/lint.h"
#include "views/parts/edit.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/running.h"

#include <algorithm>
#include <tuple>

namespace cutaway::views {
namespace {

/// Measures this machine. The result is saved for later sessions if its file can be written, and used in any case.
analysis::Device measuredMachine()
{
    analysis::Device device = analysis::calibrate();
    const auto folder = analysis::userDeviceFolder();
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!folder.empty() && !error)
        std::ignore =
            writeWholeFile(folder / (std::string(analysis::thisMachine) + ".json"), analysis::printDevice(device));
    return device;
}

} // namespace

Analysing::Analysing(Document &document, const Running &running)
    : m_document(document),
      m_running(running),
      m_device(analysis::defaultDevice().value_or(analysis::builtinDevices().front()))
{
    connect(&m_measuring, &LatestWork::busyChanged, this, &Analysing::measuringChanged);
    connect(&m_work, &LatestWork::busyChanged, this, &Analysing::busyChanged);
    connect(&document, &Document::replaced, this, [this] { m_figures.reset(); });
    connect(&document, &Document::givenChanged, this, [this] {
        if (m_document.isFileShown())
            analyse();
    });
    connect(&document, &Document::stateChanged, this, [this] { analyse(); });
    for (const auto change : {&Document::functionChanged, &Document::stateChanged})
        connect(&document, change, this, &Analysing::figuresChanged);
    connect(&running, &Running::profileChanged, this, &Analysing::deriveAnew);
}

QString Analysing::typeText(ir::ValueId value) const
{
    return shown(m_figures
                     ? m_figures->typeText(value)
                     : layout::describeType(*m_document.model().context, m_document.function().graph.at(value).type));
}

void Analysing::analyse(std::shared_ptr<const analysis::Analysis> known)
{
    // Another analysis of the function, with other given values, can be reused in part.
    auto earlier = m_figures ? m_figures->sharedAnalysis() : nullptr;
    m_work.request([this, known = std::move(known), earlier = std::move(earlier), model = m_document.withGiven(),
                    origin = m_document.isFileShown() ? lint::Origin::File : lint::Origin::Passes,
                    function = m_document.functionId(), given = m_document.givenValues().withoutTensors(),
                    device = m_device, timing = m_running.timing()](std::stop_token stop) -> LatestWork::Finish {
        const Task task{stop, {}};
        auto analysed = known;
        if (!analysed)
            analysed =
                std::make_shared<const analysis::Analysis>(earlier ? analysis::analyse(*model, *earlier, given, task)
                                                                   : analysis::analyse(*model, function, given, task));
        if (stop.stop_requested())
            return {};
        auto figures = std::make_shared<const Figures>(model, origin, std::move(analysed), device, timing);
        return [this, figures = std::move(figures)] { show(figures); };
    });
}

/// Computes the figures again from other times or another device; a finished analysis is reused.
void Analysing::deriveAnew() { analyse(m_figures && !isBusy() ? m_figures->sharedAnalysis() : nullptr); }

void Analysing::show(std::shared_ptr<const Figures> figures)
{
    const bool isNew = !m_figures || m_figures->sharedAnalysis() != figures->sharedAnalysis();
    m_figures = std::move(figures);
    if (isNew)
        emit analysed();
    emit figuresChanged();
}

void Analysing::setDevice(const analysis::Device &device)
{
    m_document.edits().push(
        new Edit<analysis::Device>(tr("choice of a device"), m_device, device, [this](const analysis::Device &to) {
            m_device = to;
            deriveAnew();
            emit deviceChanged();
        }));
}

void Analysing::measureMachine()
{
    m_measuring.request([this](const std::stop_token &) -> LatestWork::Finish {
        return [this, device = measuredMachine()] { setDevice(device); };
    });
}

void Analysing::setColouring(const Colouring &colouring)
{
    if (colouring == m_colouring)
        return;
    m_colouring = colouring;
    emit colouringChanged();
}

} // namespace cutaway::views
