// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/module_sums.h"
#include "core/ir/model.h"
#include "core/layout/diagram.h"
#include "core/layout/expansion.h"
#include "core/layout/layout.h"
#include "core/layout/marks.h"
#include "views/session/figures.h"
#include "views/session/latest_work.h"
#include "views/session/selection.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>

namespace cutaway::views {

/// What the user fixes of a function, as it was written: "s0=8", "x=1x3x224x224:float32".
struct GivenTexts {
    std::vector<std::string> bindings, inputs;
    bool operator==(const GivenTexts &) const = default;
};

/// A state of the model that is open, as passes left it.
struct ModelState {
    std::shared_ptr<const ir::Model> model;
    std::shared_ptr<const ir::Model> before = nullptr; ///< drawn with it, so that what a pass took away is seen too
    std::shared_ptr<const ir::Model> all = nullptr;    ///< what is laid out: has the nodes of both and of other states
    bool operator==(const ModelState &) const = default;
};

class Comparing;
class Running;
class Stepping;

/// The state of one open document that views share: they tell it what the user wants and follow its signals; none
/// knows another. A model is immutable; passes make others of it (Stepping), of which one is shown. The diagram and the
/// figures are made on other threads and stay until newer ones are there.
class Session : public QObject {
    Q_OBJECT

public:
    enum class Zoom { In, Out, Actual, Fit };

    explicit Session(std::shared_ptr<const ir::Model> model, layout::Options options = {}, QObject *parent = nullptr);
    ~Session() override;

    /// As it is shown: the file's, or what passes made of it.
    const ir::Model &model() const { return *m_model; }
    const std::shared_ptr<const ir::Model> &sharedModel() const { return m_model; }
    /// As the file has it.
    const ir::Model &fileModel() const { return *m_file; }
    const std::shared_ptr<const ir::Model> &sharedFileModel() const { return m_file; }
    /// The same with what is given or assumed of its inputs.
    const std::shared_ptr<const ir::Model> &givenModel() const { return m_givenFile; }
    Stepping &stepping() { return *m_stepping; }
    Comparing &comparing() { return *m_comparing; }
    Running &running() { return *m_running; }
    const Running &running() const { return *m_running; }
    const Stepping &stepping() const { return *m_stepping; }
    ir::FunctionId functionId() const { return m_function; }
    const ir::Function &function() const { return m_model->at(m_function); }
    const Selection &selection() const { return m_selection; }
    /// The node that is selected, or that makes the value that is; nothing for modules, inputs and the like.
    std::optional<ir::NodeId> selectedNode() const;
    const layout::Expansion &expansion() const { return m_expansion; }
    const QString &searchText() const { return m_searchText; }
    /// What the diagram is of: the function that is shown, and while states are compared what others had, too.
    const ir::Function &drawnFunction() const { return m_drawn->at(m_function); }
    /// The function that has it: the one that is shown, or the one before, of what a pass took away.
    const ir::Function &functionOf(const Selection &selection) const;
    const ir::Function &selectedFunction() const { return functionOf(m_selection); }
    /// Null until the first layout is there.
    const std::shared_ptr<const layout::Diagram> &diagram() const { return m_diagram; }
    /// The box whose opening or closing asked for the diagram: it should keep its place on the screen.
    const std::optional<layout::Subject> &anchor() const { return m_anchor; }
    /// What is new, gone or other in the diagram; empty while nothing is compared.
    const layout::Marks &marks() const { return m_marks; }
    const layout::NodeMarks *nodeMarks() const { return m_nodeMarks.get(); }
    bool isLayingOut() const;
    /// What must be open to see the box of a subject, outermost first. Views ask about the same one in turn: the last
    /// answer is kept, since finding it is O(nodes).
    const std::vector<layout::Subject> &enclosing(const layout::Subject &subject) const;
    /// Of the current function; made on first use.
    const analysis::ModuleSums &moduleSums() const;

    /// What is derived of the current function; null until it is there.
    const std::shared_ptr<const Figures> &figures() const { return m_figures; }
    /// "float32 [1, 64, 112, 112]": what is derived of a value, or else recorded; "" if neither is.
    QString typeText(ir::ValueId value) const;
    bool isAnalysing() const { return m_analysisWork.isBusy(); }
    const GivenTexts &given() const { return m_givenTexts; }
    const analysis::Given &givenValues() const { return m_given; }
    const analysis::Device &device() const { return m_device; }
    /// What nodes are coloured by; nothing: by their category.
    std::optional<Measure> colouring() const { return m_colouring; }

