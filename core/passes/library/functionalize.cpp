// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/model_format.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/network/activation.h"
#include "core/ops/network/normalization.h"
#include "core/passes/pass.h"
#include "core/passes/writes/left_writes.h"
#include "core/passes/writes/reshapes_in_place.h"
#include "core/passes/writes/simple_views.h"
#include "core/passes/writes/view_inverses.h"
#include "core/passes/writes/writes_in_regions.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <map>
#include <set>

// Replaces writes by new values. What gives a tensor another shape in place becomes a view before, views of what is
// written to are written as those that have an inverse, and a branch or a loop that writes to what is outside of it
// returns that in place of writing. Then each region is walked twice, front to back, and the body last.
//
// The first walk finds which values share memory. A value is a view if its operator has a known inverse (select, slice,
// unsqueeze, ...) or works in place, so that its result is what it wrote to. The value at the end of a chain of views
// is the base; all views of one base are a family. A family is left unchanged if one of its values is an input or a
// weight that cannot be returned, or is written to inside a region, by an unknown operator, or with a conversion that
// is not known. Other ways to share an argument's memory (reshape, a tuple, a branch) are fine as long as neither side
// is written to later.
//
// The second walk changes the graph: a write becomes a new value, made by the operator without the underscore. If it
// wrote to a view, the view's inverse (select_scatter and the like) makes a new value of what is viewed, and so on up
// to the family's base, which then has a new version. Later readers get this version; a view that was not written to
// itself is made again from it. O(nodes × depth of views).

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

class Functionalizing {
public:
    Functionalizing(rewrite::Rewriter &rewriter, ir::RegionId region, LeftWrites &left)
        : m_rewriter(rewriter),
          m_region(region),
          m_nodes(rewriter.graph().at(region).nodes),
          m_left(left)
    {
    }

    void run()
    {
        for (m_now = 0; m_now < m_nodes.size(); ++m_now)
            look(m_rewriter.node(m_nodes[m_now]));
        blockWhatIsShared();
        for (const NodeId id : m_nodes)
            change(m_rewriter.node(id));
        std::vector<Operand> outputs = m_rewriter.graph().at(m_region).outputs;
        for (Operand &output : outputs)
            output = current(output, std::nullopt);
        if (outputs != m_rewriter.graph().at(m_region).outputs)
            m_rewriter.setOutputs(m_region, std::move(outputs));
        if (m_region == ir::Graph::body)
            returnMutations();
        for (const NodeId write : m_done)
            m_rewriter.remove(write);
    }

private:
    static constexpr std::string_view noPureForm = "no operator makes that as a new value",
                                      unknownType = "it may convert to another dtype",
                                      ofInput = "what becomes of an input or a weight cannot be returned",
                                      inUnknown = "what else writes there, or has it, is not understood",
                                      shared = "the same memory may have another name",
                                      elsewhere = "it writes to what is made outside of its branch or loop";

    /// Where a value's elements lie: in another value, through `maker`; none: in itself.
    struct View {
        ValueId of;
        std::optional<NodeRef> maker;
        const ViewInverse *inverse = nullptr; ///< with maker
    };
    struct Version {
        std::size_t number;
        Operand value;
    };
    /// From some time on, a value's memory may also be another's.
    struct Sharing {
        std::size_t time;
        ValueId from, to;
    };

    /// The values that a normalization in training writes to.
    struct Statistics {
        ValueId mean, variance;
    };

    // ---- shared memory

    ValueId baseOf(ValueId value) const
    {
        for (auto view = m_views.find(value); view != m_views.end(); view = m_views.find(value))
            value = view->second.of;
        return value;
    }

    void look(const NodeRef &node)
    {
        const ops::Signature *known = node->regions.empty() ? m_rewriter.signature(node->op) : nullptr;
        if (node.isOnnx())
            return;
        if (!known && (isUnpackedParts(node) || makesItsOwn(node)))
            return;
        if (!known)
            return lookAtUnknown(node);
        if (m_rewriter.writes(node))
            return isWithoutEffect(node) ? lookAtAlias(node) : lookAtWrite(node, *known);
        if (updatesStatistics(node))
            return lookAtStatistics(node);
        if (isParted(node))
            return;
        if (const auto self = viewed(node)) {
            m_views.emplace(node.output(0), View{*self, node, findInverse(m_rewriter, node)});
            return;
        }
        const bool givesMemory = std::ranges::any_of(known->schema.returns, [](const auto &result) {
            return result.type.alias.has_value() || !result.type.elements.empty();
        });
        if (givesMemory)
            share(node);
    }

