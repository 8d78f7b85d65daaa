// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/stepping/chosen_passes.h"

#include "views/parts/edit.h"
#include "views/session/document.h"

namespace cutaway::views {

ChosenPasses::ChosenPasses(Document &document) : m_document(document), m_pipeline(passes::defaultPipeline()) { }

void ChosenPasses::setPipeline(passes::Pipeline pipeline)
{
    const auto use = [this](const passes::Pipeline &to) {
        m_pipeline = to;
        emit pipelineChanged();
    };
    if (pipeline != m_pipeline)
        m_document.edits().push(
            new Edit<passes::Pipeline>(tr("pipeline change"), m_pipeline, std::move(pipeline), use));
}

void ChosenPasses::setOtherPasses(std::vector<const passes::Pass *> passes)
{
    if (passes == m_otherPasses)
        return;
    m_otherPasses = std::move(passes);
    emit otherPassesChanged();
}

} // namespace cutaway::views
