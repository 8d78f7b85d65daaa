// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/calls.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/fx/lowering/forward.h"
#include "core/formats/fx/lowering/library.h"
#include "core/formats/limits.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace cutaway::formats::fx {

namespace {

/// The limit of work. Tuples that hold tuples copy them, so that a few bytes of code could ask for any amount of
/// work. Known models need less than a hundredth of it.
constexpr std::size_t maxSteps = 20'000'000;
/// The limit of nested calls, expressions and modules, each of which takes a few frames of the stack.
constexpr int maxDepth = 600;

/// Methods that Python's containers have: a call of such a method on a value of unknown type is not taken for a call of
/// a tensor's method.
constexpr std::array<std::string_view, 13> containerMethods{
    "keys", "values", "items", "append", "get", "pop", "copy", "update", "extend", "insert", "clear", "index", "count"};

/// Modules of torch whose functions are ATen's, and the prefix that these functions' names have in ATen.
constexpr std::pair<std::string_view, std::string_view> atenModules[] = {
    {"torch._C._nn.", ""},          {"torch._C._linalg.", ""},    {"torch._C._fft.", ""},
    {"torch._C._special.", ""},     {"torch.linalg.", "linalg_"}, {"torch.fft.", "fft_"},
    {"torch.special.", "special_"}, {"torch._VF.", ""},           {"torch.", ""},
};

constexpr std::array<std::string_view, 3> tensorClasses{"torch.Tensor.", "torch._C.TensorBase.",
                                                        "torch._C._TensorBase."};

/// Classes of modules that call their children one after the other.
constexpr std::array<std::string_view, 2> sequenceClasses{"torch.nn.modules.container.Sequential",
                                                          "torch.ao.nn.intrinsic.modules.fused._FusedModule"};

/// Returns the index of a device from the text after "cuda:"; 0 for other texts.
int deviceIndex(std::string_view text)
{
    int index = 0;
    std::from_chars(text.data(), text.data() + std::min<std::size_t>(text.size(), 4), index);
    return index;
}

bool isSequence(std::string_view className)
{
    return std::ranges::contains(sequenceClasses, className)
        || className.starts_with("torch.ao.nn.intrinsic.modules.fused.")
        || className.starts_with("torch.nn.intrinsic.modules.fused.");
}

GivenArguments withSelf(const Term &self, const GivenArguments &given)
{
    GivenArguments all{{self}, given.named};
    all.positional.insert(all.positional.end(), given.positional.begin(), given.positional.end());
    return all;
}

/// Makes the scope of a module call the current one during its lifetime.
class Entered {
public:
    Entered(GraphBuilder &builder, std::string_view path) : m_builder(builder) { builder.enter(path); }
    ~Entered() { m_builder.leave(); }
    Entered(const Entered &) = delete;
    Entered &operator=(const Entered &) = delete;

private:
    GraphBuilder &m_builder;
};

} // namespace

void GraphLowering::count(std::size_t steps)
{
    m_steps += steps;
    if (m_steps > maxSteps)
        unusable("the code asks for more work than any known model: its tuples or modules multiply");
}

void GraphLowering::count(const Extent &extent)
{
    if (extent.depth > static_cast<std::size_t>(limits::maxNesting))
        unusable(formatted("tuples, lists or dicts are nested deeper than {}", limits::maxNesting));
    count(extent.size);
}

GraphLowering::Level::Level(GraphLowering &graph) : m_depth(graph.depth)
{
    if (graph.depth >= maxDepth)
        unusable(formatted("calls and expressions are nested deeper than {}", maxDepth));
    ++m_depth;
}

std::optional<std::int64_t> integerOf(const Term &term)
{
    const auto *typed = term.as<Typed>();
    const auto *number = typed ? typed->operand.as<std::int64_t>() : nullptr;
    return number ? std::optional(*number) : std::nullopt;
}

std::optional<std::string_view> textOf(const ir::Context &context, const Term &term)
{
    const auto *typed = term.as<Typed>();
    const auto *text = typed ? typed->operand.as<ir::String>() : nullptr;
    return text ? std::optional(context.text(text->text)) : std::nullopt;
}

bool isNone(const Term &term)
{
    const auto *typed = term.as<Typed>();
    return typed && typed->operand.as<ir::None>();
}

bool isConstant(const Term &term)
{
    const auto *typed = term.as<Typed>();
    return !typed || !typed->operand.as<ir::ValueId>();
}

bool Calls::isTensor(const Term &term) const
{
    const auto *typed = term.as<Typed>();
    return typed && m_graph.types.isTensor(typed->type);
}

bool Calls::isUnknown(const Term &term) const
{
    const auto *typed = term.as<Typed>();
    return typed && typed->type == ir::TypeId{};
}