    /// unsafe_chunk and its kind do not say that their results lie in what they part. That makes no difference if
    /// nothing else reads the whole.
    bool isParted(const NodeRef &node)
    {
        const ops::Signature *known = m_rewriter.signature(node->op);
        if (!known || known->schema.returns.size() != 1 || node.outputCount() != 1)
            return false;
        const ops::SchemaType &made = known->schema.returns.front().type;
        const bool isList = made.elements.size() == 1 && !made.alias && !made.elements.front().alias;
        const Operand *self = isList ? m_rewriter.argument(node, "self") : nullptr;
        const auto *whole = self ? self->as<ValueId>() : nullptr;
        if (!whole)
            return false;
        for (ValueId value = *whole;; value = m_views.at(value).of) {
            if (m_rewriter.useCount(value) != 1)
                return false;
            if (!m_views.contains(value))
                return ir::ValueRef(m_rewriter.graph(), value).producer().has_value();
        }
    }

    /// Whether an operator without a schema computes something new, which no container and no view does.
    bool makesItsOwn(const NodeRef &node)
    {
        const ops::Operator *row = m_rewriter.row(node);
        return row && row->shape && row->pattern == ops::Pattern::Other && node.dialect() != "prim"
            && !row->traits.place && node->regions.empty() && m_rewriter.isPure(node);
    }

    bool isUnpackedParts(const NodeRef &node)
    {
        const ops::Operator *row = m_rewriter.row(node);
        const bool unpacks = row && row->pattern == ops::Pattern::Moving && node->arguments.size() == 1;
        const auto *list = unpacks ? node->arguments.front().value.as<ValueId>() : nullptr;
        const auto maker = list ? ir::ValueRef(m_rewriter.graph(), *list).producer() : std::nullopt;
        return maker && m_rewriter.useCount(*list) == 1 && isParted(*maker);
    }

    /// The value that a node is a view of, if the view is understood.
    std::optional<ValueId> viewed(const NodeRef &node)
    {
        const Operand *self = findInverse(m_rewriter, node) ? m_rewriter.argument(node, "self") : nullptr;
        const auto *value = self ? self->as<ValueId>() : nullptr;
        const bool isWhole = value && node.outputCount() == 1 && node->arguments.front().value == *self;
        return isWhole ? std::optional(*value) : std::nullopt;
    }

    void lookAtWrite(const NodeRef &node, const ops::Signature &known)
    {
        const Operand *self = m_rewriter.argument(node, "self");
        const auto *value = self ? self->as<ValueId>() : nullptr;
        const bool hasForm = value && node.outputCount() <= 1 && pureForm(node, known);
        if (hasForm && (keepsType(node, *value) || canConvert(node, *value))) {
            m_writes.insert(node);
            m_lastWrite[baseOf(*value)] = m_now;
            if (node.outputCount() == 1)
                m_views.emplace(node.output(0), View{*value, std::nullopt});
            return;
        }
        m_left.leave(node, hasForm ? unknownType : noPureForm);
        forEachRead(node, [this](ValueId read) { m_blocked.emplace(read, inUnknown); });
        share(node);
    }

    /// A dropout outside of training, and detach_ and its kind: the plain form gives the same elements as a view, so
    /// that nothing is written.
    bool isWithoutEffect(const NodeRef &node)
    {
        const ops::Operator *row = m_rewriter.row(node);
        const Operand *self = m_rewriter.argument(node, "self");
        if (m_rewriter.kind(node) == ops::kind::dropout && self && self->as<ValueId>() && node.outputCount() == 1
            && m_rewriter.call(node).flag("train") == false)
            return true;
        if (!row || !row->traits.keepsElements || row->traits.reshapesInPlace || node.outputCount() != 1 || !self
            || !self->as<ValueId>())
            return false;
        const std::string_view name = node.opName();
        const ops::Signature *pure = m_rewriter.signature(
            m_rewriter.context().op(node.dialect(), name.substr(0, name.size() - 1), node.overload()));
        return name.ends_with('_') && pure && pure->schema.returns.size() == 1
            && pure->schema.returns.front().type.alias.has_value();
    }

