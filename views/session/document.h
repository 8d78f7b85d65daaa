// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/model.h"
#include "core/request/given.h"

#include <QObject>
#include <QUndoStack>
#include <memory>

namespace cutaway::analysis {
struct ModuleSums;
}

namespace cutaway::views {

using SharedModel = std::shared_ptr<const ir::Model>;
using SharedSums = std::shared_ptr<const analysis::ModuleSums>;

/// The values that the user fixes for a function, as they were written: "s0=8", "x=1x3x224x224:float32".
struct GivenTexts {
    std::vector<std::string> bindings, inputs;
    bool operator==(const GivenTexts &) const = default;
};

/// A state of the model, as passes left it.
struct ModelState {
    SharedModel model;
    SharedModel before = nullptr; ///< the state before a pass, drawn together with `model`; null: no comparison
    /// A model with the nodes of all states, drawn in place of the two; null: the two are drawn.
    SharedModel all = nullptr;
    bool operator==(const ModelState &) const = default;
};

/// The models of a document by their roles. None of them ever changes; another state is another model. All of them have
/// the function that is shown, and a node or value has the same id in each model that contains it.
struct Models {
    SharedModel file;  ///< the model as it was read
    SharedModel given; ///< `file` with the input types that the user gave, and symbols for sizes that are still open
    ModelState shown;  ///< `file`, or what passes made of `given`
};

/// The open model: which state and which function of it are shown, and the values that the user fixes for its inputs.
class Document : public QObject {
    Q_OBJECT

public:
    /// `sums` are those of the first function, if they are known.
    explicit Document(SharedModel file, SharedSums sums = nullptr);

    const Models &models() const { return m_models; }
    const ir::Model &model() const { return *m_models.shown.model; }
    const ir::Model &file() const { return *m_models.file; }
    bool isFileShown() const { return m_models.shown.model == m_models.file; }
    /// Returns the shown model with the given input types, which is analysed and run.
    const SharedModel &withGiven() const { return isFileShown() ? m_models.given : m_models.shown.model; }
    ir::FunctionId functionId() const { return m_function; }
    const ir::Function &function() const { return model().at(m_function); }
    /// Returns the sums of the shown function; computed on first use.
    const analysis::ModuleSums &moduleSums() const;
    const GivenTexts &given() const { return m_texts; }
    const request::GivenValues &givenValues() const { return m_values; }
    /// Returns the user's changes that can be undone: bindings, passes, the device, bookmarks, open boxes.
    QUndoStack &edits() { return m_edits; }

    /// Shows the file's state of another function, without given values.
    void setFunction(ir::FunctionId function);
    void show(ModelState state);
    /// Fixes sizes and inputs of the function; can be undone. Errors: those of request::parseBindings() and
    /// request::giveInputs(); nothing changes then.
    Result<void> give(const GivenTexts &texts);
    /// Asks for the view in which sizes are given.
    void requestSizes() { emit sizesRequested(); }

signals:
    /// Emitted before functionChanged() and stateChanged(), so that the other parts of the session drop what belongs to
    /// the earlier model, and views never see the two mixed.
    void replaced();
    void functionChanged();
    void stateChanged();
    void sizesRequested();
    void givenChanged(); ///< also emitted before functionChanged(), since another function has no given values

private:
    /// The given texts, their parsed values, and the model that they are applied to.
    struct Given {
        GivenTexts texts;
        request::GivenValues values;
        SharedModel model;
    };
    SharedModel assumed() const;
    void use(ir::FunctionId function, const Given &given);

    Models m_models;
    ir::FunctionId m_function;
    GivenTexts m_texts;
    request::GivenValues m_values;
    mutable SharedSums m_moduleSums;
    QUndoStack m_edits;
};

} // namespace cutaway::views
