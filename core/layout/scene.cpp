// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The boxes and links of a function are made here. A value that flows between two boxes crosses the borders of the open
// boxes around either of them. It is cut at each border: within each plane it becomes a link between two vertices of
// that plane. An open box stands for everything inside it; an Entry or Exit stands for everything outside. So each
// plane can be laid out by itself. Values with the same two ends share a link.

#include "core/layout/scene.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/layout/describe_part.h"
#include "core/layout/plane.h"
#include "core/layout/ranked.h"
#include "core/ops/program/control_flow.h"
#include "core/structure/plumbing.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <map>
#include <ranges>
#include <unordered_map>
#include <utility>

namespace cutaway::layout {

namespace {

constexpr std::uint32_t farRows = 20;        ///< a link that spans more rows becomes a stub
constexpr std::size_t manyReaders = 8;       ///< a link from a source with more readers than this becomes a stub, too,
constexpr std::uint32_t manyReadersRows = 3; ///< if it spans more rows than this

constexpr std::size_t manyPills = 4;    ///< from this number on, inputs or outputs that look alike are drawn as one
constexpr std::size_t manyOutputs = 12; ///< with more outputs than this, those of one part are drawn as one

constexpr std::uint32_t none = ~0u;

/// An end of a link in a plane.
struct End {
    std::uint32_t vertex = 0;
    std::uint32_t port = none;
    bool operator==(const End &) const = default;
};

struct LinkKey {
    End from;
    End to;
    bool operator==(const LinkKey &) const = default;
};

struct KeyHash {
    std::size_t operator()(const End &e) const { return e.vertex * 0x9E3779B97F4A7C15ull + e.port; }
    std::size_t operator()(const LinkKey &k) const
    {
        std::size_t seed = (*this)(k.from);
        boost::hash_combine(seed, (*this)(k.to));
        return seed;
    }
};

/// Lookup tables used while a plane's links are made.
struct PlaneIndex {
    std::unordered_map<LinkKey, std::uint32_t, KeyHash> links;
    std::unordered_map<End, std::uint32_t, KeyHash> entries; ///< by end outside: the vertex
    std::unordered_map<End, std::uint32_t, KeyHash> exits;   ///< by end inside: the vertex
};

/// Whether a node passes its last operands as the inputs of its regions.
bool passesLast(const ir::NodeRef &node)
{
    using namespace ops::kind;
    const ops::OperatorKind kind = ops::kindOf(node);
    return kind == loop || kind == whileLoop || kind == cond || kind == map || kind == sequenceMap
        || (kind == scan && node.isOnnx());
}

/// Returns, for each of a region's `inputs` inputs, the value that the node passes to it. It is nothing for an input
/// that counts iterations, and where a constant is passed. Returns an empty list if it is not known how the operator
/// passes values.
std::vector<std::optional<ir::ValueId>> passedTo(const ir::NodeRef &node, std::size_t inputs)
{
    const bool isLoop = ops::kindOf(node) == ops::kind::loop;
    std::vector<std::optional<ir::ValueId>> all;
    const auto add = [&](const ir::Operand &operand) {
        const auto *value = operand.as<ir::ValueId>();
        all.push_back(value ? std::optional(*value) : std::nullopt);
    };
    for (const ir::Argument &argument : node->arguments) {
        const auto *list = argument.value.as<ir::List>();
        if (node.isOnnx() && argument.name != ir::NameId{})
            continue; // an attribute, which is passed to no region
        if (list && !isLoop)
            std::ranges::for_each(list->items, add);
        else
            add(argument.value);
    }
    if (!passesLast(node) || all.size() < inputs)
        return {};
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(inputs));
    if (isLoop && !all.empty())
        all.front().reset(); // the first input counts the iterations
    return all;
}

/// Returns the number of pills if those with equal texts in `folds` are merged where there are many.
std::size_t drawnOf(const std::vector<std::string> &folds)
{
    std::map<std::string_view, std::size_t> times;
    for (const std::string &fold : folds)
        ++times[fold];
    const auto drawn = [](std::size_t count) { return count < manyPills ? count : 1; };
    return std::ranges::fold_left(times | std::views::values | std::views::transform(drawn), 0uz, std::plus());
}

class SceneMaker {
public:
    SceneMaker(const ir::Model &model, const ir::Function &function, const Outline &outline, const Expansion &expansion,
               const Knowledge &knowledge, const Remainder *remainder)
        : m_model(model),
          m_function(function),
          m_graph(function.graph),
          m_outline(outline),
          m_expansion(expansion),
          m_knowledge(knowledge),
          m_reads(model, function.graph),
          m_remainder(remainder)
    {
    }