    void lookAtAlias(const NodeRef &node)
    {
        m_aliases.insert(node);
        m_views.emplace(node.output(0), View{*m_rewriter.argument(node, "self")->as<ValueId>(), std::nullopt});
    }

    /// A batch normalization in training moves its running mean and variance, which its schema does not say.
    bool updatesStatistics(const NodeRef &node)
    {
        if (m_rewriter.kind(node) != ops::kind::batchNorm || node.outputCount() != 1)
            return false;
        const ops::Call call = m_rewriter.call(node);
        const auto isValue = [&](std::string_view name) {
            const Operand *given = m_rewriter.argument(node, name);
            return given && given->as<ValueId>();
        };
        return ops::normalizationArguments(call).useInputStats == true && call.has("training")
            && isValue("running_mean") && isValue("running_var");
    }

    void lookAtStatistics(const NodeRef &node)
    {
        Statistics &moved = m_statistics[node];
        moved.mean = *m_rewriter.argument(node, "running_mean")->as<ValueId>();
        moved.variance = *m_rewriter.argument(node, "running_var")->as<ValueId>();
        m_lastWrite[baseOf(moved.mean)] = m_lastWrite[baseOf(moved.variance)] = m_now;
    }

    /// A call may write to its arguments; a branch, tuple or list passes their memory on.
    void lookAtUnknown(const NodeRef &node)
    {
        share(node);
        const auto &regions = node->regions;
        const auto writesIn = [this](ir::RegionId region) {
            return std::ranges::any_of(m_rewriter.nodes(region),
                                       [this](const NodeRef &inner) { return mayWrite(inner); });
        };
        if (mayWrite(node) || std::ranges::any_of(regions, writesIn)) {
            forEachRead(node, [this](ValueId read) { m_blocked.emplace(read, inUnknown); });
            for (const ir::RegionId region : regions)
                forEachReadIn(region, [this](ValueId read) { m_blocked.emplace(read, inUnknown); });
        }
        for (const ir::RegionId region : regions)
            forEachReadIn(region, [&](ValueId read) {
                for (std::size_t i = 0; i < node.outputCount(); ++i)
                    if (!isMadeIn(region, node, i))
                        m_shared.push_back({m_now, read, node.output(i)});
            });
    }

    /// Whether a result of a node with regions is a new tensor that a node of this region makes.
    bool isMadeIn(ir::RegionId region, const NodeRef &node, std::size_t result)
    {
        const std::vector<Operand> &outputs = m_rewriter.graph().at(region).outputs;
        if (outputs.size() < node.outputCount())
            return false;
        const auto *value = outputs[outputs.size() - node.outputCount() + result].as<ValueId>(); // after a condition
        const auto maker = value ? ir::ValueRef(m_rewriter.graph(), *value).producer() : std::nullopt;
        const ops::Signature *known = maker && (*maker)->parent == region && (*maker)->regions.empty()
            ? m_rewriter.signature((*maker)->op)
            : nullptr;
        return known && std::ranges::none_of(known->schema.returns, [](const auto &made) {
                   return made.type.alias || !made.type.elements.empty();
               });
    }

    /// Ignores what is inside the node's regions.
    bool mayWrite(const NodeRef &node)
    {
        const ops::Operator *row = m_rewriter.row(node);
        if (!node->regions.empty())
            return !row;
        return m_rewriter.signature(node->op) ? m_rewriter.writes(node)
                                              : !row || !row->shape || !m_rewriter.isPure(node);
    }

    template <class Visit>
    void forEachReadIn(ir::RegionId region, const Visit &visit) const
    {
        for (const Operand &output : m_rewriter.graph().at(region).outputs)
            forEachValue(output, visit);
        for (const NodeRef inner : ir::nodesOf(m_rewriter.graph(), region)) {
            forEachRead(inner, visit);
            for (const ir::RegionId deeper : inner->regions)
                forEachReadIn(deeper, visit);
        }
    }

    void share(const NodeRef &node)
    {
        forEachRead(node, [&](ValueId read) {
            for (const ValueId output : node->outputs)
                if (mayHoldMemory(read) && mayHoldMemory(output))
                    m_shared.push_back({m_now, read, output});
        });
    }

    /// Whether the value is a tensor or may contain one.
    bool mayHoldMemory(ValueId value)
    {
        const ops::Fact fact = m_rewriter.fact(value);
        return !fact.as<ops::NumberFact>() && !fact.as<ir::DType>() && !fact.as<ir::Device>();
    }

