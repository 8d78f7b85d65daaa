// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/describe_part.h"

#include "core/base/checked.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/layout/card.h"
#include "core/layout/describe.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/sequence/kernel_modules.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <unordered_set>

namespace cutaway::layout {

namespace {

constexpr std::size_t maxName = 40;

/// Returns a name up to its first number, without the separators before that.
std::string_view stemOf(std::string_view name)
{
    std::string_view stem = name.substr(0, name.find_first_of("0123456789"));
    while (!stem.empty() && !std::isalnum(static_cast<unsigned char>(stem.back())))
        stem.remove_suffix(1);
    return stem;
}

std::string shownName(std::string_view text) { return shortened(sanitized(text), maxName); }

class PartDescriber {
public:
    PartDescriber(const ir::Model &model, const ir::Function &function, const Outline &outline, std::uint32_t part,
                  const analysis::ParameterReads &reads, const Knowledge &knowledge)
        : m_model(model),
          m_graph(function.graph),
          m_context(m_graph.context()),
          m_outline(outline),
          m_part(part),
          m_reads(reads),
          m_knowledge(knowledge)
    {
    }

    std::vector<Line> module(ir::ScopeId id) const
    {
        const ir::Scope &scope = m_context.at(id);
        std::string name = shownName(scope.className == ir::NameId{} ? spokenName(id) : m_context.text(scope.name));
        if (scope.call > 0)
            name += " (call " + std::to_string(scope.call + 1) + ")";
        std::vector<Line> lines{{name.empty() ? "module" : name, Line::Style::Title}};
        if (const auto className = shortClassName(m_context.text(scope.className)); !className.empty())
            lines.push_back({shownName(className), Line::Style::Muted});
        lines.push_back({contents(), lines.size() == 1 ? Line::Style::Detail : Line::Style::Muted});
        if (std::string traffic = sequence::trafficText(m_model, scope.path); !traffic.empty())
            lines.push_back({std::move(traffic), Line::Style::Muted});
        return lines;
    }

    std::vector<Line> region(ir::RegionId id) const
    {
        const std::string name = shownName(m_context.text(m_graph.at(id).name));
        return {{name.empty() ? "body" : name, Line::Style::Title}, {contents(), Line::Style::Muted}};
    }

    /// Returns the line "12 shape and mask ops". It is muted, since the part computes nothing of the model.
    std::vector<Line> plumbing() const { return {{counted("shape and mask op"), Line::Style::Muted}}; }

    std::vector<Line> group() const
    {
        const Members members = membersOf(m_part);
        const auto *member = std::get_if<ScopeSubject>(&m_outline.parts[members.first].subject);
        const std::string_view className =
            member ? shortClassName(m_context.text(m_context.at(member->scope).className)) : std::string_view();
        const std::string times = grouped(members.count) + " × ";
        const std::string name = nameOf(members.first);
        const std::string range = nameOf(members.last) == name ? name : name + " … " + nameOf(members.last);
        if (!m_outline.parts[m_part].repeats)
            return {{name.empty() ? places() : range, Line::Style::Title}, {contents(), Line::Style::Detail}};
        const std::string kind = className.empty() ? std::string(stemOf(name)) : shownName(className);
        const bool isOneKind = !className.empty() || kind == stemOf(nameOf(members.last));
        return {{times + (kind.empty() || !isOneKind ? "module" : kind), Line::Style::Title},
                {range, Line::Style::Muted},
                {contents(), Line::Style::Muted}};
    }

    std::vector<Line> found() const
    {
        const FoundName &name = m_outline.found[m_outline.parts[m_part].found];
        const std::string size = resolution();
        return {
            {name.title, Line::Style::Title},
            {(name.path.empty() ? "" : shownName(name.path) + " · ") + (size.empty() ? "" : size + " · ") + contents(),
             Line::Style::Muted}};
    }

private:
    /// The modules or nodes of a group, where those of nested groups count one by one.
    struct Members {
        std::uint32_t first;
        std::uint32_t last;
        std::uint32_t count;
    };

    Members membersOf(std::uint32_t part) const
    {
        if (!std::holds_alternative<GroupSubject>(m_outline.parts[part].subject))
            return {part, part, 1};
        Members members{part + 1, part + 1, 0};
        forEachChild(m_outline, part, [&](std::uint32_t child) {
            const Members inside = membersOf(child);
            if (members.count == 0)
                members.first = inside.first;
            members.last = inside.last;
            members.count += inside.count;
        });
        return members;
    }

