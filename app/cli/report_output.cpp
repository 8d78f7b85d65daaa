// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report_output.h"

#include "core/base/whole_file.h"
#include "core/report/html.h"
#include "core/report/markdown.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

static std::string checkPageSuffix(const std::string &output)
{
    return output.ends_with(".html") || output.ends_with(".md")
        ? ""
        : "the report's name must end in .html or .md, not '" + output + "'";
}

ReportOptions declareReportOutput(CLI::App &command, ReportOutput &output, const std::string &what)
{
    auto *file = command.add_option("-o,--output", output.file, what)->type_name("FILE")->check(checkPageSuffix);
    auto *markdown = command.add_flag("--markdown", output.markdown, "Print the report as Markdown")->excludes(file);
    return {file, markdown};
}

Result<std::string> written(const report::Document &document, const ReportOutput &output)
{
    if (output.file.empty())
        return report::markdown(document);
    const bool isPage = output.file.ends_with(".html");
    CUTAWAY_RETURN_IF_ERROR(withSubject(
        output.file, writeWholeFile(output.file, isPage ? report::html(document, "") : report::markdown(document))));
    return "";
}

} // namespace cutaway::cli
