// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/opsets.h"

#include "core/base/formatted.h"
#include "core/ir/context.h"

#include <algorithm>
#include <charconv>
#include <ranges>

namespace cutaway::ir {

namespace {

/// Reads "ai.onnx 17, my.domain 1".
OpsetImports listed(std::string_view text)
{
    OpsetImports imports;
    for (const auto part : text | std::views::split(std::string_view(", "))) {
        const std::string_view item(part.begin(), part.end());
        const std::size_t space = item.rfind(' ');
        std::int64_t version = 0;
        if (space != std::string_view::npos
            && std::from_chars(item.data() + space + 1, item.data() + item.size(), version).ec == std::errc())
            imports.emplace_back(item.substr(0, space), version);
    }
    return imports;
}

bool isOfMain(const Model &model, const Graph &graph)
{
    return !model.functions.empty() && &model.functions.front().graph == &graph;
}

std::optional<OpsetImports> importsIn(const Model &model, const Graph &graph)
{
    const auto found = std::ranges::find(model.functions, &graph, [](const Function &each) { return &each.graph; });
    return found == model.functions.end() ? std::nullopt : importsOf(model, *found);
}

std::int64_t versionOf(const Model &model, const std::optional<OpsetImports> &imports, std::string_view dialect)
{
    const std::string_view domain = dialect == "onnx" ? "ai.onnx" : dialect;
    if (imports)
        for (const auto &[name, version] : *imports)
            if (name == domain)
                return version;
    return model.opset(dialect);
}

} // namespace

std::optional<OpsetImports> importsOf(const Model &model, const Function &function)
{
    const std::string name = formatted("function {}: opset_import", model.context->text(function.name));
    const auto kept = std::ranges::find(model.attachments, name, &Attachment::name);
    return kept == model.attachments.end() || !kept->text ? std::nullopt : std::optional(listed(*kept->text));
}

std::int64_t opsetIn(const Model &model, const Graph &graph, std::string_view dialect)
{
    return isOfMain(model, graph) ? model.opset(dialect) : versionOf(model, importsIn(model, graph), dialect);
}

std::int64_t NodeOpsets::of(const Graph &graph, std::string_view dialect)
{
    if (isOfMain(m_model, graph))
        return m_model.opset(dialect);
    const auto [known, isNew] = m_imports.try_emplace(&graph);
    if (isNew)
        known->second = importsIn(m_model, graph);
    return versionOf(m_model, known->second, dialect);
}

} // namespace cutaway::ir
