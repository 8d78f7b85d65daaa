// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/proof/reproducer.h"

#include "core/base/json_writer.h"
#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/ir/context.h"
#include "core/ir/json/json.h"
#include "core/ir/json/json_reader.h"
#include "core/ir/verify.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

constexpr std::string_view start = R"({"schema":"cutaway.reproducer/1",)";

Result<Case> parse(std::string_view text, std::span<const Pass *const> others)
{
    const ir::Json json = ir::Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("model") || !json.contains("pipeline"))
        return unreadable("the reproducer is not whole");
    CUTAWAY_TRY(auto model, ir::parseJson(json["model"].dump()));
    if (const auto faults = ir::verify(model); !faults.empty())
        return unreadable("the reproducer's model: " + faults.front());
    CUTAWAY_TRY(auto pipeline, parsePipeline(json["pipeline"].dump(), others));
    ir::JsonReader reader;
    const std::string name = reader.text(json, "function");
    const auto function = std::ranges::find_if(
        model.functions, [&](const ir::Function &f) { return model.context->text(f.name) == name; });
    if (function == model.functions.end())
        return unreadable("the reproducer's model has no function '" + name + "'");
    const ir::FunctionId id{static_cast<std::uint32_t>(function - model.functions.begin())};
    return Case{std::move(model), id, std::move(pipeline)};
}

} // namespace

std::string printReproducer(const ir::Model &model, ir::FunctionId function, const Pipeline &pipeline)
{
    JsonWriter name;
    name.value(model.context->text(model.at(function).name));
    return std::string(start) + "\"function\":" + name.take() + ",\"pipeline\":" + printPipeline(pipeline)
        + ",\"model\":" + ir::printJson(model) + "}";
}

Result<std::optional<Case>> readReproducer(const std::filesystem::path &path, std::span<const Pass *const> others)
{
    CUTAWAY_TRY(const auto file, MappedFile::open(path));
    const auto bytes = file.bytes();
    const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    if (!text.starts_with(start))
        return std::nullopt;
    CUTAWAY_TRY(auto read, parse(text, others));
    return read;
}

} // namespace cutaway::passes
