// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/writes/shared_memory.h"

#include "core/ir/model_format.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/network/activation.h"
#include "core/ops/network/normalization.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

constexpr std::string_view noPureForm = "no operator makes that as a new value",
                           unknownType = "it may convert to another dtype",
                           ofInput = "what becomes of an input or a weight cannot be returned",
                           inUnknown = "what else writes there, or has it, is not understood",
                           shared = "the same memory may have another name",
                           elsewhere = "it writes to what is made outside of its branch or loop";

template <class Visit>
void forEachRead(const NodeRef &node, const Visit &visit)
{
    for (const ir::Argument &argument : node->arguments)
        forEachValue(argument.value, visit);
}

template <class Visit>
void forEachReadIn(const ir::Graph &graph, ir::RegionId region, const Visit &visit)
{
    for (const Operand &output : graph.at(region).outputs)
        forEachValue(output, visit);
    for (const NodeRef inner : ir::nodesOf(graph, region)) {
        forEachRead(inner, visit);
        for (const ir::RegionId deeper : inner->regions)
            forEachReadIn(graph, deeper, visit);
    }
}

} // namespace

SharedMemory::SharedMemory(rewrite::Rewriter &rewriter, ir::RegionId region, LeftWrites &left)
    : m_rewriter(rewriter),
      m_region(region),
      m_left(left)
{
    const std::vector<NodeId> &nodes = rewriter.graph().at(region).nodes;
    for (m_now = 0; m_now < nodes.size(); ++m_now)
        look(m_rewriter.node(nodes[m_now]));
    blockWhatIsShared();
}

ValueId SharedMemory::baseOf(ValueId value) const
{
    for (auto view = m_views.find(value); view != m_views.end(); view = m_views.find(value))
        value = view->second.of;
    return value;
}

const SharedMemory::View *SharedMemory::viewOf(ValueId value) const
{
    const auto view = m_views.find(value);
    return view == m_views.end() ? nullptr : &view->second;
}

const SharedMemory::Statistics *SharedMemory::statisticsOf(NodeId node) const
{
    const auto moved = m_statistics.find(node);
    return moved == m_statistics.end() ? nullptr : &moved->second;
}

std::optional<std::string_view> SharedMemory::whyBlocked(ValueId base) const
{
    const auto blocked = m_blocked.find(base);
    return blocked == m_blocked.end() ? std::nullopt : std::optional(blocked->second);
}

void SharedMemory::look(const NodeRef &node)
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

/// Whether the node splits its argument into views, which unsafe_chunk and similar schemas do not declare. That makes
/// no difference if nothing else reads the argument.
bool SharedMemory::isParted(const NodeRef &node)
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

/// Whether an operator without a schema computes a new tensor, and makes no container or view.
bool SharedMemory::makesItsOwn(const NodeRef &node)
{
    const ops::Operator *row = m_rewriter.row(node);
    return row && row->shape && row->pattern == ops::Pattern::Other && node.dialect() != "prim" && !row->traits.place
        && node->regions.empty() && m_rewriter.isPure(node);
}

bool SharedMemory::isUnpackedParts(const NodeRef &node)
{
    const ops::Operator *row = m_rewriter.row(node);
    const bool unpacks = row && row->pattern == ops::Pattern::Moving && node->arguments.size() == 1;
    const auto *list = unpacks ? node->arguments.front().value.as<ValueId>() : nullptr;
    const auto maker = list ? ir::ValueRef(m_rewriter.graph(), *list).producer() : std::nullopt;
    return maker && m_rewriter.useCount(*list) == 1 && isParted(*maker);
}

/// Returns the value that a node is a view of; nothing if it makes no view that is understood.
std::optional<ValueId> SharedMemory::viewed(const NodeRef &node)
{
    const Operand *self = findInverse(m_rewriter, node) ? m_rewriter.argument(node, "self") : nullptr;
    const auto *value = self ? self->as<ValueId>() : nullptr;
    const bool isWhole = value && node.outputCount() == 1 && node->arguments.front().value == *self;
    return isWhole ? std::optional(*value) : std::nullopt;
}

