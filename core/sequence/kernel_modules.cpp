// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/kernel_modules.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/sequence/address.h"
#include "core/sequence/code/generated_code.h"
#include "core/sequence/kernel_bytes.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::sequence {

namespace {

struct Figure {
    std::string_view attribute, verb;
    ir::Dim KernelBytes::*bytes;
};
constexpr std::array figures{Figure{"bytes_read", "reads", &KernelBytes::read},
                             Figure{"bytes_written", "writes", &KernelBytes::written},
                             Figure{"bytes_saved", "saves", &KernelBytes::saved}};

constexpr std::string_view codeAttribute = "code", linesAttribute = "code_lines";
constexpr std::uint64_t maxCode = 8u << 20; ///< the limit of attached code, which is copied

const ir::RareList<ir::ModuleAttribute> *attributesOf(const ir::Model &model, ir::NameId path)
{
    const auto found = model.modulesByPath.find(path);
    return found == model.modulesByPath.end() ? nullptr : &model.at(found->second).attributes;
}

/// Returns the lines of a kernel in the code, as pairs of numbers.
ir::Operand linesOf(const Kernel &kernel)
{
    std::vector<ir::Operand> lines;
    for (const auto line : {kernel.firstLine, kernel.lastLine})
        if (line > 0)
            lines.emplace_back(static_cast<std::int64_t>(line));
    for (int i = 0; kernel.line && i < 2; ++i)
        lines.emplace_back(static_cast<std::int64_t>(*kernel.line));
    return ir::List{std::move(lines)};
}

/// Returns the name of the attachment that holds `code`. Adds the attachment for the first kernel of the code, unless
/// the code is too long.
std::string attachedCode(ir::Model &model, const Record &code)
{
    const std::string &name = code.name;
    if (!std::ranges::contains(model.attachments, name, &ir::Attachment::name) && code.text.byteCount() <= maxCode)
        model.attachments.push_back({name, code.text.text(), std::nullopt});
    return name;
}

void addModule(ir::Model &model, ir::ScopeId scope, const Kernel &kernel, const Record &code, const KernelBytes &bytes)
{
    ir::Context &context = *model.context;
    const ir::ModuleId id = model.childModule(ir::ModuleId{}, context.text(context.at(scope).name));
    ir::Module &module = model.modules.edit(id.index);
    module.className = context.at(scope).className;
    std::vector<ir::ModuleAttribute> attributes;
    for (const Figure &figure : figures)
        if (const ir::Dim &dim = bytes.*figure.bytes; const auto number = ops::number(dim))
            attributes.push_back({context.name(figure.attribute), {}, *number});
        else if (const auto *formula = std::get_if<symbolic::Expr>(&dim))
            attributes.push_back({context.name(figure.attribute), {}, *formula});
    attributes.push_back({context.name(codeAttribute), {}, ir::String{context.name(attachedCode(model, code))}});
    attributes.push_back({context.name(linesAttribute), {}, linesOf(kernel)});
    module.attributes = std::move(attributes);
}

/// Returns the nodes by their own names and by those of their results: in a printed graph, an item of a tuple is a
/// node.
std::unordered_map<std::string_view, ir::NodeId> namedNodes(const ir::Graph &graph)
{
    std::unordered_map<std::string_view, ir::NodeId> nodes;
    for (const ir::NodeRef node : ir::nodesOf(graph)) {
        nodes.emplace(node.name(), node);
        for (const ir::ValueRef output : node.outputs())
            nodes.emplace(output.name(), node);
    }
    return nodes;
}

} // namespace

std::size_t divideIntoKernels(ir::Model &model, const Sequence &sequence, const Step &step, const Task &task)
{
    std::vector<Kernel> kernels = kernelsOf(sequence);
    std::erase_if(kernels, [&](const Kernel &kernel) { return kernel.step != step.address; });
    // A library call gets its node before the kernels that lay out its operands, which are named after that node, too.
    std::ranges::stable_partition(kernels, isOfLibrary, &Kernel::name);
    if (kernels.empty() || model.functions.empty())
        return 0;
    const std::vector<KernelBytes> bytes = kernelBytes(sequence, kernels, model, task);
    ir::Graph &graph = model.functions.front().graph;
    const auto nodes = namedNodes(graph);
    for (const ir::NodeRef node : ir::nodesOf(graph)) // a kernel may compute nodes of several scopes
        graph.setScope(node, {});
    std::unordered_set<ir::NodeId> taken;
    std::size_t count = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const std::string name = kernels[i].name + (kernels[i].call ? formatted(":{}", *kernels[i].call) : "");
        std::optional<ir::ScopeId> scope;
        for (const std::string &each : kernels[i].nodes)
            if (const auto node = nodes.find(each); node != nodes.end() && taken.insert(node->second).second) {
                if (!scope)
                    scope = model.context->childScope({}, name, std::string(kindOf(kernels[i])) + " kernel");
                graph.setScope(node->second, *scope);
            }
        if (scope)
            addModule(model, *scope, kernels[i], sequence.records[kernels[i].code], bytes[i]);
        count += scope ? 1 : 0;
    }
    return count;
}

Result<ir::Model> openInKernels(const FoundStep &found, const Task &task)
{
    CUTAWAY_TRY(ir::Model model, openStep(found.step(), task));
    divideIntoKernels(model, found.sequence(), found.step(), task);
    return model;
}

Result<ir::Model> openInKernels(const std::string &address, const Task &task)
{
    if (const auto found = stepOfLog(address, task))
        return openInKernels(*found, task);
    return open(address, task);
}

std::string trafficText(const ir::Model &model, ir::NameId path)
{
    const auto *attributes = attributesOf(model, path);
    if (!attributes)
        return {};
    std::vector<std::string> texts;
    for (const ir::ModuleAttribute &attribute : *attributes) {
        const auto figure = std::ranges::find(figures, model.context->text(attribute.name), &Figure::attribute);
        if (figure == figures.end())
            continue;
        if (const auto *number = attribute.value.as<std::int64_t>())
            texts.push_back(formatted("{} {}", figure->verb, byteCount(static_cast<double>(*number))));
        else if (const auto *formula = attribute.value.as<symbolic::Expr>())
            texts.push_back(formatted("{} {} B", figure->verb, symbolic::print(*formula)));
    }
    return joined(texts, ", ");
}

std::optional<KernelCode> kernelCode(const ir::Model &model, ir::NameId path)
{
    const auto *attributes = attributesOf(model, path);
    const auto value = [&](std::string_view name) -> const ir::Operand * {
        const auto found = std::ranges::find_if(*attributes, [&](const ir::ModuleAttribute &attribute) {
            return model.context->text(attribute.name) == name;
        });
        return found == attributes->end() ? nullptr : &found->value;
    };
    const ir::Operand *code = attributes ? value(codeAttribute) : nullptr;
    const ir::Operand *lines = attributes ? value(linesAttribute) : nullptr;
    const auto *name = code ? code->as<ir::String>() : nullptr;
    const auto *list = lines ? lines->as<ir::List>() : nullptr;
    if (!name || !list)
        return std::nullopt;
    KernelCode found{std::string(model.context->text(name->text)), {}};
    for (std::size_t i = 0; i + 1 < list->items.size(); i += 2) {
        const auto *first = list->items[i].as<std::int64_t>(), *last = list->items[i + 1].as<std::int64_t>();
        if (first && last && *first > 0 && std::in_range<std::uint32_t>(*first) && std::in_range<std::uint32_t>(*last))
            found.lines.emplace_back(static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last));
    }
    return found;
}

} // namespace cutaway::sequence