    template <class Visit>
    static void forEachRead(const NodeRef &node, const Visit &visit)
    {
        for (const ir::Argument &argument : node->arguments)
            forEachValue(argument.value, visit);
    }

    // ---- supported writes

    /// The operator without the underscore, if it takes the same arguments and has one tensor as result.
    std::optional<ir::OpId> pureForm(const NodeRef &node, const ops::Signature &written)
    {
        const std::string_view name = node.opName();
        if (!name.ends_with('_') || node.dialect() != "aten")
            return std::nullopt;
        const ir::OpId op = m_rewriter.context().op("aten", name.substr(0, name.size() - 1), written.schema.overload);
        const ops::Signature *known = m_rewriter.signature(op);
        const auto agree = [](const ops::SchemaArgument &pure, const ops::SchemaArgument &inPlace) {
            return pure.name == inPlace.name || inPlace.type.isWritten();
        };
        const bool isSame = known && known->schema.overload == written.schema.overload
            && std::ranges::equal(known->schema.arguments, written.schema.arguments, agree)
            && known->schema.returns.size() == 1 && !known->schema.returns.front().type.alias
            && writtenCount(written.schema) == 1;
        return isSame ? std::optional(op) : std::nullopt;
    }

    static std::ptrdiff_t writtenCount(const ops::Schema &schema)
    {
        return std::ranges::count_if(schema.arguments, [](const auto &a) { return a.type.isWritten(); });
    }

    /// Whether the pure operator's result has the dtype of its target; the in-place one converts to that.
    bool keepsType(const NodeRef &node, ValueId self)
    {
        const ops::Operator *row = m_rewriter.row(node);
        const auto own = dtypeOf(self);
        if (!row || row->traits.writesDifferently)
            return false;
        if (row->traits.keepsDType)
            return true;
        if (!own)
            return row->pattern != ops::Pattern::Moving && readsOnly(node, self);
        const bool isFloating = ir::isFloating(*own);
        bool keeps = row->pattern != ops::Pattern::Moving;
        forEachRead(node, [&](ValueId read) {
            const ops::Fact fact = m_rewriter.fact(read);
            const auto other = dtypeOf(read);
            const bool isNumber = fact.as<ops::NumberFact>() != nullptr;
            keeps = keeps
                && (isNumber
                    || (other
                        && (*other == *own || (isFloating && !ir::isFloating(*other) && !ir::isComplex(*other)))));
        });
        return keeps;
    }

    /// Whether the pure operator's result, converted to the dtype of the target, is what is written.
    bool canConvert(const NodeRef &node, ValueId self)
    {
        const ops::Operator *row = m_rewriter.row(node);
        const bool converts =
            row && !row->traits.writesDifferently && row->pattern == ops::Pattern::Pointwise && dtypeOf(self);
        if (converts)
            m_conversions.insert(node);
        return converts;
    }

    /// Whether all other arguments are numbers, which cause no conversion.
    bool readsOnly(const NodeRef &node, ValueId self)
    {
        bool isOnly = true;
        forEachRead(node, [&](ValueId read) {
            isOnly = isOnly && (read == self || m_rewriter.fact(read).as<ops::NumberFact>() != nullptr);
        });
        return isOnly;
    }

    std::optional<ir::DType> dtypeOf(ValueId value)
    {
        const ops::Fact fact = m_rewriter.proven(value);
        const ops::TensorFact *tensor = ops::asTensor(fact);
        return tensor ? tensor->dtype : std::nullopt;
    }

    // ---- unchanged families

    /// Decided after the walk: blocks what is written to after its memory was passed on.
    void blockWhatIsShared()
    {
        std::map<ValueId, std::string_view> bases;
        for (const auto &[value, reason] : m_blocked)
            bases.emplace(baseOf(value), reason);
        const auto writtenAfter = [&](ValueId value, std::size_t time) {
            const auto last = m_lastWrite.find(baseOf(value));
            return last != m_lastWrite.end() && last->second >= time;
        };
        for (const auto &[base, time] : m_lastWrite) {
            const auto maker = ir::ValueRef(m_rewriter.graph(), base).producer();
            if (maker && (*maker)->parent != m_region)
                bases.emplace(base, elsewhere);
            else if (!maker && !mutationOf(base))
                bases.emplace(base, m_region == ir::Graph::body ? ofInput : elsewhere);
        }
        for (std::size_t known = bases.size() + 1; known != bases.size();) {
            known = bases.size();
            for (const Sharing &sharing : m_shared)
                if (writtenAfter(sharing.from, sharing.time) || writtenAfter(sharing.to, sharing.time)
                    || bases.contains(baseOf(sharing.to)))
                    bases.insert({{baseOf(sharing.from), shared}, {baseOf(sharing.to), shared}});
        }
        m_blocked = std::move(bases);
    }