    Scene make(const std::stop_token &stop)
    {
        makeBoxes();
        m_index.resize(m_scene.planes.size());
        for (std::uint32_t i = 0; i < m_graph.valueCount() && !stop.stop_requested(); ++i)
            connect(ir::ValueId{i});
        for (ScenePlane &plane : m_scene.planes)
            shortenFarLinks(plane);
        if (m_stubs > 0)
            m_scene.notes.push_back(quantity(m_stubs, "long edge")
                                    + (m_stubs == 1 ? " shown as a stub" : " shown as stubs"));
        return std::move(m_scene);
    }

private:
    /// A box that reads a value. With a bridge, the value reaches it through hidden nodes.
    struct Reader {
        std::uint32_t box = 0;
        bool isBridge = false;
        auto operator<=>(const Reader &) const = default;
    };

    void makeBoxes();
    std::uint32_t addBox(Box box, std::uint32_t plane);
    void openPlane(std::optional<std::uint32_t> box);
    void addFolded(std::vector<Box> pills, const std::vector<std::string> &folds, std::uint32_t plane,
                   const auto &place);
    std::vector<std::string> likenesses(const std::vector<Box> &pills) const;
    std::vector<std::string> foldsOfOutputs(const std::vector<Box> &pills) const;
    std::vector<bool> ownResults(const std::vector<Box> &pills) const;
    std::string makerOf(const ir::Operand &output) const;
    std::vector<ir::ValueId> inOrder(ir::RegionId region) const;
    void addPills(ir::RegionId region, std::uint32_t plane);
    bool isOpen(const Part &part) const;
    bool isBound(ir::ValueId value) const;

    /// A value on its way from plane to plane, and what its link shows.
    struct Flow {
        ir::ValueId value;
        bool isBridge = false;
    };

    void connect(ir::ValueId value);
    std::vector<Read> readsOf(ir::ValueId value) const;
    void addReaders(ir::ValueId value, ir::NodeId node, bool isBridge, std::vector<Reader> &readers) const;
    void addPills(ir::ValueId value, ir::RegionId region, bool isBridge, std::vector<Reader> &readers) const;
    std::uint32_t source(ir::ValueId value) const;
    void connectBoxes(Flow flow, std::uint32_t from, std::uint32_t to);
    void link(std::uint32_t plane, End from, End to, Flow flow);
    bool isSize(ir::ValueId value) const;
    End leave(std::uint32_t plane, End from, Flow flow);
    End enter(std::uint32_t box, End from, Flow flow);
    std::vector<bool> leadingBack(const ScenePlane &plane) const;
    void shortenFarLinks(ScenePlane &plane);
    std::string sourceName(const SceneLink &link) const;

    const ir::Model &m_model;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    const Outline &m_outline;
    const Expansion &m_expansion;
    const Knowledge &m_knowledge;
    const analysis::ParameterReads m_reads;
    const Remainder *m_remainder;

