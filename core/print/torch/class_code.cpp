// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/class_code.h"

#include "core/base/result.h"
#include "core/base/text.h"
#include "core/print/python_names.h"
#include "core/print/torch/dotted_path.h"
#include "core/print/torch/holes.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cutaway::print {

namespace {

/// The limit of parameters that are readable; modules that differ in more literals get classes of their own.
constexpr std::size_t maxParameters = 8;
/// The least number of equal consecutive modules that are printed as a loop.
constexpr std::size_t minRepeated = 3;

std::string indented(std::string line, int depth = 1)
{
    line.insert(0, 4 * static_cast<std::size_t>(depth), ' ');
    return line;
}

/// Returns a name in camel case: EncoderBlock for "encoder_block".
std::string camelCase(std::string_view name)
{
    std::string text;
    bool isStart = true;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)))
            text += isStart ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        isStart = !std::isalnum(static_cast<unsigned char>(c));
    }
    return text;
}

/// Adds the module and those below it to `byHeight`, if they have classes of their own. Returns the height: 0 for a
/// class that contains no other, -1 if there is no class.
int heightOf(const ModuleNode &module, std::map<int, std::vector<const ModuleNode *>> &byHeight)
{
    int height = -1;
    for (const auto &child : module.children)
        height = std::max(height, heightOf(*child, byHeight));
    if (module.form == ModuleNode::Form::Class)
        byHeight[++height].push_back(&module);
    return height;
}

/// Returns the name of the attribute that a line sets: "conv1" for "self.conv1 = nn.Conv2d(".
std::string attributeIn(std::string_view line)
{
    const std::size_t self = line.find("self.");
    const std::size_t end = line.find(" = ");
    return self == line.npos || end == line.npos || end < self ? ""
                                                               : std::string(line.substr(self + 5, end - self - 5));
}

} // namespace

struct ClassCode::Draft {
    const ModuleNode *module = nullptr;
    std::string className; ///< the name of the class in the file; "" if none is recorded
    Lines init;
    Lines forward;

    std::string skeleton() const
    {
        std::string text = className + "\n";
        for (const Lines *lines : {&init, &forward})
            for (const std::string &line : *lines)
                text += skeletonOf(line) + "\n";
        return text;
    }
    std::vector<Hole> holes() const
    {
        std::vector<Hole> all;
        for (const Lines *lines : {&init, &forward})
            for (const std::string &line : *lines)
                std::ranges::move(holesOf(line), std::back_inserter(all));
        return all;
    }
};

namespace {

/// Fills the holes in the code of a class: with a literal if all of its modules have the same one, else with a
/// parameter of the constructor.
class Unification {
public:
    Unification(std::vector<std::vector<Hole>> holes, std::span<const std::string> attributes, UniqueNames taken)
        : m_holes(std::move(holes)),
          m_names(std::move(taken))
    {
        for (std::size_t i = 0; i < m_holes.front().size(); ++i) {
            const bool isCommon = std::ranges::all_of(
                m_holes, [&](const std::vector<Hole> &each) { return each[i].value == m_holes.front()[i].value; });
            m_parameterOf.push_back(isCommon ? none : parameterFor(i, i < attributes.size() ? attributes[i] : ""));
        }
    }