    // ---- what the program returns

    struct Mutation {
        ir::FunctionOutput::Kind kind;
        ir::NameId target;
    };

    /// How an exported program says that it changes a buffer or what the user gives.
    std::optional<Mutation> mutationOf(ValueId base) const
    {
        using Kind = ir::FunctionInput::Kind;
        const auto &inputs = m_rewriter.function().inputs;
        const auto &outputs = m_rewriter.function().outputs;
        const auto input = std::ranges::find(inputs, Operand(base), &ir::FunctionInput::value);
        if (input == inputs.end() || !ir::isExportedProgram(m_rewriter.model()) || m_region != ir::Graph::body)
            return std::nullopt;
        const auto mutation = input->kind == Kind::Buffer
            ? std::optional(Mutation{ir::FunctionOutput::Kind::BufferMutation, input->target})
            : input->kind == Kind::User
            ? std::optional(Mutation{ir::FunctionOutput::Kind::UserInputMutation, input->name})
            : std::nullopt;
        const bool isReturned = mutation && std::ranges::any_of(outputs, [&](const ir::FunctionOutput &output) {
                                    return output.kind == mutation->kind && output.target == mutation->target;
                                });
        return isReturned ? std::nullopt : mutation;
    }

    void returnMutations()
    {
        for (const auto &[base, number] : m_versions)
            if (const auto mutation = mutationOf(base))
                m_rewriter.returnMutation(mutation->kind, mutation->target, currentOf(base, std::nullopt));
    }

    // ---- the change

    void change(const NodeRef &node)
    {
        readCurrent(node, node);
        noteView(node);
        if (const auto moved = m_statistics.find(node); moved != m_statistics.end())
            return moveStatistics(node, moved->second);
        if (m_aliases.contains(node)) {
            m_rewriter.replaceUses(node.output(0), node->arguments.front().value);
            m_done.insert(node);
            return;
        }
        if (!m_writes.contains(node))
            return;
        if (const auto blocked = m_blocked.find(baseOf(m_written.at(node))); blocked != m_blocked.end())
            return m_left.leave(node, blocked->second);
        m_left.done();
        const ValueId value = m_written.at(node);
        const ops::Signature &known = *m_rewriter.signature(node->op);
        m_rewriter.from({node});
        const std::string_view name = node.opName();
        const bool isConverted = m_conversions.contains(node);
        const ir::TypeId type = m_rewriter.graph().at(value).type;
        ValueId made = m_rewriter.makeBefore(node,
                                             {.dialect = "aten",
                                              .name = name.substr(0, name.size() - 1),
                                              .overload = known.schema.overload,
                                              .arguments = pureArguments(node, known)},
                                             isConverted ? ir::TypeId() : type);
        if (isConverted)
            made = m_rewriter.makeBefore(
                node,
                {.dialect = "aten",
                 .name = "_to_copy",
                 .arguments = {{m_rewriter.text("self"), made}, {m_rewriter.text("dtype"), *dtypeOf(value)}}},
                type);
        if (node.outputCount() == 1) // users know what was written by this name
            m_rewriter.setName(made, node.output(0).name());
        write(node, value, made);
        m_done.insert(node);
    }

    /// The arguments by the pure operator's names; it may call what is written to otherwise.
    std::vector<ir::Argument> pureArguments(const NodeRef &node, const ops::Signature &written)
    {
        const ops::Signature &pure = *m_rewriter.signature(*pureForm(node, written));
        std::vector<ir::Argument> arguments = node->arguments;
        for (ir::Argument &argument : arguments)
            for (std::size_t i = 0; i < written.schema.arguments.size(); ++i)
                if (argument.name == m_rewriter.text(written.schema.arguments[i].name))
                    argument.name = m_rewriter.text(pure.schema.arguments[i].name);
        return arguments;
    }

