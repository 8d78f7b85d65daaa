// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/reopened.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/names.h"

#include <algorithm>

namespace cutaway::run {

namespace {

using run::SavedPart;
using run::SavedProfile;

bool isThere(const ir::Graph &graph, const SavedPart &part)
{
    const ir::NodeRef node(graph, part.id);
    return part.id.index < graph.nodeCount() && !node->removed && nameOf(node) == part.name
        && node.fullName() == part.op;
}

/// Returns parts as a list: "'conv1' (onnx::Conv), 'relu1' (onnx::Relu) and 3 more".
std::string listed(const std::vector<SavedPart> &parts)
{
    constexpr std::size_t shown = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, parts.size()); ++i)
        text += formatted("{}'{}' ({})", i == 0 ? "" : ", ", sanitized(parts[i].name), sanitized(parts[i].op));
    return parts.size() > shown ? text + formatted(" and {} more", parts.size() - shown) : text;
}

std::unexpected<Error> otherModel(const std::string &why)
{
    return std::unexpected(Error{ErrorKind::Usage, "the profile is of another model: " + why, {}});
}

} // namespace

Result<Reopened> reopen(const SavedProfile &saved, const ir::Model &model, ir::FunctionId function)
{
    if (saved.format != model.format)
        return otherModel(formatted("of format '{}', this one is of '{}'", sanitized(saved.format), model.format));
    const ir::Graph &graph = model.at(function).graph;
    Reopened reopened{saved.timing, {}};
    std::vector<SavedPart> missing;
    std::size_t found = 0;
    for (const run::SavedTime &time : saved.nodes) {
        run::TimedNodes timed{{}, time.measured};
        for (const SavedPart &part : time.parts) {
            if (isThere(graph, part))
                timed.nodes.push_back(part.id);
            else
                missing.push_back(part);
        }
        found += timed.nodes.size();
        if (timed.nodes.size() < time.parts.size())
            timed.nodes.clear();
        reopened.timing.nodes.push_back(std::move(timed));
    }
    if (found == 0 && !missing.empty())
        return otherModel("this one has none of its nodes, as " + listed(missing));
    if (!missing.empty())
        reopened.notes.push_back("the model does not have these nodes of the profile: " + listed(missing));
    if (const auto &then = saved.timing.file)
        if (const auto now = run::describeFile(model.path);
            now && (now->bytes != then->bytes || now->ends != then->ends))
            reopened.notes.emplace_back("the profile was taken of another state of the file");
    return reopened;
}

std::string inputText(const InputSize &input)
{
    std::string sizes;
    for (const std::int64_t size : input.shape)
        sizes += (sizes.empty() ? "" : "x") + std::to_string(size);
    return input.name + "=" + sizes + ":" + std::string(ir::name(input.dtype));
}

std::vector<std::string> inputTexts(const SavedProfile &saved)
{
    std::vector<std::string> texts;
    std::ranges::transform(saved.timing.inputs, std::back_inserter(texts), inputText);
    return texts;
}

} // namespace cutaway::run
