// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/cutting/extraction.h"

#include "core/analysis/reading/written.h"
#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/ir/model_format.h"
#include "core/ir/names.h"
#include "core/passes/cutting/cut.h"
#include "core/passes/history.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::passes {

namespace {

using ir::ValueId;
using Values = std::vector<ValueId>;
using NamedValues = std::vector<std::pair<std::string, ValueId>>;
using ValueSet = std::unordered_set<ValueId>;

bool hasCalls(const ir::Graph &graph)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const ir::NodeRef node(graph, id); !node->removed)
            for (const ir::Argument &argument : node->arguments)
                if (argument.value.as<ir::FunctionId>())
                    return true;
    return false;
}

bool hasWrites(const ir::Graph &graph)
{
    ops::Signatures signatures(graph.context());
    return !analysis::writtenValues(graph, signatures).empty();
}

class Extraction {
public:
    Extraction(const ir::Model &model, ir::FunctionId function, const analysis::Shapes &shapes)
        : m_model(model),
          m_id(function),
          m_function(model.at(function)),
          m_graph(m_function.graph),
          m_shapes(shapes)
    {
    }

    Result<Extracted> run(const Values &from, const Values &to)
    {
        m_cut.results = to.empty() ? results() : to;
        m_from = from.empty() ? inputs() : from;
        m_known = {m_from.begin(), m_from.end()};
        ir::Model model = m_model;
        deriveWhatIsMissing(model);
        const Needed needed = neededBy(m_graph, m_cut.results, m_known);
        for (const auto &check : {isThere(), hasInputs(needed), isUsed(from, needed), dependsOn(), isTyped(needed)})
            if (!check.empty())
                return usageError(check);
        for (const ValueId value : m_from)
            if (!isInput(value))
                m_cut.opened.push_back(value);
        return finish(std::move(model));
    }

private:
    std::string names(const Values &values) const
    {
        std::string text;
        for (const ValueId value : values)
            text += formatted("{}'{}'", text.empty() ? "" : ", ", ir::nameOf(ir::ValueRef(m_graph, value)));
        return text;
    }

    bool isInput(ValueId value) const { return std::holds_alternative<ir::RegionInput>(m_graph.at(value).definition); }

    Values inputs() const
    {
        Values values;
        for (const ir::FunctionInput &input : m_function.inputs)
            if (const auto *value = input.value.as<ValueId>(); value && input.kind == ir::FunctionInput::Kind::User)
                values.push_back(*value);
        return values;
    }

    Values results() const
    {
        Values values;
        for (const ir::FunctionOutput &output : m_function.outputs)
            if (const auto *value = output.value.as<ValueId>();
                value && output.kind == ir::FunctionOutput::Kind::User && !std::ranges::contains(values, *value))
                values.push_back(*value);
        return values;
    }

    /// Returns the function's inputs that `needed` contains and that have no default: a caller would have to give them,
    /// though they are not among the part's inputs.
    Values missing(const Needed &needed) const
    {
        Values values;
        for (const ir::FunctionInput &input : m_function.inputs)
            if (const auto *value = input.value.as<ValueId>(); value && input.kind == ir::FunctionInput::Kind::User
                && !ir::hasDefault(input) && !isModule(*value) && needed.sources.contains(*value))
                values.push_back(*value);
        return values;
    }

    bool isModule(ValueId value) const
    {
        return std::holds_alternative<ir::ClassType>(ir::ValueRef(m_graph, value).type());
    }

    /// Makes constants of the results of ONNX nodes whose elements follow from fixed sizes of inputs that the part
    /// leaves out.
    void deriveWhatIsMissing(ir::Model &model)
    {
        Values open = missing(neededBy(m_graph, m_cut.results, m_known));
        if (open.empty())
            return;
        const ValueSet left(open.begin(), open.end());
        for (const ir::NodeId id : m_graph.at(ir::Graph::body).nodes) {
            const ir::NodeRef node(m_graph, id);
            for (const ValueId value : node->outputs)
                if (node.isOnnx() && hasDerivedElements(value) && followsFrom(value, left))
                    if (const auto tensor = addDerived(model, {m_graph, value}, m_shapes)) {
                        m_cut.constant.emplace(value, *tensor);
                        m_known.insert(value);
                    }
        }
        dropUnreadConstants();
    }

    bool hasDerivedElements(ValueId value) const
    {
        const auto *fact = ops::asTensor(m_shapes.of(value));
        return fact && fact->elements && !m_known.contains(value);
    }

    /// Whether a value needs one of `left`, and nothing that it needs is known from the file's record alone.
    bool followsFrom(ValueId value, const ValueSet &left) const
    {
        const Needed needed = neededBy(m_graph, {value}, m_known);
        const auto isRecorded = [&](ValueId each) {
            return each.index < m_shapes.isRecorded.size() && m_shapes.isRecorded[each.index];
        };
        return std::ranges::any_of(needed.sources, [&](ValueId source) { return left.contains(source); })
            && std::ranges::none_of(needed.nodes, [&](ir::NodeId node) {
                   return std::ranges::any_of(m_graph.at(node).outputs, isRecorded);
               });
    }

