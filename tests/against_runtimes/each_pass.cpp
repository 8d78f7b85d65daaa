// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// each_pass FILE FOLDER [PASS...]: runs the default pipeline ("default") over a model, and each pass alone, with what
// it needs. A changed model is written into FOLDER under the pass's name. For each, a line of three columns divided by
// tabs: the pass, "unchanged", "written", "refused", "failed" or "unreadable", and the file or the reason. Exit code 3
// if FILE cannot be read.
#include "core/base/text.h"
#include "core/formats/format.h"
#include "core/passes/history.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>

using namespace cutaway;

namespace {

void print(std::string_view pass, std::string_view outcome, std::string_view text)
{
    std::puts((std::string(pass).append("\t").append(outcome) + "\t" + sanitized(text)).c_str());
    std::fflush(stdout);
}

passes::Pipeline pipelineOf(std::string_view name)
{
    return name == "default" ? passes::defaultPipeline() : passes::withNeeds(passes::parsePipeline(name).value());
}

void run(const std::shared_ptr<const ir::Model> &model, std::string_view name, const std::filesystem::path &folder)
{
    passes::History history(model, ir::FunctionId{0});
    history.run(pipelineOf(name));
    if (const auto &failure = history.failure())
        return print(name, failure->error.kind == ErrorKind::Usage ? "refused" : "failed", failure->error.text());
    if (std::ranges::none_of(history.steps(), &passes::Step::isChange))
        return print(name, "unchanged", "");
    const std::string ending = model->format == "torchscript" ? "json" : model->format;
    const std::filesystem::path path = folder / (std::string(name) + "." + ending);
    const auto written = formats::write(*history.modelAfter(history.steps().size()), path);
    if (written)
        return print(name, "written", path.string());
    print(name, written.error().kind == ErrorKind::Usage ? "refused" : "unreadable", written.error().text());
}

} // namespace

int main(int count, char **arguments)
{
    if (count < 3) {
        std::puts("usage: each_pass FILE FOLDER [PASS...]");
        return 2;
    }
    auto opened = formats::open(arguments[1]);
    if (!opened) {
        std::puts(opened.error().text().c_str());
        return 3;
    }
    const auto model = std::make_shared<const ir::Model>(std::move(*opened));
    std::vector<std::string_view> names{arguments + 3, arguments + count};
    if (names.empty()) {
        names.emplace_back("default");
        std::ranges::transform(passes::passes(), std::back_inserter(names), &passes::Pass::name);
    }
    for (const std::string_view name : names)
        run(model, name, arguments[2]);
    return 0;
}
