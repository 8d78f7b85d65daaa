// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Inspects the files that stand in the lines of its input, "PATH<tab>2x3:float32<tab>…", with the types of their inputs
// in order, as --input has them behind a name. Each gives a line of JSON: what `inspect --json` writes, or {"error":
// text}.
#include "core/base/json_writer.h"
#include "core/formats/format.h"
#include "core/ir/context.h"
#include "core/report/inspect.h"
#include "core/request/given.h"

#include <iostream>

namespace {

using namespace cutaway;

/// "x=2x3:float32" of each input that the user gives.
std::vector<std::string> named(const ir::Model &model, std::span<const std::string> types)
{
    std::vector<std::string> texts;
    for (const ir::FunctionInput &input : model.functions.front().inputs)
        if (input.kind == ir::FunctionInput::Kind::User && texts.size() < types.size())
            texts.push_back(std::string(model.context->text(input.name)) + "=" + types[texts.size()]);
    return texts;
}

Result<std::string> reportOf(const std::string &path, std::span<const std::string> types)
{
    auto model = formats::open(path);
    if (!model)
        return std::unexpected(model.error());
    if (model->functions.empty())
        return unreadable("the file has no graph");
    auto given = request::readGiven(*model, ir::FunctionId{0}, {}, named(*model, types));
    if (!given)
        return std::unexpected(given.error());
    return report::inspectJson(*model, *given, ir::FunctionId{0});
}

std::vector<std::string> partsOf(std::string_view line)
{
    std::vector<std::string> parts;
    for (std::size_t tab = 0; tab != std::string_view::npos; line.remove_prefix(std::min(tab + 1, line.size()))) {
        tab = line.find('\t');
        parts.emplace_back(line.substr(0, tab));
    }
    return parts;
}

std::string errorJson(const Error &error)
{
    JsonWriter json;
    json.beginObject();
    json.member("error", error.text());
    json.endObject();
    return json.text();
}

} // namespace

int main()
{
    for (std::string line; std::getline(std::cin, line);) {
        const std::vector<std::string> parts = partsOf(line);
        const auto report = reportOf(parts.front(), std::span(parts).subspan(1));
        std::cout << (report ? *report : errorJson(report.error())) << std::endl;
    }
    return 0;
}