    Scene m_scene;
    std::vector<PlaneIndex> m_index;
    std::vector<std::uint32_t> m_boxOfPart;
    std::vector<std::uint32_t> m_planeOfBox;
    std::vector<std::uint32_t> m_vertexOfBox;
    std::unordered_map<std::uint32_t, std::uint32_t> m_partOfRegion;
    std::unordered_map<std::uint32_t, std::uint32_t> m_inputPills;                  ///< by value
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_outputPills; ///< by region and index
    std::size_t m_stubs = 0;
};

bool SceneMaker::isOpen(const Part &part) const
{
    if (!part.canOpen())
        return false;
    if (std::holds_alternative<ir::RegionId>(part.subject))
        return true; // a branch is open if its node is
    if (m_expansion.flat && !m_expansion.everything)
        return m_expansion.open.contains(part.subject);
    return m_expansion.isOpen(part.subject);
}

/// Whether an input of the body is a parameter, buffer or the like, which has no box.
bool SceneMaker::isBound(ir::ValueId value) const
{
    const auto isThis = [&](const ir::FunctionInput &input) {
        const auto *own = input.value.as<ir::ValueId>();
        return own && *own == value;
    };
    const auto input = std::ranges::find_if(m_function.inputs, isThis);
    using Kind = ir::FunctionInput::Kind;
    return input != m_function.inputs.end() && input->kind != Kind::User && input->kind != Kind::CustomObject;
}

std::uint32_t SceneMaker::addBox(Box box, std::uint32_t plane)
{
    const auto index = static_cast<std::uint32_t>(m_scene.boxes.size());
    ScenePlane &around = m_scene.planes[plane];
    box.depth = static_cast<int>(around.level);
    box.parent = around.box;
    m_vertexOfBox.push_back(static_cast<std::uint32_t>(around.vertices.size()));
    m_planeOfBox.push_back(plane);
    around.vertices.push_back({.box = index});
    m_scene.boxes.push_back(std::move(box));
    m_scene.planeIn.emplace_back();
    return index;
}

void SceneMaker::openPlane(std::optional<std::uint32_t> box)
{
    const auto plane = static_cast<std::uint32_t>(m_scene.planes.size());
    m_scene.planes.push_back({.box = box});
    if (box) {
        m_scene.planes[plane].level = m_scene.planes[m_planeOfBox[*box]].level + 1;
        m_scene.planeIn[*box] = plane;
    }
}

/// Adds a pill for each of `pills`, but a single one for many whose texts in `folds` are equal.
void SceneMaker::addFolded(std::vector<Box> pills, const std::vector<std::string> &folds, std::uint32_t plane,
                           const auto &place)
{
    std::map<std::string_view, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < pills.size(); ++i)
        alike[folds[i]].push_back(i);
    for (std::size_t i = 0; i < pills.size(); ++i) {
        const std::vector<std::size_t> &all = alike[folds[i]];
        if (all.size() < manyPills) {
            place(i, addBox(std::move(pills[i]), plane));
        } else if (all.front() == i) {
            std::vector<std::vector<Line>> lines;
            for (const std::size_t k : all)
                lines.push_back(pills[k].lines);
            pills[i].lines = describeMany(lines);
            for (const std::size_t k : all | std::views::drop(1))
                pills[i].others.push_back(pills[k].subject);
            const std::uint32_t box = addBox(std::move(pills[i]), plane);
            for (const std::size_t k : all)
                place(k, box);
        }
    }
}

/// Returns a text for each pill, equal for those that look alike: keys and values of earlier tokens come in dozens.
std::vector<std::string> SceneMaker::likenesses(const std::vector<Box> &pills) const
{
    std::vector<std::string> all;
    for (const Box &pill : pills) {
        const std::string text = m_expansion.flat ? "" : likenessOf(pill.lines);
        all.push_back(text.empty() ? std::to_string(all.size()) : text);
    }
    return all;
}

/// Returns a text for each output; outputs with equal texts are merged where there are many. The texts are equal for
/// outputs of one part, as a training step's forward returns everything that its backward reads, or for those that look
/// alike if that leaves fewer. The model's own results are not merged unless there are many of these alone.
std::vector<std::string> SceneMaker::foldsOfOutputs(const std::vector<Box> &pills) const
{
    std::vector<std::string> alike = likenesses(pills), ofOneMaker;
    if (m_expansion.flat)
        return alike;
    for (const Box &pill : pills) {
        const auto &output = std::get<OutputSubject>(pill.subject);
        ofOneMaker.push_back(makerOf(m_graph.at(output.region).outputs[output.index]));
    }
    const std::vector<bool> own = ownResults(pills);
    const auto owned = static_cast<std::size_t>(std::ranges::count(own, true));
    const bool areOthers = owned < own.size() && owned <= manyOutputs;
    for (std::size_t i = 0; i < pills.size(); ++i) {
        if (areOthers && own[i])
            alike[i] = formatted("result {}", i);
        if (areOthers ? own[i] : i == 0)
            ofOneMaker[i] = formatted("result {}", i);
    }
    const std::size_t drawn = drawnOf(alike);
    return drawn > manyOutputs && drawnOf(ofOneMaker) < drawn ? ofOneMaker : alike;
}

/// Returns for each output whether it is a result of the model; other outputs have a target, such as a buffer that they
/// update.
std::vector<bool> SceneMaker::ownResults(const std::vector<Box> &pills) const
{
    const bool isSigned = m_function.outputs.size() == m_graph.at(ir::Graph::body).outputs.size();
    std::vector<bool> own;
    for (const Box &pill : pills) {
        const std::uint32_t index = std::get<OutputSubject>(pill.subject).index;
        own.push_back(!isSigned || m_function.outputs[index].target == ir::NameId{});
    }
    return own;
}