    /// The operator that returns the statistics in place of writing them.
    void moveStatistics(const NodeRef &node, const Statistics &moved)
    {
        if (m_blocked.contains(baseOf(moved.mean)) || m_blocked.contains(baseOf(moved.variance)))
            return;
        std::vector<ir::Argument> arguments;
        for (const std::string_view name :
             {"input", "weight", "bias", "running_mean", "running_var", "training", "momentum", "eps"}) {
            const Operand *given = m_rewriter.argument(node, name);
            arguments.push_back({m_rewriter.text(name), given ? *given : Operand()});
        }
        const ir::TypeId of[] = {m_rewriter.graph().at(moved.mean).type, m_rewriter.graph().at(moved.variance).type};
        m_rewriter.from({node});
        const NodeRef made =
            m_rewriter.insertBefore(node, {"aten", "_native_batch_norm_legit_functional", "", std::move(arguments)});
        const ValueId result = m_rewriter.addOutput(made, node.output(0)->type, node.output(0).name());
        m_rewriter.addOutput(made, of[0], "save_mean");
        m_rewriter.addOutput(made, of[1], "save_rstd");
        const ValueId mean = m_rewriter.addOutput(made, of[0], "running_mean");
        const ValueId variance = m_rewriter.addOutput(made, of[1], "running_var");
        m_rewriter.replaceUses(node.output(0), result);
        write(node, moved.mean, mean);
        write(node, moved.variance, variance);
        m_done.insert(node);
    }

    /// A view made from the latest version belongs to that version.
    void noteView(const NodeRef &node)
    {
        if (node.outputCount() != 1)
            return;
        const ValueId value = node.output(0);
        const auto view = m_views.find(value);
        const auto number = m_versions.find(baseOf(value));
        if (view != m_views.end() && view->second.maker && number != m_versions.end())
            m_current.insert_or_assign(value, Version{number->second, value});
    }

    /// The node and its regions read the current versions of their values.
    void readCurrent(const NodeRef &node, NodeId before)
    {
        if (m_writes.contains(node))
            m_written.emplace(node, *m_rewriter.argument(node, "self")->as<ValueId>());
        std::vector<ir::Argument> arguments = node->arguments;
        for (ir::Argument &argument : arguments)
            argument.value = current(argument.value, before);
        if (arguments != node->arguments)
            m_rewriter.setArguments(node, std::move(arguments));
        const std::vector<ir::RegionId> regions = node->regions;
        for (const ir::RegionId region : regions) {
            const std::vector<NodeId> nodes = m_rewriter.graph().at(region).nodes;
            for (const NodeId inner : nodes)
                readCurrent(m_rewriter.node(inner), before);
            std::vector<Operand> outputs = m_rewriter.graph().at(region).outputs;
            for (Operand &output : outputs)
                output = current(output, before);
            if (outputs != m_rewriter.graph().at(region).outputs)
                m_rewriter.setOutputs(region, std::move(outputs));
        }
    }

    Operand current(const Operand &operand, std::optional<NodeId> before)
    {
        return ir::withValues(operand, [&](ValueId value) { return currentOf(value, before); });
    }

    /// The current version of a family's value.
    Operand currentOf(ValueId value, std::optional<NodeId> before)
    {
        const auto number = m_versions.find(baseOf(value));
        if (number == m_versions.end())
            return value; // not written to so far
        if (const auto known = m_current.find(value);
            known != m_current.end() && known->second.number == number->second)
            return known->second.value;
        const View &view = m_views.at(value);
        Operand made = currentOf(view.of, before);
        if (view.maker)
            made = again(*view.maker, made, before);
        m_current.insert_or_assign(value, Version{number->second, made});
        return made;
    }

    /// Repeats a view on another base.
    Operand again(const NodeRef &maker, const Operand &base, std::optional<NodeId> before)
    {
        ir::NodeDraft draft{.op = maker->op,
                            .name = {},
                            .scope = maker->scope,
                            .location = maker->location,
                            .arguments = maker->arguments,
                            .origins = {},
                            .metadata = {}};
        draft.arguments.front().value = base;
        m_rewriter.from({maker});
        const NodeId made =
            before ? m_rewriter.insertBefore(*before, std::move(draft)) : m_rewriter.append(m_region, std::move(draft));
        return m_rewriter.addOutput(made, maker.output(0)->type, maker.opName());
    }