Term Calls::items(std::vector<Term> items, bool isTuple)
{
    const Extent extent = extentAround(items);
    m_graph.count(extent);
    return {ItemsTerm{std::move(items), isTuple, {}, extent}};
}

Term Calls::slice(std::vector<Term> parts)
{
    const Extent extent = extentAround(parts);
    m_graph.count(extent);
    return {SliceTerm{std::move(parts), extent}};
}

Term Calls::function(std::string_view name, const GivenArguments &given)
{
    const GraphLowering::Level level(m_graph);
    if (const auto known = libraryFunction(name))
        return runLibrary(m_graph, *known, given);
    if (name.starts_with("torch.ops."))
        return torchOperator(name.substr(10), given);
    if (name == "torch.device")
        return device(given);
    if (name.starts_with("operator.") || name.starts_with("_operator."))
        return pythonOperator(name.substr(name.find('.') + 1), given);
    for (const std::string_view start : tensorClasses)
        if (name.starts_with(start) && !given.positional.empty())
            return method(given.positional.front(), name.substr(start.size()),
                          {{given.positional.begin() + 1, given.positional.end()}, given.named});
    for (const auto &[start, prefix] : atenModules) {
        const std::string op = name.starts_with(start) ? std::string(prefix).append(name.substr(start.size())) : "";
        if (!op.empty() && !op.contains('.') && m_operators.isDefined("aten", op))
            return m_operators.call("aten", op, given);
    }
    return pythonFunction(name, given);
}

/// Lowers a call of an operator by its name in torch.ops, "aten.add.Tensor". If the name has no overload, which
/// torch.ops accepts, the overload follows from the arguments.
Term Calls::torchOperator(std::string_view name, const GivenArguments &given)
{
    const std::size_t dot = name.find('.');
    const std::string_view dialect = name.substr(0, dot);
    std::string_view op = dot == name.npos ? "" : name.substr(dot + 1);
    const std::size_t second = op.find('.');
    const std::string_view overload = second == op.npos ? "" : op.substr(second + 1);
    op = op.substr(0, second);
    if (!m_operators.isDefined(dialect, op))
        throw NotKnown("the operator " + sanitized(name) + " is none of torch");
    if (overload.empty())
        return m_operators.call(dialect, op, given);
    return m_operators.callOverload(dialect, op, overload == "default" ? "" : overload, given);
}

Term Calls::device(const GivenArguments &given)
{
    ir::Device device;
    std::vector<Term> parts = given.positional;
    for (const auto &[keyword, term] : given.named)
        parts.push_back(term);
    const auto kind = parts.empty() ? std::nullopt : textOf(m_graph.context(), parts.front());
    if (!kind || parts.size() > 2)
        throw NotKnown("a device is given by no text");
    const std::size_t colon = kind->find(':');
    device.kind = m_graph.context().name(kind->substr(0, colon));
    const auto index = parts.size() > 1 ? integerOf(parts[1]) : std::nullopt;
    if (index)
        device.index = static_cast<int>(std::clamp<std::int64_t>(*index, 0, 1000));
    else if (colon != kind->npos)
        device.index = deviceIndex(kind->substr(colon + 1));
    return {Typed{device, m_graph.types.plain(ir::PlainType::Kind::Device)}};
}

Term Calls::pythonFunction(std::string_view name, const GivenArguments &given)
{
    const std::vector<Term> &terms = given.positional;
    const std::size_t count = given.named.empty() ? terms.size() : 0;
    if (name == "slice" && count == 3)
        return slice(terms);
    const auto attributeName = name == "getattr" && count == 2 ? textOf(m_graph.context(), terms[1]) : std::nullopt;
    if (attributeName)
        return attribute(terms[0], *attributeName);
    if (auto value = count == 1 ? pythonFunction(name, terms[0]) : std::nullopt)
        return std::move(*value);
    throw NotKnown("what '" + sanitized(name) + "' computes is not in the file");
}

