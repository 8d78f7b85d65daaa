// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/torchscript/facts.h"
#include "core/formats/torchscript/graph_writer.h"
#include "core/formats/torchscript/places.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <set>

namespace cutaway::formats::torchscript {

/// What all functions of one archive share while they are lowered.
struct Lowering {
    Lowering(ir::Model &filled, const Code &source, const Objects &pickled, Types &known, Notes &heard,
             const Task &watched);

    ir::Model &model;
    const Code &code;
    const Objects &objects;
    Types &types;
    Notes &notes;
    const Task &task;
    OperatorCalls operators;
    Places places;

    const Facts &facts(const FunctionDefinition &function);
    /// Attributes that some method gives a new value: they have to be read where the code reads them.
    bool isChanging(std::string_view className, std::string_view attribute) const;
    /// Code is lowered once for each place it is inlined in; what is wrong with it is told once.
    void noteOnce(ir::Severity severity, const std::string &code, std::string message);
    std::optional<ir::FunctionId> functionId(const FunctionDefinition &function) const;

    std::unordered_map<const FunctionDefinition *, ir::FunctionId> functionIds;
    std::optional<Error> fault; ///< what makes the file unusable, once it is met

private:
    void collectChanging(const FunctionDefinition &function);

    Facts::Changes m_changes;
    std::set<std::string> m_noted;
    std::unordered_map<const FunctionDefinition *, Facts> m_facts;
    std::set<std::pair<std::string, std::string>, std::less<>> m_changing; ///< class, attribute
};

/// The graph that calls are lowered into, and how far into each other.
struct Nesting {
    enum class Calls : std::uint8_t { Inlined, Kept };
    Calls calls;
    std::vector<const FunctionDefinition *> open{}; ///< being inlined, each called by the one before
    std::vector<ir::NodeId> starts{ir::NodeId{}};   ///< the first node of each of these
    bool hasFolded = false; ///< something was computed or decided on the way, and may have left code that nobody needs
    int depth = 0;          ///< of expressions and blocks, over all that are open
};

/// Lowers the body of one function, in place of a call of it. Statements walk in order with an environment of what
/// each name stands for. A block of an if or a loop is a region: its assignments are undone behind it, and the names
/// that are read later come out as results. See Facts for which these are.
class BodyLowering {
public:
    BodyLowering(Lowering &lowering, GraphWriter &writer, Nesting &nesting, const FunctionDefinition &function,
                 Cursor at);

    void bind(std::string_view name, Term term) { m_names.insert_or_assign(name, std::move(term)); }
    /// The parameters that got nothing have their defaults.
    void bindDefaults();
    Term run();
    /// The term as a value of the graph.
    Typed asValue(Term term);
    ir::TypeId typeOf(TypeId syntax) const { return m_lowering.types.of(tree(), syntax); }
    /// The items of a tuple or list, as many as there are hints.
    std::vector<Typed> unpacked(Typed value, std::span<const std::string_view> hints, Place place);

private:
    struct Given {
        std::vector<Term> positional;
        std::vector<std::pair<std::string_view, Term>> named;
    };

    // statements.cpp
    void block(const Block &block);
    void statement(StatementId id);
    void lower(StatementId id, const Assign &assign);
    void lower(StatementId id, const Unpack &unpack);
    void lower(StatementId id, const Evaluate &evaluate);
    void lower(StatementId id, const If &branch);
    void lower(StatementId id, const While &loop);
    void lower(StatementId id, const For &loop);
    void lower(StatementId id, const With &with);
    void lower(StatementId id, const Return &result);
    void lower(StatementId id, const LocalFunction &local);
    void assign(std::string_view name, Term term);
    void assignTo(ExpressionId target, Term term);
    void loop(StatementId id, const Block &body, Typed tripCount, Typed condition,
              std::optional<std::string_view> counter, std::optional<ExpressionId> next);
    bool isNeededAfter(std::string_view name, StatementId id) const;
    std::vector<Term> blockResults(const Block &block, ir::RegionId region, std::span<const std::string_view> names);
    std::size_t mark() const { return m_undo.size(); }
    void undo(std::size_t mark);

