// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/pipeline.h"

#include <QObject>
#include <span>
#include <vector>

namespace cutaway::views {

class Document;

/// The pipeline that the user edits, and the passes of plugins that it may have.
class ChosenPasses : public QObject {
    Q_OBJECT

public:
    explicit ChosenPasses(Document &document);

    const passes::Pipeline &pipeline() const { return m_pipeline; }
    /// Sets the pipeline; can be undone. If passes run or have run, they run again from the first step that differs.
    void setPipeline(passes::Pipeline pipeline);
    /// Returns the passes of plugins, which live as long as the program.
    std::span<const passes::Pass *const> otherPasses() const { return m_otherPasses; }
    void setOtherPasses(std::vector<const passes::Pass *> passes);

signals:
    void pipelineChanged();
    void otherPassesChanged();

private:
    Document &m_document;
    passes::Pipeline m_pipeline;
    std::vector<const passes::Pass *> m_otherPasses;
};

} // namespace cutaway::views