std::optional<Term> Calls::pythonFunction(std::string_view name, const Term &operand)
{
    if (name == "len") {
        const auto *list = operand.as<ItemsTerm>();
        return list ? constant(static_cast<std::int64_t>(list->items.size())) : atenCall("len", {operand});
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto text = name == "float" ? textOf(m_graph.context(), operand) : std::nullopt;
    if (text == "inf" || text == "-inf")
        return constant(text == "inf" ? infinity : -infinity);
    constexpr std::pair<std::string_view, std::string_view> numbers[] = {
        {"int", "Int"},          {"float", "Float"},    {"bool", "Bool"},    {"math.sqrt", "sqrt"},
        {"math.floor", "floor"}, {"math.ceil", "ceil"}, {"math.log", "log"}, {"math.exp", "exp"},
    };
    for (const auto &[python, aten] : numbers)
        if (name == python && !isConstant(operand))
            return atenCall(aten, {operand});
    return std::nullopt;
}

Term Calls::method(const Term &object, std::string_view name, const GivenArguments &given)
{
    const GraphLowering::Level level(m_graph);
    if (const auto *module = object.as<ModuleTerm>()) {
        if (name == "forward")
            return this->module(*module, given);
        if (name == "__getattr__" && given.positional.size() == 1)
            if (const auto text = textOf(m_graph.context(), given.positional[0]))
                return attribute(object, *text);
        throw NotKnown("the code of a module's method '" + sanitized(name) + "' is not in the file");
    }
    if (!isTensor(object) && !(isUnknown(object) && !std::ranges::contains(containerMethods, name)))
        throw NotKnown("the method '" + sanitized(name) + "' is called of what is no tensor");
    if (const auto known = libraryFunction("torch.Tensor." + std::string(name)))
        return runLibrary(m_graph, *known, withSelf(object, given));
    if (!m_operators.isDefined("aten", name))
        throw NotKnown("'" + sanitized(name) + "' is no method of a tensor that is known");
    return m_operators.call("aten", name, withSelf(object, given));
}

Term Calls::module(const ModuleTerm &module, const GivenArguments &given)
{
    const GraphLowering::Level level(m_graph);
    const Entered box(m_graph.builder, module.path);
    return moduleOf(module, given);
}

Term Calls::moduleOf(const ModuleTerm &module, const GivenArguments &given)
{
    const SavedModule &saved = m_graph.saved.at(module.saved);
    if (saved.code) {
        if (std::ranges::contains(m_graph.open, module.saved))
            throw NotKnown("the module calls itself");
        return lowerNested(m_graph, module, given);
    }
    if (const auto known = libraryFunction(saved.className))
        return runLibrary(m_graph, *known, withSelf({module}, given));
    if (isSequence(saved.className))
        return sequence(module, given);
    throw NotKnown("the code of the class " + sanitized(saved.className) + " is not in the file");
}

Term Calls::sequence(const ModuleTerm &module, const GivenArguments &given)
{
    if (given.positional.size() != 1 || !given.named.empty())
        throw NotKnown("a sequence of modules is given other than one value");
    if (std::ranges::contains(m_graph.open, module.saved))
        throw NotKnown("the module calls itself");
    const GraphLowering::Open open(m_graph, module.saved);
    Term value = given.positional.front();
    for (const auto &[name, child] : m_graph.saved.at(module.saved).children) {
        m_graph.count(1);
        const std::string path = module.path + (module.path.empty() ? "" : ".") + std::string(name);
        value = this->module({child, path}, {{std::move(value)}, {}});
    }
    return value;
}

Term Calls::attribute(const Term &object, std::string_view name)
{
    if (const auto *global = object.as<GlobalTerm>())
        return {GlobalTerm{global->name + "." + std::string(name)}};
    if (const auto *module = object.as<ModuleTerm>())
        return attributeOf(*module, name);
    if (const auto *items = object.as<ItemsTerm>()) {
        const auto field = std::ranges::find(items->fields, name);
        if (field != items->fields.end() && !name.empty())
            return items->items[static_cast<std::size_t>(field - items->fields.begin())];
    }
    if (isTensor(object) || isUnknown(object))
        if (const auto known = libraryFunction("torch.Tensor.attribute." + std::string(name)))
            return runLibrary(m_graph, *known, {{object}, {}});
    throw NotKnown("the attribute '" + sanitized(name) + "' is not known");
}

Term Calls::attributeOf(const ModuleTerm &module, std::string_view name)
{
    const auto &attributes = m_graph.saved.at(module.saved).attributes;
    const auto &unread = m_graph.saved.at(module.saved).unread;
    if (const auto known = unread.find(name); known != unread.end() && !known->second.empty())
        throw NotKnown("the code of the class " + known->second + " is not in the file");
    const auto found = attributes.find(name);
    if (found == attributes.end())
        throw NotKnown("the module has no attribute '" + sanitized(name) + "'");
    const std::string path = module.path + (module.path.empty() ? "" : ".") + std::string(name);
    if (const auto *child = std::get_if<SavedId>(&found->second))
        return {ModuleTerm{*child, path}};
    if (const auto *tensor = std::get_if<ir::TensorId>(&found->second))
        return {m_graph.builder.weight(*tensor)};
    const auto value = m_graph.saved.constant(std::get<archive::Pickle::ValueId>(found->second), path);
    if (!value)
        throw NotKnown("the attribute '" + sanitized(path) + "' is no value that is known");
    return constant(*value);
}

} // namespace cutaway::formats::fx