/// Returns a text for the part of the outermost plane that makes an output, or for all inputs that are returned.
std::string SceneMaker::makerOf(const ir::Operand &output) const
{
    const auto value = ir::valueOf(m_graph, &output);
    const auto *made = value ? std::get_if<ir::NodeResult>(&(*value)->definition) : nullptr;
    if (!made)
        return value ? "an input" : "nothing";
    std::uint32_t part = m_outline.partOfNode[made->node.index];
    while (m_outline.parts[part].parent != 0)
        part = m_outline.parts[part].parent;
    return std::to_string(part);
}

/// Returns the inputs of a region in the order of drawing. For the function that is the order of its signature, since
/// in the graph of a later state new inputs stand behind those that it keeps. Inputs of other states are the last.
std::vector<ir::ValueId> SceneMaker::inOrder(ir::RegionId region) const
{
    std::vector<ir::ValueId> inputs = m_graph.at(region).inputs;
    if (region != ir::Graph::body)
        return inputs;
    std::unordered_map<ir::ValueId, std::size_t> places;
    for (const ir::FunctionInput &input : m_function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>())
            places.emplace(*value, places.size());
    std::ranges::stable_sort(inputs, {}, [&](ir::ValueId input) {
        const auto found = places.find(input);
        return found == places.end() ? places.size() : found->second;
    });
    return inputs;
}

void SceneMaker::addPills(ir::RegionId region, std::uint32_t plane)
{
    const ir::Region &r = m_graph.at(region);
    std::vector<Box> pills;
    std::vector<ir::ValueId> inputs;
    for (const ir::ValueId value : inOrder(region))
        if (region != ir::Graph::body || !isBound(value)) {
            inputs.push_back(value);
            pills.push_back({.kind = Box::Kind::Input,
                             .subject = InputSubject{value},
                             .lines = describeInput({m_graph, value}, m_knowledge)});
        }
    addFolded(pills, likenesses(pills), plane,
              [&](std::size_t i, std::uint32_t box) { m_inputPills[inputs[i].index] = box; });
    pills.clear();
    const bool isSigned = region == ir::Graph::body && m_function.outputs.size() == r.outputs.size();
    using Kind = ir::FunctionOutput::Kind;
    std::vector<std::uint32_t> outputs;
    for (std::uint32_t i = 0; i < r.outputs.size(); ++i) {
        const Kind kind = isSigned ? m_function.outputs[i].kind : Kind::User;
        if (kind == Kind::User || kind == Kind::Loss || kind == Kind::UserInputMutation) {
            outputs.push_back(i);
            pills.push_back({.kind = Box::Kind::Output,
                             .subject = OutputSubject{i, region},
                             .lines = describeOutput(m_function, region, i, m_knowledge)});
        }
    }
    addFolded(pills, region == ir::Graph::body ? foldsOfOutputs(pills) : likenesses(pills), plane,
              [&](std::size_t i, std::uint32_t box) { m_outputPills[{region.index, outputs[i]}] = box; });
}

void SceneMaker::makeBoxes()
{
    const std::vector<Part> &parts = m_outline.parts;
    m_boxOfPart.assign(parts.size(), none);
    openPlane(std::nullopt);
    addPills(ir::Graph::body, 0);
    for (std::uint32_t i = 0; i < parts.size(); ++i)
        if (const auto *region = std::get_if<ir::RegionId>(&parts[i].subject))
            m_partOfRegion[region->index] = i;
    for (std::uint32_t i = 1; i < parts.size();) {
        const Part &part = parts[i];
        if (m_remainder && !m_remainder->hasPart[i]) {
            i = part.end;
            continue;
        }
        Box box{.subject = part.subject,
                .lines = describePart(m_model, m_function, m_outline, i, m_reads, m_knowledge)};
        box.lines.shrink_to_fit(); // saves the memory, since there are many boxes
        const auto *node = std::get_if<ir::NodeId>(&part.subject);
        const auto *region = std::get_if<ir::RegionId>(&part.subject);
        box.kind = node ? Box::Kind::Node : region ? Box::Kind::Region : Box::Kind::Module;
        if (node)
            box.category = ops::categoryOf({m_graph, *node});
        box.canOpen = part.canOpen() && !region;
        box.open = isOpen(part) || region;
        const std::uint32_t around = part.parent == 0 ? 0 : *m_scene.planeIn[m_boxOfPart[part.parent]];
        const bool open = box.open;
        const std::uint32_t index = addBox(std::move(box), around);
        m_boxOfPart[i] = index;
        if (!open) {
            std::fill(m_boxOfPart.begin() + i, m_boxOfPart.begin() + part.end, index);
            i = part.end;
            continue;
        }
        openPlane(index);
        if (region)
            addPills(*region, *m_scene.planeIn[index]);
        ++i;
    }
}