void SharedMemory::lookAtWrite(const NodeRef &node, const ops::Signature &known)
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

/// Whether a node in place changes no elements, as a dropout outside of training or detach_: the operator without the
/// underscore is then a view, and nothing is written.
bool SharedMemory::isWithoutEffect(const NodeRef &node)
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
    const ops::Signature *pure =
        m_rewriter.signature(m_rewriter.context().op(node.dialect(), name.substr(0, name.size() - 1), node.overload()));
    return name.ends_with('_') && pure && pure->schema.returns.size() == 1
        && pure->schema.returns.front().type.alias.has_value();
}

void SharedMemory::lookAtAlias(const NodeRef &node)
{
    m_aliases.insert(node);
    m_views.emplace(node.output(0), View{*m_rewriter.argument(node, "self")->as<ValueId>(), std::nullopt});
}

/// Whether a node is a batch normalization in training, which writes to its running mean and variance, though its
/// schema does not declare that.
bool SharedMemory::updatesStatistics(const NodeRef &node)
{
    if (m_rewriter.kind(node) != ops::kind::batchNorm || node.outputCount() != 1)
        return false;
    const ops::Call call = m_rewriter.call(node);
    const auto isValue = [&](std::string_view name) {
        const Operand *given = m_rewriter.argument(node, name);
        return given && given->as<ValueId>();
    };
    return ops::normalizationArguments(call).useInputStats == true && call.has("training") && isValue("running_mean")
        && isValue("running_var");
}

void SharedMemory::lookAtStatistics(const NodeRef &node)
{
    Statistics &moved = m_statistics[node];
    moved.mean = *m_rewriter.argument(node, "running_mean")->as<ValueId>();
    moved.variance = *m_rewriter.argument(node, "running_var")->as<ValueId>();
    m_lastWrite[baseOf(moved.mean)] = m_lastWrite[baseOf(moved.variance)] = m_now;
}

/// Notes what an unknown node may do: a call may write to its arguments; a branch, tuple or list passes their memory
/// on.
void SharedMemory::lookAtUnknown(const NodeRef &node)
{
    share(node);
    const auto &regions = node->regions;
    const auto writesIn = [this](ir::RegionId region) {
        return std::ranges::any_of(m_rewriter.nodes(region), [this](const NodeRef &inner) { return mayWrite(inner); });
    };
    if (mayWrite(node) || std::ranges::any_of(regions, writesIn)) {
        forEachRead(node, [this](ValueId read) { m_blocked.emplace(read, inUnknown); });
        for (const ir::RegionId region : regions)
            forEachReadIn(m_rewriter.graph(), region, [this](ValueId read) { m_blocked.emplace(read, inUnknown); });
    }
    for (const ir::RegionId region : regions)
        forEachReadIn(m_rewriter.graph(), region, [&](ValueId read) {
            for (std::size_t i = 0; i < node.outputCount(); ++i)
                if (!isMadeIn(region, node, i))
                    m_shared.push_back({m_now, read, node.output(i)});
        });
}

/// Whether a result of a node with regions is a new tensor that a node of this region makes.
bool SharedMemory::isMadeIn(ir::RegionId region, const NodeRef &node, std::size_t result)
{
    const std::vector<Operand> &outputs = m_rewriter.graph().at(region).outputs;
    if (outputs.size() < node.outputCount())
        return false;
    // Outputs of a loop's region are preceded by the condition.
    const auto *value = outputs[outputs.size() - node.outputCount() + result].as<ValueId>();
    const auto maker = value ? ir::ValueRef(m_rewriter.graph(), *value).producer() : std::nullopt;
    const ops::Signature *known =
        maker && (*maker)->parent == region && (*maker)->regions.empty() ? m_rewriter.signature((*maker)->op) : nullptr;
    return known && std::ranges::none_of(known->schema.returns, [](const auto &made) {
               return made.type.alias || !made.type.elements.empty();
           });
}