    /// Adds the parent's path to a name that is a number: "features.0" for a module 0 in features.
    std::string spokenName(ir::ScopeId id) const
    {
        std::string name(m_context.text(m_context.at(id).name));
        while (!name.empty() && isDigit(name.front()) && m_context.at(id).parent != ir::ScopeId{}) {
            id = m_context.at(id).parent;
            name.insert(0, std::string(m_context.text(m_context.at(id).name)).append("."));
        }
        return name;
    }

    static bool isDigit(char c) { return c >= '0' && c <= '9'; }

    /// Returns the positions that a group's members have among their siblings, "3 … 12", for members without names.
    std::string places() const
    {
        const auto &group = std::get<GroupSubject>(m_outline.parts[m_part].subject);
        return grouped(group.first + 1) + " … " + grouped(group.last + 1);
    }

    /// Returns the number of the part's nodes, called `thing`: "12 nodes".
    std::string counted(std::string_view thing) const { return quantity(m_outline.parts[m_part].nodes, thing); }

    /// Returns the contents in a line: "12 nodes · 1.2 GFLOP · 1.30 M parameters".
    std::string contents() const
    {
        std::string text = counted("node");
        if (const std::int64_t flops = countFlops())
            text += " · " + siCount(static_cast<double>(flops)) + (flops < 1000 ? " FLOP" : "FLOP");
        if (const std::int64_t parameters = countParameters())
            text += " · " + (parameters < 1000 ? std::to_string(parameters) : siCount(static_cast<double>(parameters)))
                + (parameters == 1 ? " parameter" : " parameters");
        return text;
    }

    /// Returns the size of the images that the part ends with, as "56×56"; "" if it is not known.
    std::string resolution() const
    {
        for (std::uint32_t i = m_outline.parts[m_part].end; i-- > m_part + 1;) {
            const auto *node = std::get_if<ir::NodeId>(&m_outline.parts[i].subject);
            if (!node || m_graph.at(*node).outputs.empty())
                continue;
            const ir::TensorType *type = ir::NodeRef(m_graph, *node).output(0).tensorType();
            if (!type || !type->shape || type->shape->size() != 4)
                return "";
            const auto *height = std::get_if<std::int64_t>(&(*type->shape)[2]);
            const auto *width = std::get_if<std::int64_t>(&(*type->shape)[3]);
            return height && width ? std::to_string(*height) + "×" + std::to_string(*width) : "";
        }
        return "";
    }

    /// Returns the FLOPs of the part's nodes, those of their regions included; 0 if they are not all known as numbers.
    std::int64_t countFlops() const
    {
        std::int64_t sum = 0;
        for (std::uint32_t i = m_part; m_knowledge.flops && i < m_outline.parts[m_part].end;) {
            const auto *node = std::get_if<ir::NodeId>(&m_outline.parts[i].subject);
            if (node) {
                const auto flops = ops::number(m_knowledge.flops(*node));
                const auto total = flops ? checkedAdd(sum, *flops) : std::nullopt;
                if (!total)
                    return 0;
                sum = *total;
            }
            i = node ? m_outline.parts[i].end : i + 1;
        }
        return sum;
    }

    /// Returns the number of elements of the parameters that the part's nodes read, each parameter once.
    std::int64_t countParameters() const
    {
        std::unordered_set<ir::TensorId> seen;
        std::int64_t sum = 0;
        for (std::uint32_t i = m_part; i < m_outline.parts[m_part].end; ++i)
            if (const auto *node = std::get_if<ir::NodeId>(&m_outline.parts[i].subject))
                m_reads.forEach(m_graph.at(*node), [&](ir::TensorId parameter) {
                    if (seen.insert(parameter).second)
                        sum = checkedAdd(sum, ir::elementCount(m_model.at(parameter)).value_or(0)).value_or(sum);
                });
        return sum;
    }