    /// Removes constants that the results do not need.
    void dropUnreadConstants()
    {
        ValueSet read(m_cut.results.begin(), m_cut.results.end());
        for (const ir::NodeId node : neededBy(m_graph, m_cut.results, m_known).nodes)
            for (const ValueId value : valuesReadBy({m_graph, node}))
                read.insert(value);
        std::erase_if(m_cut.constant, [&](const auto &each) { return !read.contains(each.first); });
    }

    std::string isThere() const
    {
        if (m_cut.results.empty())
            return "the function has no results; name values by --to";
        Values both;
        for (const ValueId value : m_cut.results)
            if (m_known.contains(value) || !bodyNodeOf(m_graph, value))
                both.push_back(value);
        return both.empty()
            ? ""
            : formatted("there is nothing to compute up to {}: no node makes it of --from", names(both));
    }

    std::string hasInputs(const Needed &needed) const
    {
        const Values values = missing(needed);
        return values.empty() ? ""
                              : formatted("{} also need{} {}, which --from does not have", names(m_cut.results),
                                          m_cut.results.size() == 1 ? "s" : "", names(values));
    }

    std::string isUsed(const Values &from, const Needed &needed) const
    {
        ValueSet read = needed.sources;
        for (const ir::NodeId node : needed.nodes)
            for (const ValueId value : valuesReadBy({m_graph, node}))
                read.insert(value);
        Values unread = from;
        std::erase_if(unread, [&](ValueId value) { return read.contains(value); });
        return unread.empty() ? "" : formatted("no path leads from {} to {}", names(unread), names(m_cut.results));
    }

    std::string dependsOn() const
    {
        Values alone;
        for (const ValueId result : m_cut.results) {
            const Needed all = neededBy(m_graph, {result}, {});
            const bool isReached = std::ranges::any_of(m_from, [&](ValueId value) {
                const auto node = bodyNodeOf(m_graph, value);
                return node ? all.nodes.contains(*node) : all.sources.contains(value);
            });
            if (!isReached)
                alone.push_back(result);
        }
        return alone.empty() || m_from.empty() ? ""
                                               : formatted("no path leads from {} to {}", names(m_from), names(alone));
    }

    std::string isTyped(const Needed &) const
    {
        const KnownTypes types(m_model, m_shapes);
        Values untyped;
        for (const ValueId value : m_from) {
            const ir::Type &type = m_model.context->at(types.of({m_graph, value}));
            const auto *tensor = std::get_if<ir::TensorType>(&type);
            if (!isInput(value) && (std::holds_alternative<ir::UnknownType>(type) || (tensor && !tensor->dtype)))
                untyped.push_back(value);
        }
        return untyped.empty() ? ""
                               : formatted("the dtype of {} is not known; give the inputs by --input", names(untyped));
    }

    Result<Extracted> finish(ir::Model model)
    {
        Extracted made;
        for (const auto &[value, tensor] : m_cut.constant)
            made.constants.push_back(ir::nameOf(ir::ValueRef(m_graph, value)));
        made.model = withCut(std::move(model), m_id, m_cut, KnownTypes(m_model, m_shapes));
        for (const ir::FunctionInput &input : made.model.at(m_id).inputs)
            if (const auto *value = input.value.as<ValueId>(); value && input.kind == ir::FunctionInput::Kind::User)
                made.inputs.push_back(originalOf(made.model, *value));
        return made;
    }

    /// Returns the value of the source that became `value`, an input of the part. Values that were opened are the last
    /// inputs, in the order of the cut.
    ValueId originalOf(const ir::Model &made, ValueId value) const
    {
        const auto &inputs = made.at(m_id).graph.at(ir::Graph::body).inputs;
        const auto place = static_cast<std::size_t>(std::ranges::find(inputs, value) - inputs.begin());
        const std::size_t kept = inputs.size() - m_cut.opened.size();
        return place < kept ? value : m_cut.opened[place - kept];
    }

    const ir::Model &m_model;
    ir::FunctionId m_id;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    const analysis::Shapes &m_shapes;
    Values m_from;
    ValueSet m_known;
    Cut m_cut;
};

/// Returns the values of the body that a name can mean: results of nodes, inputs and weights.
NamedValues namesOfBody(const ir::Graph &graph)
{
    NamedValues names;
    for (const ValueId value : graph.at(ir::Graph::body).inputs)
        names.emplace_back(ir::nameOf(ir::ValueRef(graph, value)), value);
    for (const ir::NodeRef node : ir::nodesOf(graph))
        for (const ValueId value : node->outputs)
            names.emplace_back(ir::nameOf(ir::ValueRef(graph, value)), value);
    for (ValueId id{0}; id.index < graph.valueCount(); ++id.index)
        if (const auto *weight = std::get_if<ir::Weight>(&graph.at(id).definition);
            weight && weight->region == ir::Graph::body)
            names.emplace_back(ir::nameOf(ir::ValueRef(graph, id)), id);
    return names;
}

