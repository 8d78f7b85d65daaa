// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/document.h"

#include "core/analysis/assumed_inputs.h"
#include "core/analysis/module_sums.h"
#include "core/base/result.h"
#include "views/parts/edit.h"

namespace cutaway::views {

namespace {

constexpr int mostEdits = 300; ///< the number of undo steps; each stores all open boxes

} // namespace

Document::Document(SharedModel file, SharedSums sums) : m_models{file, nullptr, {file}}, m_moduleSums(std::move(sums))
{
    m_models.given = assumed();
    m_edits.setUndoLimit(mostEdits);
}

const analysis::ModuleSums &Document::moduleSums() const
{
    if (!m_moduleSums)
        m_moduleSums = std::make_shared<analysis::ModuleSums>(analysis::moduleSums(model(), function()));
    return *m_moduleSums;
}

/// Returns the file's model, with symbols for the sizes of inputs that the file leaves open.
SharedModel Document::assumed() const
{
    auto model = std::make_shared<ir::Model>(file());
    if (!model->functions.empty())
        analysis::assumeInputs(*model, m_function);
    return model;
}

void Document::setFunction(ir::FunctionId function)
{
    if (function == m_function)
        return;
    m_function = function;
    m_texts = {};
    m_values = {};
    m_models.given = assumed();
    m_models.shown = {m_models.file};
    m_moduleSums.reset();
    emit replaced();
    emit givenChanged();
    emit functionChanged();
}

void Document::show(ModelState state)
{
    if (state == m_models.shown)
        return;
    m_models.shown = std::move(state);
    m_moduleSums.reset();
    emit replaced();
    emit stateChanged();
}

Result<void> Document::give(const GivenTexts &texts)
{
    if (texts == m_texts)
        return {};
    auto model = std::make_shared<ir::Model>(file());
    CUTAWAY_TRY(auto values, request::readGiven(*model, m_function, texts.bindings, texts.inputs));
    m_edits.push(new Edit<Given>(
        tr("bindings"), {m_texts, m_values, m_models.given}, {texts, std::move(values), std::move(model)},
        [this, function = m_function](const Given &given) { use(function, given); }, int(m_function.index)));
    return {};
}

/// Applies given values to a function, and shows it: if an edit is undone, it may be another function than the shown
/// one.
void Document::use(ir::FunctionId function, const Given &given)
{
    setFunction(function);
    m_texts = given.texts;
    m_values = given.values;
    m_models.given = given.model;
    emit givenChanged();
}

} // namespace cutaway::views