    std::size_t count() const { return m_parameters.size(); }
    const std::string &name(std::size_t parameter) const { return m_parameters[parameter].name; }
    bool isUsed(std::size_t hole) const { return m_parameterOf[hole] != none; }
    std::size_t parameter(std::size_t hole) const { return m_parameterOf[hole]; }
    /// Returns the text of a hole; "" if it is left out.
    std::string text(std::size_t hole, std::string_view prefix) const
    {
        if (isUsed(hole))
            return std::string(prefix) + name(m_parameterOf[hole]);
        const Hole &common = m_holes.front()[hole];
        return common.value == common.byDefault ? "" : common.value;
    }
    /// Returns the arguments for one of the modules, as holes in the code of the module around it.
    std::string arguments(std::size_t module) const
    {
        std::string text;
        for (const Parameter &each : m_parameters)
            text += (text.empty() ? "" : ", ") + hole(each.name, m_holes[module][each.firstHole].value);
        return text;
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    struct Parameter {
        std::string name;
        std::size_t firstHole;
    };

    /// Returns the index of the parameter that fills the hole. Holes whose values are equal in every module share a
    /// parameter.
    std::size_t parameterFor(std::size_t hole, const std::string &attribute)
    {
        for (std::size_t i = 0; i < m_parameters.size(); ++i)
            if (std::ranges::all_of(m_holes, [&](const std::vector<Hole> &each) {
                    return each[m_parameters[i].firstHole].value == each[hole].value;
                }))
                return i;
        const std::string &wanted = m_holes.front()[hole].name;
        const std::string longer = attribute.empty() ? wanted : attribute + "_" + wanted;
        m_parameters.push_back({m_names.take(wanted) ? wanted : m_names.fresh(identifierFrom(longer)), hole});
        return m_parameters.size() - 1;
    }

    std::vector<std::vector<Hole>> m_holes;
    UniqueNames m_names;
    std::vector<Parameter> m_parameters;
    std::vector<std::size_t> m_parameterOf; ///< by hole: the index of its parameter
};

/// Returns a class whose constructor and forward() have these lines, with the parameters in place of their holes.
std::string classText(const std::string &name, std::span<const std::string> init, std::span<const std::string> forward,
                      const Unification &unified)
{
    std::size_t hole = 0;
    std::vector<bool> isStored(unified.count());
    const auto fill = [&](const std::string &line, std::string_view prefix) {
        std::vector<std::string> values;
        for (std::size_t i = holesOf(line).size(); i > 0; --i) {
            if (!prefix.empty() && unified.isUsed(hole))
                isStored[unified.parameter(hole)] = true;
            values.push_back(unified.text(hole++, prefix));
        }
        return filled(line, values) + "\n";
    };
    std::string constructed, code, list = "self", text = "\n\nclass " + name + "(nn.Module):\n";
    for (const std::string &line : init)
        constructed += fill(indented(line, 2), "");
    for (const std::string &line : forward)
        code += fill(line, "self.");
    if (constructed.empty() && unified.count() == 0)
        return text + code;
    for (std::size_t i = 0; i < unified.count(); ++i)
        list += ", " + unified.name(i);
    text += indented("def __init__(" + list + "):\n") + indented("super().__init__()\n", 2);
    for (std::size_t i = 0; i < unified.count(); ++i)
        if (isStored[i])
            text += indented("self." + unified.name(i) + " = " + unified.name(i) + "\n", 2);
    return text + constructed + (code.empty() ? "" : "\n") + code;
}

} // namespace

ClassCode::ClassCode(const CodeSource &source) : m_source(source)
{
    for (const char *name : {"F", "Tensor", "DTYPES"})
        m_classNames.take(name);
}

Result<std::string> ClassCode::print()
{
    std::map<int, std::vector<const ModuleNode *>> byHeight;
    heightOf(m_source.tree.root(), byHeight);
    for (const auto &[height, modules] : byHeight)
        CUTAWAY_RETURN_IF_ERROR(addClasses(modules));
    m_mainClass = m_constructors.at("");
    m_mainClass = m_mainClass.substr(0, m_mainClass.find('('));
    return std::move(m_text);
}

Result<void> ClassCode::addClasses(std::span<const ModuleNode *const> modules)
{
    std::vector<std::string> order;
    std::unordered_map<std::string, std::vector<Draft>> groups;
    for (const ModuleNode *module : modules) {
        CUTAWAY_TRY(auto draft, draftOf(*module));
        std::vector<Draft> &group = groups[order.emplace_back(draft.skeleton())];
        if (!group.empty())
            order.pop_back();
        group.push_back(std::move(draft));
    }
    for (const std::string &key : order)
        addClass(groups[key]);
    return {};
}

Result<ClassCode::Draft> ClassCode::draftOf(const ModuleNode &module)
{
    Draft draft{&module, recordedClass(module), {}, {}};
    for (const ir::TensorId tensor : module.tensors)
        draft.init.push_back(tensorLine(tensor));
    for (const auto &child : module.children) {
        const std::string_view name = lastName(child->path);
        Lines lines = constructor(*child);
        if (isIdentifier(name))
            lines.front().insert(0, "self." + std::string(name) + " = ");
        else {
            lines.front().insert(0, "self.add_module(" + quote(name) + ", ");
            lines.back() += ")";
        }
        std::ranges::move(lines, std::back_inserter(draft.init));
    }
    if (!module.call)
        return draft;
    ForwardCode code(m_source, *module.call);
    CUTAWAY_TRY(auto forward, module.path.empty() ? code.printMain() : code.print());
    draft.forward = std::move(forward.lines);
    return draft;
}

/// Writes one class for these modules or, if they differ in too much, a class for each set of equal ones.
void ClassCode::addClass(std::span<Draft> drafts)
{
    UniqueNames taken;
    taken.take("self");
    for (const auto &child : drafts.front().module->children)
        taken.take(lastName(child->path));
    for (const ir::TensorId tensor : drafts.front().module->tensors)
        taken.take(lastName(m_source.paths.of(tensor)));
    std::vector<std::vector<Hole>> holes;
    for (const Draft &draft : drafts)
        holes.push_back(draft.holes());
    std::vector<std::string> attributes;
    for (const std::string &line : drafts.front().init)
        attributes.resize(attributes.size() + holesOf(line).size(), attributeIn(line));
    const Unification unified(holes, attributes, std::move(taken));
    if (unified.count() > maxParameters) {
        std::vector<Draft> others;
        std::vector<Draft> equal;
        for (std::size_t i = 0; i < drafts.size(); ++i)
            (holes[i] == holes.front() ? equal : others).push_back(std::move(drafts[i]));
        addClass(equal);
        return addClass(others);
    }
    const std::string name = classNameFor(*drafts.front().module);
    m_text += classText(name, drafts.front().init, drafts.front().forward, unified);
    for (std::size_t i = 0; i < drafts.size(); ++i)
        m_constructors[drafts[i].module->path] = name + "(" + unified.arguments(i) + ")";
}

// ---- constructors

ClassCode::Lines ClassCode::constructor(const ModuleNode &module) const
{
    switch (module.form) {
    case ModuleNode::Form::Layer:
        return {module.layer->code};
    case ModuleNode::Form::Class:
        return {m_constructors.at(module.path)};
    case ModuleNode::Form::Sequential:
    case ModuleNode::Form::List:
        break;
    }
    return container(module);
}

/// Returns the children of a Sequential or ModuleList in the order of their numbers; an Identity stands at a number
/// that no child has.
ClassCode::Lines ClassCode::container(const ModuleNode &module) const
{
    const bool isList = module.form == ModuleNode::Form::List;
    std::vector<Lines> children;
    for (const auto &child : module.children) {
        const std::size_t number = childNumber(*child);
        if (number >= children.size())
            children.resize(number + 1, {"nn.Identity()"});
        children[number] = constructor(*child);
    }
    Lines lines{isList ? "nn.ModuleList([" : "nn.Sequential("};
    for (std::size_t i = 0; i < children.size();) {
        std::size_t end = i + 1;
        while (end < children.size() && children[end] == children[i])
            ++end;
        const bool isRepeated = end - i >= minRepeated && children[i].size() == 1;
        if (isRepeated) {
            lines.push_back(
                indented("*[" + children[i].front() + " for _ in range(" + std::to_string(end - i) + ")],"));
            i = end;
            continue;
        }
        for (const std::string &line : children[i])
            lines.push_back(indented(line));
        lines.back() += ",";
        ++i;
    }
    lines.emplace_back(isList ? "])" : ")");
    return lines;
}

std::string ClassCode::tensorLine(ir::TensorId id) const
{
    const ir::Tensor &tensor = m_source.model.at(id);
    const std::string name(lastName(m_source.paths.of(id)));
    std::string sizes;
    for (const std::int64_t size : tensor.shape)
        sizes += (sizes.empty() ? "" : ", ") + hole("size", std::to_string(size));
    const bool isInferred = tensor.dtype == ir::DType::Float32;
    const std::string empty = "torch.empty(" + (sizes.empty() ? "()" : sizes)
        + (isInferred ? "" : ", dtype=torch." + std::string(ir::name(tensor.dtype))) + ")";
    if (tensor.kind != ir::Tensor::Kind::Parameter)
        return "self.register_buffer(" + quote(name) + ", " + empty + ")";
    const bool canLearn = ir::isFloating(tensor.dtype) || ir::isComplex(tensor.dtype);
    return "self." + name + " = nn.Parameter(" + empty + (canLearn ? ")" : ", requires_grad=False)");
}

// ---- names

/// Returns the name of the class in the file: "Bottleneck" for "torchvision.models.resnet.Bottleneck".
std::string ClassCode::recordedClass(const ModuleNode &module) const
{
    const ir::Context &context = *m_source.model.context;
    const auto known = m_source.model.modulesByPath.find(m_source.model.context->name(module.path));
    std::string_view name;
    if (known != m_source.model.modulesByPath.end())
        name = context.text(m_source.model.at(known->second).className);
    name = lastName(name);
    return isIdentifier(name) ? std::string(name) : "";
}

std::string ClassCode::classNameFor(const ModuleNode &module)
{
    std::string name = recordedClass(module);
    if (module.path.empty() && name.empty())
        name = camelCase(identifierFrom(m_source.model.name));
    for (std::string_view path = module.path; name.empty() && !path.empty(); path = parentPath(path))
        if (isIdentifier(lastName(path)))
            name = camelCase(lastName(path)) + (path == module.path ? "" : "Block");
    if (name.empty() || !isIdentifier(name) || name == "_")
        name = "Model";
    return m_classNames.fresh(name);
}

} // namespace cutaway::print