/// Returns the names in the file, each with the value of `now` that has taken the place of the file's value: the value
/// itself, or the result of a node that was made from its node.
NamedValues namesInFile(const ir::Graph &asRead, const ir::Graph &now)
{
    // If several nodes were made from one node, the last of them counts, since it makes the result.
    std::unordered_map<ir::NodeId, ir::NodeId> madeFrom;
    for (const ir::NodeRef node : ir::nodesOf(now))
        for (const ir::NodeId origin : node->origins)
            madeFrom.insert_or_assign(origin, node.id());
    NamedValues names;
    for (auto &[name, value] : namesOfBody(asRead)) {
        const auto *result = std::get_if<ir::NodeResult>(&asRead.at(value).definition);
        if (!std::holds_alternative<ir::NoDefinition>(now.at(value).definition)
            && (!result || !now.at(result->node).removed)) {
            names.emplace_back(std::move(name), value);
        } else if (const auto made = result ? madeFrom.find(result->node) : madeFrom.end(); made != madeFrom.end()) {
            const ir::NodeRef node(now, made->second);
            if (result->index < node.outputCount())
                names.emplace_back(std::move(name), node->outputs[result->index]);
        }
    }
    return names;
}

/// Returns the names of values that texts list between commas. A name may have commas itself, so the longest piece of a
/// text that is a known name counts.
std::vector<std::string> namesIn(const std::vector<std::string> &texts, const std::vector<std::string_view> &known)
{
    std::vector<std::string> names;
    for (const std::string &text : texts)
        for (std::size_t start = 0; start <= text.size();) {
            std::size_t end = text.size();
            while (!std::ranges::contains(known, std::string_view(text).substr(start, end - start))) {
                const std::size_t comma = end == 0 ? std::string::npos : text.rfind(',', end - 1);
                if (comma == std::string::npos || comma < start) { // no known name is left: take the first piece
                    end = std::min(text.find(',', start), text.size());
                    break;
                }
                end = comma;
            }
            names.push_back(text.substr(start, end - start));
            start = end + 1;
        }
    return names;
}

/// Returns the words of a message about names near `wanted`. Without near names, nearNames() lists all, which may be
/// too many for a message.
std::string namesNear(const std::string &wanted, const std::vector<std::string_view> &known)
{
    constexpr std::size_t longest = 400;
    const std::string near = nearNames(wanted, known);
    return near.size() > longest ? "'cutaway-cli print' shows their names" : "there is " + near;
}

} // namespace

Result<ir::Model> withoutWrites(const ir::Model &model, ir::FunctionId function)
{
    const ir::Graph &graph = model.at(function).graph;
    const bool isOnnx = ir::isOnnx(model); // functions of ONNX stay functions
    if (isOnnx || (!hasWrites(graph) && !hasCalls(graph)))
        return model;
    History history(std::make_shared<const ir::Model>(model), function);
    history.run(withNeeds(*parsePipeline("inline-calls,functionalize")));
    if (history.failure())
        return std::unexpected(history.failure()->error);
    ir::Model state = *history.modelAfter(history.steps().size());
    if (hasWrites(state.at(function).graph))
        return usageError("the model writes to tensors in place where it is not certain what reads them; a part of it "
                          "might compute something else");
    return state;
}

Result<Values> valuesNamed(const ir::Model &model, const ir::Model &asRead, ir::FunctionId function,
                           const std::vector<std::string> &texts, const std::string &what)
{
    NamedValues all = namesInFile(asRead.at(function).graph, model.at(function).graph);
    std::ranges::move(namesOfBody(model.at(function).graph), std::back_inserter(all));
    std::vector<std::string_view> known;
    std::ranges::transform(all, std::back_inserter(known),
                           [](const auto &each) { return std::string_view(each.first); });
    Values values;
    std::string unknown, near;
    for (const std::string &name : namesIn(texts, known)) {
        const auto found = std::ranges::find(all, name, [](const auto &each) { return each.first; });
        if (found == all.end() && near.empty()) {
            std::ranges::sort(known);
            known.erase(std::ranges::unique(known).begin(), known.end());
            near = namesNear(name, known);
        }
        if (found == all.end())
            unknown += formatted("{}'{}'", unknown.empty() ? "" : ", ", name);
        else if (!std::ranges::contains(values, found->second))
            values.push_back(found->second);
    }
    if (!unknown.empty())
        return usageError(formatted("{} names no value of the graph's body: {}; {}", what, unknown, near));
    return values;
}

Result<Extracted> extracted(const ir::Model &model, ir::FunctionId function, const Values &from, const Values &to,
                            const analysis::Shapes &shapes)
{
    return Extraction(model, function, shapes).run(from, to);
}

} // namespace cutaway::passes