    /// Returns the short name of a group's member.
    std::string nameOf(std::uint32_t part) const
    {
        const Subject &subject = m_outline.parts[part].subject;
        if (const auto *scope = std::get_if<ScopeSubject>(&subject))
            return shownName(m_context.text(m_context.at(scope->scope).name));
        if (const auto *node = std::get_if<ir::NodeId>(&subject)) {
            const std::string_view name = ir::NodeRef(m_graph, *node).name();
            return shortened(sanitized(name.substr(name.rfind('/') + 1)), maxName / 2);
        }
        return "";
    }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    const ir::Context &m_context;
    const Outline &m_outline;
    const std::uint32_t m_part;
    const analysis::ParameterReads &m_reads;
    const Knowledge &m_knowledge;
};

std::vector<Line> nameAndType(std::string name, std::string text)
{
    std::vector<Line> lines{{std::move(name), Line::Style::Title}};
    if (!text.empty())
        lines.push_back({std::move(text), Line::Style::Muted});
    return lines;
}

std::string typeText(const ir::ValueRef &value, const Knowledge &knowledge)
{
    return knowledge.type ? knowledge.type(value) : describeType(value.graph().context(), value->type);
}

/// Returns the type with a single "?" in place of neighbouring sizes that are not numbers, however many they are.
std::string withoutSymbols(std::string_view type)
{
    const std::size_t begin = std::min(type.find('['), type.size());
    std::string text(type.substr(0, begin));
    bool isUnknown = false;
    for (std::string_view rest = type.substr(begin); !rest.empty();) {
        const std::size_t end = rest.find_first_of(",[]");
        const std::string_view size = rest.substr(0, end);
        const bool isNumber = size.find_first_not_of(" 0123456789") == std::string_view::npos;
        if (isNumber || !isUnknown)
            text += isNumber ? std::string(size) + ',' : "?,";
        isUnknown = !isNumber;
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    return text;
}

} // namespace

std::vector<Line> describePart(const ir::Model &model, const ir::Function &function, const Outline &outline,
                               std::uint32_t part, const analysis::ParameterReads &reads, const Knowledge &knowledge)
{
    const PartDescriber describer(model, function, outline, part, reads, knowledge);
    const Part &p = outline.parts[part];
    if (const auto *node = std::get_if<ir::NodeId>(&p.subject))
        return describeNode(model, {function.graph, *node}, p.shortcut);
    if (const auto *scope = std::get_if<ScopeSubject>(&p.subject))
        return describer.module(scope->scope);
    if (const auto *region = std::get_if<ir::RegionId>(&p.subject))
        return describer.region(*region);
    if (std::holds_alternative<FoundSubject>(p.subject))
        return describer.found();
    if (isPlumbing(p))
        return describer.plumbing();
    return describer.group();
}

std::vector<Line> describeInput(const ir::ValueRef &value, const Knowledge &knowledge)
{
    const std::string name = shownName(value.name());
    return nameAndType(name.empty() ? "input" : name, typeText(value, knowledge));
}

std::vector<Line> describeOutput(const ir::Function &function, ir::RegionId region, std::uint32_t index,
                                 const Knowledge &knowledge)
{
    const ir::Graph &graph = function.graph;
    const std::vector<ir::Operand> &outputs = graph.at(region).outputs;
    const auto value = ir::valueOf(graph, &outputs[index]);
    std::string name;
    if (region == ir::Graph::body && function.outputs.size() == outputs.size())
        name = shownName(graph.context().text(function.outputs[index].name));
    if (name.empty() && value)
        name = shownName(value->name());
    if (name.empty())
        name = outputs.size() == 1 ? "output" : "output " + std::to_string(index);
    return nameAndType(name, value ? typeText(*value, knowledge) : "");
}

std::string likenessOf(const std::vector<Line> &lines)
{
    return lines.size() < 2 ? "" : std::string(stemOf(lines[0].text)) + '\n' + withoutSymbols(lines[1].text);
}

std::vector<Line> describeMany(const std::vector<std::vector<Line>> &all)
{
    const auto in = [](const std::vector<Line> &lines) {
        return lines.size() < 2 ? std::string_view() : lines[1].text;
    };
    const auto dtype = [](std::string_view type) { return type.substr(0, type.find(' ')); };
    const std::string_view stem = stemOf(all[0][0].text), type = in(all[0]);
    const bool isOneName = std::ranges::all_of(all, [&](const auto &one) { return stemOf(one[0].text) == stem; });
    const bool isOneType = std::ranges::all_of(all, [&](const auto &one) { return in(one) == type; });
    const bool isOneDtype = std::ranges::all_of(all, [&](const auto &one) { return dtype(in(one)) == dtype(type); });
    return nameAndType(grouped(static_cast<long long>(all.size())) + " × "
                           + (stem.empty() || !isOneName ? "tensor" : std::string(stem)),
                       std::string(isOneType        ? type
                                       : isOneDtype ? dtype(type)
                                                    : ""));
}

} // namespace cutaway::layout
