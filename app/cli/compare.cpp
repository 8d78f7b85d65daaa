// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/comparing.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

Action declareCompare(CLI::App &command, std::string &)
{
    auto options = std::make_shared<CompareOptions>();
    command.add_option("A", options->a, "A model file")->required()->type_name("");
    command.add_option("B", options->b, "The model to compare with; without it, A runs on two backends or devices")
        ->type_name("");
    declareRun(command, options->arguments);
    command.add_option("--rtol", options->tolerance.rtol, "Relative tolerance per element, relative to A")
        ->check(CLI::NonNegativeNumber)
        ->type_name("X")
        ->capture_default_str();
    command.add_option("--atol", options->tolerance.atol, "Absolute tolerance per element, added to the relative one")
        ->check(CLI::NonNegativeNumber)
        ->type_name("X")
        ->capture_default_str();
    command.add_option("--seeds", options->seeds, "Compare with so many inputs, of this seed and the next ones")
        ->check(CLI::Range(1, 1000))
        ->type_name("COUNT")
        ->capture_default_str();
    auto *values = command.add_flag("--values", options->values,
                                    "Compare the results of matched nodes too, and report where they first differ");
    auto *json = command.add_flag("--json", options->json, "Write JSON (schema cutaway.compare/1)");
    command
        .add_flag("--csv", options->csv,
                  "Write the errors of the values as CSV, a row per node of A, for --data of draw and query")
        ->needs(values)
        ->excludes(json);
    command.footer("Both get the same inputs. Exit code 1: the results differ.\n\n"
                   "Examples:\n"
                   "  cutaway-cli compare resnet50.pt2 resnet50.onnx\n"
                   "  cutaway-cli compare resnet50.onnx resnet50-int8.onnx --values --rtol 0.1\n"
                   "  cutaway-cli compare resnet50.onnx resnet50-int8.onnx --values --csv > errors.csv\n"
                   "  cutaway-cli draw resnet50.onnx -o errors.svg --data errors.csv --colour-by data.run.error\n"
                   "  cutaway-cli compare small.onnx --backend onnxruntime --backend evaluator\n"
                   "  cutaway-cli compare resnet50.pt2 --device cpu --device cuda:0");
    return [options] { return compareResults(*options); };
}

} // namespace cutaway::cli