/// Returns the visible box that computes a value; none for weights.
std::uint32_t SceneMaker::source(ir::ValueId value) const
{
    const ir::Definition &definition = m_graph.at(value).definition;
    if (const auto *made = std::get_if<ir::NodeResult>(&definition))
        return m_graph.at(made->node).removed ? none : m_boxOfPart[m_outline.partOfNode[made->node.index]];
    const auto *input = std::get_if<ir::RegionInput>(&definition);
    if (!input)
        return none;
    if (const auto pill = m_inputPills.find(value.index); pill != m_inputPills.end())
        return pill->second;
    const auto part = m_partOfRegion.find(input->region.index);
    return part == m_partOfRegion.end() ? none : m_boxOfPart[part->second];
}

/// Adds the box of a node that reads the value or, if the box is open and the node passes the value to its regions, the
/// pills of the regions' inputs.
void SceneMaker::addReaders(ir::ValueId value, ir::NodeId id, bool isBridge, std::vector<Reader> &readers) const
{
    const std::uint32_t box = m_boxOfPart[m_outline.partOfNode[id.index]];
    const ir::NodeRef node(m_graph, id);
    const bool isOpen = box != none && m_scene.boxes[box].open && m_scene.boxes[box].kind == Box::Kind::Node;
    bool isPassed = false;
    for (std::size_t r = 0; isOpen && r < node->regions.size(); ++r) {
        const std::vector<ir::ValueId> &inputs = node.region(r).inputs;
        const std::vector<std::optional<ir::ValueId>> passed = passedTo(node, inputs.size());
        for (std::size_t i = 0; i < passed.size(); ++i)
            if (const auto pill = m_inputPills.find(inputs[i].index);
                passed[i] == value && pill != m_inputPills.end()) {
                readers.push_back({pill->second, isBridge});
                isPassed = true;
            }
    }
    if (!isPassed)
        readers.push_back({box, isBridge});
}

/// Adds the closed box around the region (an open one is skipped in connectBoxes()), and the pills of its results.
void SceneMaker::addPills(ir::ValueId value, ir::RegionId region, bool isBridge, std::vector<Reader> &readers) const
{
    const auto part = m_partOfRegion.find(region.index);
    if (part == m_partOfRegion.end())
        return;
    readers.push_back({m_boxOfPart[part->second], isBridge});
    const std::vector<ir::Operand> &outputs = m_graph.at(region).outputs;
    for (auto pill = m_outputPills.lower_bound({region.index, 0});
         pill != m_outputPills.end() && pill->first.first == region.index; ++pill) {
        bool reads = false;
        forEachValue(outputs[pill->first.second], [&](ir::ValueId v) { reads = reads || v == value; });
        if (reads)
            readers.push_back({pill->second, isBridge});
    }
}

std::vector<Read> SceneMaker::readsOf(ir::ValueId value) const
{
    if (m_remainder)
        return m_remainder->reads[value.index];
    std::vector<Read> reads;
    for (const ir::Use &use : m_graph.at(value).uses)
        reads.push_back({use, value});
    return reads;
}

void SceneMaker::connect(ir::ValueId value)
{
    const std::uint32_t from = source(value);
    if (from == none)
        return;
    std::vector<Reader> readers;
    for (const Read &read : readsOf(value)) {
        const bool isBridge = read.as != value;
        if (const auto *node = std::get_if<ir::NodeId>(&read.by))
            addReaders(read.as, *node, isBridge, readers);
        else
            addPills(read.as, std::get<ir::RegionId>(read.by), isBridge, readers);
    }
    std::ranges::sort(readers);
    readers.erase(std::ranges::unique(readers, {}, &Reader::box).begin(), readers.end());
    for (const Reader &reader : readers)
        if (reader.box != none && reader.box != from)
            connectBoxes({value, reader.isBridge}, from, reader.box);
}

