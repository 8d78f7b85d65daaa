// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/checks.h"

#include "core/base/temporary_folder.h"
#include "core/base/text.h"
#include "core/convert/convert.h"
#include "core/survey/own_program.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

namespace cutaway::survey {

namespace {

using Words = std::vector<std::string>;

/// The arguments of the command that answers a check for a file; `out` is a folder that is deleted afterwards.
struct Question {
    std::string_view kind;
    Words (*arguments)(const std::string &argument, const std::string &file, const std::string &out);
    /// Returns the reason for a "no" from the standard output; nullptr: the reason is the last line of the output.
    std::string (*because)(const std::string &output) = nullptr;
};

/// Returns the operators of the findings, each once.
std::string operatorsOf(const std::string &output)
{
    const auto document = nlohmann::json::parse(output, nullptr, false);
    std::set<std::string> operators;
    if (document.is_object() && document.contains("findings"))
        for (const auto &finding : document["findings"])
            operators.insert(finding.value("op", "?"));
    return joined(Words(operators.begin(), operators.end()), ", ");
}

constexpr std::array questions{
    Question{"passes",
             [](const std::string &pipeline, const std::string &file, const std::string &out) {
                 return Words{"passes",       "run",
                              file,           "--pipeline",
                              pipeline,       "--check-numbers",
                              "--reproducer", out + "/reproducer.json"};
             }},
    Question{"convert",
             [](const std::string &opset, const std::string &file, const std::string &out) {
                 const std::string wanted = opset == "onnx" ? std::to_string(convert::defaultOpset) : opset;
                 return Words{"convert", file, "-o", out + "/converted.onnx", "--opset", wanted};
             }},
    Question{"numbers",
             [](const std::string &backend, const std::string &file, const std::string &) {
                 return Words{"compare", file, "--backend", "evaluator", "--backend", backend};
             }},
    Question{"lint",
             [](const std::string &severity, const std::string &file, const std::string &) {
                 return Words{"lint", file, "--severity", severity};
             }},
    Question{"backend",
             [](const std::string &backend, const std::string &file, const std::string &) {
                 return Words{"lint", file, "--rule", "backend-operator", "--backend", backend, "--json"};
             },
             operatorsOf},
    Question{"assert",
             [](const std::string &figure, const std::string &file, const std::string &) {
                 return Words{"inspect", file, "--assert", figure};
             }},
};

std::string kindOfCheck(const std::string &check) { return check.substr(0, check.find(':')); }

} // namespace

Result<void> parseCheck(const std::string &check)
{
    if (!std::ranges::contains(questions, kindOfCheck(check), &Question::kind)) {
        Words kinds;
        std::ranges::transform(questions, std::back_inserter(kinds),
                               [](const Question &question) { return std::string(question.kind) + ":…"; });
        return usageError("there is no check '" + check + "'; there are " + joined(kinds, ", "));
    }
    if (!check.contains(':'))
        return usageError("the check '" + check + "' lacks what stands behind the colon");
    return {};
}

CheckAnswer answer(const std::string &check, const std::string &path, const Request &request)
{
    const std::string kind = kindOfCheck(check);
    const auto folder = TemporaryFolder::make();
    if (!folder)
        return {check, {}, folder.error().text()};
    const auto question = std::ranges::find(questions, kind, &Question::kind);
    const auto output =
        runOwnProgram(question->arguments(check.substr(kind.size() + 1), path, folder->path().string()), request);
    if (!output)
        return {check, {}, output.error().text()};
    if (output->timedOut)
        return {check, {}, timeoutText(request)};
    if (output->exitCode == 0)
        return {check, true, ""};
    if (output->exitCode == 1)
        return {check, false, question->because ? question->because(output->standardOutput) : reasonOf(*output, path)};
    return {check, {}, reasonOf(*output, path)};
}

} // namespace cutaway::survey