/// Whether a node may write to its arguments, its regions aside.
bool SharedMemory::mayWrite(const NodeRef &node)
{
    const ops::Operator *row = m_rewriter.row(node);
    if (!node->regions.empty())
        return !row;
    return m_rewriter.signature(node->op) ? m_rewriter.writes(node) : !row || !row->shape || !m_rewriter.isPure(node);
}

void SharedMemory::share(const NodeRef &node)
{
    forEachRead(node, [&](ValueId read) {
        for (const ValueId output : node->outputs)
            if (mayHoldMemory(read) && mayHoldMemory(output))
                m_shared.push_back({m_now, read, output});
    });
}

/// Whether the value is a tensor or may contain one.
bool SharedMemory::mayHoldMemory(ValueId value)
{
    const ops::Fact fact = m_rewriter.fact(value);
    return !fact.as<ops::NumberFact>() && !fact.as<ir::DType>() && !fact.as<ir::Device>();
}

// ---- supported writes

std::ptrdiff_t SharedMemory::writtenCount(const ops::Schema &schema)
{
    return std::ranges::count_if(schema.arguments, [](const auto &a) { return a.type.isWritten(); });
}

/// Whether the result of the operator without the underscore has the dtype of the written tensor; the operator in place
/// converts to that dtype.
bool SharedMemory::keepsType(const NodeRef &node, ValueId self)
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
                || (other && (*other == *own || (isFloating && !ir::isFloating(*other) && !ir::isComplex(*other)))));
    });
    return keeps;
}

/// Whether the written value is the result of the operator without the underscore, converted to the dtype of the
/// written tensor.
bool SharedMemory::canConvert(const NodeRef &node, ValueId self)
{
    const ops::Operator *row = m_rewriter.row(node);
    const bool converts =
        row && !row->traits.writesDifferently && row->pattern == ops::Pattern::Pointwise && dtypeOf(self);
    if (converts)
        m_conversions.insert(node);
    return converts;
}

/// Whether all other arguments are numbers, which cause no conversion.
bool SharedMemory::readsOnly(const NodeRef &node, ValueId self)
{
    bool isOnly = true;
    forEachRead(node, [&](ValueId read) {
        isOnly = isOnly && (read == self || m_rewriter.fact(read).as<ops::NumberFact>() != nullptr);
    });
    return isOnly;
}

// ---- unchanged families

/// Blocks tensors that are written to after their memory was passed on. Runs after the walk.
void SharedMemory::blockWhatIsShared()
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

std::optional<ir::DType> SharedMemory::dtypeOf(ValueId value)
{
    const ops::Fact fact = m_rewriter.proven(value);
    const ops::TensorFact *tensor = ops::asTensor(fact);
    return tensor ? tensor->dtype : std::nullopt;
}

std::optional<ir::OpId> SharedMemory::pureForm(const NodeRef &node, const ops::Signature &written)
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

std::optional<SharedMemory::Mutation> SharedMemory::mutationOf(ValueId base) const
{
    using Kind = ir::FunctionInput::Kind;
    const auto &inputs = m_rewriter.function().inputs;
    const auto &outputs = m_rewriter.function().outputs;
    const auto input = std::ranges::find(inputs, Operand(base), &ir::FunctionInput::value);
    if (input == inputs.end() || !ir::isExportedProgram(m_rewriter.model()) || m_region != ir::Graph::body)
        return std::nullopt;
    const auto mutation = input->kind == Kind::Buffer
        ? std::optional(Mutation{ir::FunctionOutput::Kind::BufferMutation, input->target})
        : input->kind == Kind::User ? std::optional(Mutation{ir::FunctionOutput::Kind::UserInputMutation, input->name})
                                    : std::nullopt;
    const bool isReturned = mutation && std::ranges::any_of(outputs, [&](const ir::FunctionOutput &output) {
                                return output.kind == mutation->kind && output.target == mutation->target;
                            });
    return isReturned ? std::nullopt : mutation;
}

} // namespace cutaway::passes