void SceneMaker::connectBoxes(Flow flow, std::uint32_t from, std::uint32_t to)
{
    // The outputs of an open region are read by their pills, not by its box.
    if (m_scene.boxes[to].kind == Box::Kind::Region)
        return;
    std::vector<std::uint32_t> around; // boxes around the reader, innermost first
    for (std::optional<std::uint32_t> box = m_scene.boxes[to].parent; box; box = m_scene.boxes[*box].parent)
        around.push_back(*box);
    End end{m_vertexOfBox[from]};
    std::uint32_t plane = m_planeOfBox[from];
    while (m_scene.planes[plane].box && !std::ranges::contains(around, *m_scene.planes[plane].box)) {
        const std::uint32_t box = *m_scene.planes[plane].box;
        end = leave(plane, end, flow);
        plane = m_planeOfBox[box];
    }
    const auto common =
        m_scene.planes[plane].box ? std::ranges::find(around, *m_scene.planes[plane].box) : around.end();
    for (auto box = std::make_reverse_iterator(common); box != around.rend(); ++box) {
        end = enter(*box, end, flow);
        plane = *m_scene.planeIn[*box];
    }
    link(plane, end, End{m_vertexOfBox[to]}, flow);
}

void SceneMaker::link(std::uint32_t plane, End from, End to, Flow flow)
{
    std::vector<SceneLink> &links = m_scene.planes[plane].links;
    const auto [known, isNew] = m_index[plane].links.try_emplace({from, to}, static_cast<std::uint32_t>(links.size()));
    if (isNew) {
        const auto port = [](std::uint32_t p) { return p == none ? std::nullopt : std::optional(p); };
        links.push_back({.from = from.vertex, .to = to.vertex, .fromPort = port(from.port), .toPort = port(to.port)});
    }
    SceneLink &made = links[known->second];
    if (made.values.empty() || made.values.back() != flow.value)
        made.values.push_back(flow.value);
    made.isQuiet = made.isQuiet && isSize(flow.value);
    made.isBridge = made.isBridge && flow.isBridge;
}

/// Whether a value is a number, or a tensor of sizes that plumbing makes, as ONNX has only tensors for sizes.
bool SceneMaker::isSize(ir::ValueId value) const
{
    const ir::ValueRef v(m_graph, value);
    if (structure::isPlain(m_graph.context(), v->type))
        return true;
    const ir::TensorType *tensor = v.tensorType();
    const auto maker = v.producer();
    const bool isList = tensor && tensor->dtype == ir::DType::Int64 && (!tensor->shape || tensor->shape->size() < 2);
    return isList && maker
        && layout::isPlumbing(m_outline.parts[m_outline.parts[m_outline.partOfNode[maker->id().index]].parent]);
}

/// Routes a value out of a plane; returns the end outside.
End SceneMaker::leave(std::uint32_t plane, End from, Flow flow)
{
    ScenePlane &p = m_scene.planes[plane];
    const auto [known, isNew] = m_index[plane].exits.try_emplace(from, static_cast<std::uint32_t>(p.vertices.size()));
    if (isNew)
        p.vertices.push_back({.kind = SceneVertex::Kind::Exit, .box = *p.box, .port = p.exits++});
    link(plane, from, End{known->second}, flow);
    return {m_vertexOfBox[*p.box], p.vertices[known->second].port};
}

/// Routes a value into an open box; returns the end inside.
End SceneMaker::enter(std::uint32_t box, End from, Flow flow)
{
    ScenePlane &p = m_scene.planes[*m_scene.planeIn[box]];
    const auto [known, isNew] =
        m_index[*m_scene.planeIn[box]].entries.try_emplace(from, static_cast<std::uint32_t>(p.vertices.size()));
    if (isNew)
        p.vertices.push_back({.kind = SceneVertex::Kind::Entry, .box = box, .port = p.entries++});
    link(m_planeOfBox[box], from, {m_vertexOfBox[box], p.vertices[known->second].port}, flow);
    return {known->second};
}

/// Returns the name of the source for a stub: that of the box or input that the value comes from.
std::string SceneMaker::sourceName(const SceneLink &link) const
{
    const std::uint32_t box = source(link.values.front());
    if (box != none && std::holds_alternative<PlumbingSubject>(m_scene.boxes[box].subject))
        return "plumbing";
    return box == none || m_scene.boxes[box].lines.empty() ? "?" : m_scene.boxes[box].lines.front().text;
}