    /// Analyses the current function and lays it out for the first time.
    void start();
    void setFunction(ir::FunctionId function);
    /// Shows another state of the model. What is selected and open stays.
    void showState(ModelState state);
    /// Marks of another comparison than that of states.
    void setNodeMarks(std::shared_ptr<const layout::NodeMarks> marks);
    /// Opens what holds marked nodes.
    void openMarked();
    void select(const Selection &selection);
    /// Selects, opens what encloses it, and asks the graph to centre it once it is drawn.
    void reveal(const Selection &selection);
    void setOpen(const layout::Subject &subject, bool open);
    void toggle(const layout::Subject &subject) { setOpen(subject, !m_expansion.isOpen(subject)); }
    /// Opens all modules of the first `depth` levels and closes the others.
    void setDepth(int depth);
    void openDeeper();
    void closeDeepest();
    void setSearchText(const QString &text);
    /// Fixes sizes and inputs of the current function: what was derived follows. Errors: as request::parseBindings()
    /// and request::giveInputs(); then all is as before.
    Result<void> give(const GivenTexts &texts);
    void setDevice(const analysis::Device &device);
    void setColouring(std::optional<Measure> measure);
    /// Keeps what is known.
    void cancelAnalysis() { m_analysisWork.cancel(); }
    void requestZoom(Zoom zoom) { emit zoomRequested(zoom); }
    /// Keeps the picture that is shown, and the boxes that are open in it.
    void cancelLayout();

signals:
    void functionChanged();
    void stateChanged(); ///< of the model, as passes leave it
    void givenChanged(); ///< also when there is nothing given any more
    void marksChanged();
    void selectionChanged();
    void diagramChanged();
    void layoutBusyChanged();
    void figuresChanged();
    void analysisBusyChanged();
    void colouringChanged();
    void deviceChanged();
    void searchTextChanged();
    void zoomRequested(cutaway::views::Session::Zoom zoom);
    void centreRequested(const cutaway::layout::Subject &subject);

private:
    /// Called on the layout's thread, of the model that is drawn.
    using Choice = std::function<layout::Expansion(const ir::Model &drawn)>;
    /// What a layout makes.
    struct Drawing {
        std::shared_ptr<const ir::Model> drawn;
        std::shared_ptr<const layout::NodeMarks> nodeMarks;
        layout::Expansion expansion;
        std::shared_ptr<const layout::Diagram> diagram;
        layout::Marks marks;
    };

    void layOut(layout::Expansion expansion);
    void layOut(Choice choice);
    void showDrawing(Drawing drawing);
    void prepareState(ModelState state);
    std::shared_ptr<const layout::NodeMarks> stateMarks() const;
    bool isShown(const Selection &selection) const;
    void analyse(std::shared_ptr<const analysis::Analysis> known = nullptr);
    void showFigures(std::shared_ptr<const Figures> figures);
    void deriveAnew();
    void forgetGiven();
    std::shared_ptr<const ir::Model> assumed() const;
    int openDepth() const;

    std::shared_ptr<const ir::Model> m_file, m_model;
    std::shared_ptr<const ir::Model> m_before; ///< drawn with m_model, or null
    std::shared_ptr<const ir::Model> m_all;    ///< drawn instead of both, or null
    std::shared_ptr<const ir::Model> m_drawn;  ///< what m_diagram is of
    std::shared_ptr<const layout::NodeMarks> m_nodeMarks;
    layout::Marks m_marks; ///< of m_diagram
    ir::FunctionId m_function;
    Selection m_selection;
    layout::Expansion m_expansion;      ///< as asked for
    layout::Expansion m_shownExpansion; ///< of m_diagram
    QString m_searchText;
    std::shared_ptr<const layout::Diagram> m_diagram;
    std::optional<layout::Subject> m_anchor;
    std::optional<layout::Subject> m_toCentre; ///< after the layout under way
    layout::Options m_options;
    Choice m_choice; ///< of what is open, as last asked for
    std::shared_ptr<const Figures> m_figures;
    std::shared_ptr<const ir::Model> m_givenFile; ///< with the types that were given
    GivenTexts m_givenTexts;
    analysis::Given m_given;
    analysis::Device m_device;
    std::optional<Measure> m_colouring;
    QTimer m_patience; ///< runs while the first layout waits for the first figures
    mutable std::optional<analysis::ModuleSums> m_moduleSums;
    mutable std::optional<std::pair<layout::Subject, std::vector<layout::Subject>>> m_enclosing;
    std::unique_ptr<Stepping> m_stepping;
    std::unique_ptr<Comparing> m_comparing;
    std::unique_ptr<Running> m_running;
    LatestWork m_layoutWork, m_analysisWork; ///< last: they end first
};

} // namespace cutaway::views