    /// Gives a value new elements, and everything that contains it.
    void write(NodeId id, ValueId value, const Operand &elements)
    {
        const std::size_t number = ++m_lastVersion;
        std::vector<std::pair<ValueId, Operand>> renewed{{value, elements}};
        for (auto view = m_views.find(value); view != m_views.end(); view = m_views.find(value)) {
            const ValueId around = view->second.of;
            const Operand &part = renewed.back().second;
            renewed.emplace_back(around, view->second.maker ? putBack(id, view->second, part) : part);
            value = around;
        }
        m_versions.insert_or_assign(value, number);
        for (auto &[changed, now] : renewed)
            m_current.insert_or_assign(changed, Version{number, std::move(now)});
    }

    Operand putBack(NodeId id, const View &view, const Operand &part)
    {
        const Operand base = currentOf(view.of, id);
        std::vector<ir::Argument> arguments = (*view.maker)->arguments;
        const ir::NameId self = arguments.front().name;
        const auto named = [&](std::string_view name) { return self == ir::NameId{} ? self : m_rewriter.text(name); };
        arguments.front().value = view.inverse->arguments == ViewInverse::Arguments::BaseAndPart ? base : part;
        if (view.inverse->arguments == ViewInverse::Arguments::BaseAndPart)
            arguments.insert(arguments.begin() + 1, {named("src"), part});
        if (view.inverse->arguments == ViewInverse::Arguments::PartLikeBase)
            arguments = {arguments.front(), {named("other"), base}};
        if (view.inverse->arguments == ViewInverse::Arguments::Reordered)
            arguments = {arguments.front(), {named("dims"), *undoneOrder(m_rewriter.argument(*view.maker, "dims"))}};
        m_rewriter.from({id});
        return m_rewriter.makeBefore(id,
                                     {.dialect = "aten",
                                      .name = view.inverse->name,
                                      .overload = view.inverse->inverseOverload,
                                      .arguments = std::move(arguments)},
                                     m_rewriter.graph().at(view.of).type);
    }

    rewrite::Rewriter &m_rewriter;
    const ir::RegionId m_region;
    const std::vector<NodeId> m_nodes; ///< of the region, in order
    LeftWrites &m_left;
    std::size_t m_now = 0; ///< index of the current node
    std::map<ValueId, View> m_views;
    std::set<NodeId> m_writes;                  ///< the supported ones
    std::set<NodeId> m_conversions;             ///< writes of results that have another dtype
    std::set<NodeId> m_aliases;                 ///< that give their argument back
    std::map<NodeId, Statistics> m_statistics;  ///< by normalization
    std::map<NodeId, ValueId> m_written;        ///< by write: its target in the file
    std::map<ValueId, std::size_t> m_lastWrite; ///< by base
    std::vector<Sharing> m_shared;
    std::map<ValueId, std::string_view> m_blocked; ///< why; first values, later bases
    std::map<ValueId, std::size_t> m_versions;     ///< by base that was written to
    std::map<ValueId, Version> m_current;
    std::size_t m_lastVersion = 0;
    std::set<NodeId> m_done;
};

/// The regions of all nodes in a region, innermost first.
void functionalizeWithin(rewrite::Rewriter &rewriter, ir::RegionId region, LeftWrites &left)
{
    const std::vector<NodeId> nodes = rewriter.graph().at(region).nodes;
    for (const NodeId node : nodes) {
        const std::vector<ir::RegionId> inner = rewriter.node(node)->regions;
        if (inner.empty())
            continue;
        for (const ir::RegionId each : inner)
            functionalizeWithin(rewriter, each, left);
        if (carryWritesOut(rewriter, node))
            rewriter.finish();
        for (const ir::RegionId each : inner)
            Functionalizing(rewriter, each, left).run();
        rewriter.finish();
    }
}

Result<void> runFunctionalize(rewrite::Rewriter &rewriter, const Settings &)
{
    viewReshapesInPlace(rewriter);
    simplifyWrittenViews(rewriter);
    rewriter.finish();
    LeftWrites left;
    if (!rewriter.written().empty())
        functionalizeWithin(rewriter, ir::Graph::body, left);
    Functionalizing(rewriter, ir::Graph::body, left).run();
    rewriter.remark(left.print());
    return {};
}

} // namespace

extern const Pass functionalize;
const Pass functionalize{"functionalize",
                         "Replaces in-place writes, also through views, by new values where the write is understood.",
                         {},
                         runFunctionalize,
                         false};

} // namespace cutaway::passes