/// Returns by link whether it leads back into plumbing from nodes that the plumbing prepares values for. A box of
/// plumbing is read by early and late nodes, and reads the sizes of their results. Drawn as lines, links back would
/// turn the picture upside down.
std::vector<bool> SceneMaker::leadingBack(const ScenePlane &plane) const
{
    std::vector<bool> leads(plane.links.size(), false);
    std::vector<std::vector<std::uint32_t>> next(plane.vertices.size());
    for (const SceneLink &link : plane.links)
        next[link.from].push_back(link.to);
    for (std::uint32_t i = 0; i < plane.vertices.size(); ++i) {
        const SceneVertex &vertex = plane.vertices[i];
        if (vertex.kind != SceneVertex::Kind::Box
            || !std::holds_alternative<PlumbingSubject>(m_scene.boxes[vertex.box].subject))
            continue;
        std::vector<bool> isBehind(plane.vertices.size(), false);
        std::vector<std::uint32_t> pending{i};
        while (!pending.empty()) {
            const std::uint32_t from = pending.back();
            pending.pop_back();
            for (const std::uint32_t to : next[from])
                if (!isBehind[to]) {
                    isBehind[to] = true;
                    pending.push_back(to);
                }
        }
        for (std::size_t k = 0; k < plane.links.size(); ++k)
            leads[k] = leads[k] || (plane.links[k].to == i && isBehind[plane.links[k].from]);
    }
    return leads;
}

PlaneVertex::Rank rankOf(const SceneVertex &vertex)
{
    if (vertex.kind == SceneVertex::Kind::Entry)
        return PlaneVertex::Rank::First;
    return vertex.kind == SceneVertex::Kind::Exit ? PlaneVertex::Rank::Last : PlaneVertex::Rank::Free;
}

/// Turns long links into stubs, where all sources of a reader share one: layered layouts become slow by long edges
/// rather than by many nodes.
void SceneMaker::shortenFarLinks(ScenePlane &plane)
{
    Plane graph;
    for (const SceneVertex &vertex : plane.vertices)
        graph.vertices.push_back({.rank = rankOf(vertex)});
    const std::vector<bool> leadsBack = leadingBack(plane);
    std::vector<std::size_t> readers(plane.vertices.size(), 0);
    for (std::size_t i = 0; i < plane.links.size(); ++i) {
        const SceneLink &link = plane.links[i];
        if (!leadsBack[i])
            graph.edges.push_back({link.from, link.to});
        ++readers[link.from];
    }
    const std::vector<std::uint32_t> rows = rowsOf(graph);
    std::map<End, std::vector<SceneLink *>,
             decltype([](End a, End b) { return std::pair(a.vertex, a.port) < std::pair(b.vertex, b.port); })>
        far;
    const auto span = [&](const SceneLink &link) {
        return std::max(rows[link.from], rows[link.to]) - std::min(rows[link.from], rows[link.to]);
    };
    std::vector<bool> isMuchRead(plane.vertices.size(), false); // sources of many readers far away
    for (const SceneLink &link : plane.links)
        if (readers[link.from] > manyReaders && span(link) > manyReadersRows)
            isMuchRead[link.from] = true;
    for (std::size_t i = 0; i < plane.links.size(); ++i) {
        SceneLink &link = plane.links[i];
        // Readers of one source look alike: all but those in the next row have a stub.
        if (leadsBack[i] || span(link) > farRows || (isMuchRead[link.from] && span(link) > 1))
            far[{link.to, link.toPort.value_or(none)}].push_back(&link);
    }
    for (const auto &[end, links] : far) {
        for (SceneLink *link : links)
            link->stub = static_cast<std::uint32_t>(plane.stubs.size());
        plane.stubs.push_back({sourceName(*links.front()), links.size()});
        m_stubs += links.size();
    }
}

} // namespace

Scene makeScene(const ir::Model &model, const ir::Function &function, const Outline &outline,
                const Expansion &expansion, const Knowledge &knowledge, const Remainder *remainder,
                std::stop_token stop)
{
    return SceneMaker(model, function, outline, expansion, knowledge, remainder).make(stop);
}

} // namespace cutaway::layout