    // expressions.cpp
    Term term(ExpressionId id, std::string_view hint = {});
    Typed value(ExpressionId id, std::string_view hint = {}) { return asValue(term(id, hint)); }
    Term lower(const Expression &expression, std::string_view hint);
    Typed literal(const Literal &literal);
    Term name(const Name &name, Place place);
    Term attribute(ExpressionId id, const Attribute &attribute, std::string_view hint);
    Term attributeOf(const ModuleTerm &module, std::string_view name, Place place, std::string_view hint);
    Term attributeOf(const Typed &object, std::string_view name, Place place, std::string_view hint);
    Typed enumPart(const Typed &member, std::string_view name, const Cursor &here, std::string_view hint);
    Term global(std::string_view dotted, Place place);
    Term constant(std::string_view number, Place place);
    Term subscript(const Subscript &subscript, Place place, std::string_view hint);
    Typed container(const List &list);
    Typed container(const Tuple &tuple);
    Typed dict(const Dict &dict, Place place, std::string_view hint);
    Typed kept(Typed list, Place place, std::string_view hint);
    Term annotated(const Annotate &annotate, std::string_view hint);

    // calls.cpp
    Term call(const Call &call, Place place, std::string_view hint);
    Term callGlobal(std::string_view dotted, const Call &call, Place place, std::string_view hint);
    Term callMethod(const Attribute &callee, const Call &call, Place place, std::string_view hint);
    Term callBuiltin(std::string_view name, const Call &call, Place place, std::string_view hint);
    Typed deviceNamed(std::string_view text);
    Term callFunction(const FunctionDefinition &function, Given given, ir::ScopeId scope, Place place,
                      std::string_view hint);
    Term inlined(const FunctionDefinition &function, Given given, ir::ScopeId scope, Place place);
    Term keptCall(const FunctionDefinition *function, std::string_view method, Given given, Place place,
                  std::string_view hint);
    Term fork(std::string_view operation, const Call &call, Place place, std::string_view hint);
    std::vector<Typed> operatorResults(std::string_view dialect, std::string_view name, const Call &call, Place place,
                                       std::span<const std::string_view> hints);
    Typed operation(std::string_view dialect, std::string_view name, const Call &call, Place place,
                    std::string_view hint);
    Typed constantOf(ir::Operand operand);
    std::uint32_t levelOf(const Typed &value) const;
    std::uint32_t level() const { return static_cast<std::uint32_t>(m_nesting.open.size() - 1); }
    std::optional<std::int64_t> convolutionRank(const Typed &tensor) const;
    void takeBranch(StatementId id, const Block &taken, const Block &left, bool isSettled);
    std::optional<ir::TypeId> typeLeft(const Block &block, std::string_view name) const;
    std::optional<ir::TypeId> typeWritten(ExpressionId id) const;
    std::optional<Typed> joined(const Typed &then, const Typed &orElse, const Typed &condition);
    std::optional<Typed> folded(const OperatorCall &call);
    std::optional<ir::Operand> constantFor(const OperatorCall &call) const;
    std::vector<Typed> emitOperation(OperatorCall call, Place place, std::span<const std::string_view> hints);
    std::optional<std::pair<std::string, std::string>> operatorOf(const Call &call) const;
    /// Whether this code is inlined, and so optimized by torch before (see folding.h).
    bool isOptimized() const { return m_nesting.open.size() > 1; }
    bool mayInline(const FunctionDefinition &function) const;
    Given given(const Call &call);

    const Tree &tree() const { return m_function.unit->file.tree; }
    Cursor at(Place place) const;
    Term unknown(const std::string &message, Place place);
    ir::TypeId none() const { return m_lowering.types.plain(ir::PlainType::Kind::None); }
    ir::TypeId number(ir::NumberType::Kind kind) { return m_lowering.types.number(kind); }
    std::string placeText(Place place) const;

    Lowering &m_lowering;
    GraphWriter &m_writer;
    Nesting &m_nesting;
    const FunctionDefinition &m_function;
    const Facts &m_facts;
    Cursor m_at;          ///< its location is that of the call
    ir::RegionId m_begun; ///< where the body stands
    boost::unordered_flat_map<std::string_view, Term> m_names;
    std::vector<std::pair<std::string_view, std::optional<Term>>> m_undo;
    std::vector<std::vector<std::string_view>> m_carried; ///< by the loops around, outermost first
    std::optional<Term> m_result;
};

} // namespace cutaway::formats::torchscript
