// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"
#include "core/sequence/excerpt.h"
#include "core/sequence/outline.h"

#include <optional>
#include <span>
#include <string>

namespace cutaway::sequence {

struct TracedInputs;

/// The stage of a compiler that wrote a graph.
enum class Kind : std::uint8_t { Dynamo, CompiledAutograd, PreGrad, Joint, Aot, PostGrad, Pass, Export, File, Text };
std::string_view name(Kind kind); ///< "post_grad"

/// Whether a graph computes results, gradients or both, after autograd. Inference: no gradients are computed.
enum class Direction : std::uint8_t { Joint, Forward, Backward, Inference };
std::string_view name(Direction direction); ///< "forward"

/// The part of a compilation to which the graphs of a sequence belong. The joint graph is in the forward part, and so
/// is every graph of a compilation without a backward.
enum class Part : std::uint8_t { Forward, Backward };
std::string_view name(Part part); ///< "forward"

enum class Status : std::uint8_t {
    Ok,
    Empty,     ///< the compilation has no graph
    Restarted, ///< given up for a later attempt
    Failed,
    Cut, ///< the log ends within the compilation
};
std::string_view name(Status status); ///< "restarted"

/// A graph that a compiler wrote. It is not read before it is opened (address.h).
struct Step {
    std::string name; ///< the name of the record, the title or the name of the file; several steps may have the same
    Kind kind = Kind::Text;
    std::optional<Direction> direction;  ///< nothing for a graph before autograd
    std::string source;                  ///< path of the file
    std::optional<Excerpt> text;         ///< the graph's text; nothing if the source is a model file
    std::optional<std::uint64_t> line;   ///< the line of the record's header, or of the graph's first line, from 1
    std::optional<Outline> outline;      ///< nothing if the graph cannot be read
    double seconds = 0;                  ///< the time that the step took; 0: not known
    std::vector<std::string> notes = {}; ///< remarks on the step, from its source
    /// JSON: for each node, by name, the nodes of the step before from which it was made.
    std::optional<Excerpt> origins = {};

    // The following members are set when all steps of a source are known.
    std::string address = {};                 ///< the address by which the step is opened
    std::optional<std::string> previous = {}; ///< the address of the step that it is compared with
    /// Whether inputs, nodes or results differ from those of `previous`; nothing if not known.
    std::optional<bool> changed = {};
    std::shared_ptr<const TracedInputs> inputs = {}; ///< the inputs of the compilation; nullptr if not known
};

/// A text of a compilation that is no graph: code of kernels, guards, mappings.
struct Record {
    std::string name;
    std::uint64_t line = 0;
    Excerpt text;
};

struct GraphBreak {
    std::string reason;
    std::optional<std::string> file;
    std::optional<std::uint64_t> line;
};

/// The time of a phase of a compilation. Phases contain others: all code generation is within Inductor.
struct Phase {
    std::string name; ///< "inductor"
    double seconds = 0;
    bool operator==(const Phase &) const = default;
};

/// A size that the compiler left open. Texts are those of the log.
struct SizeSymbol {
    std::string name;                   ///< "s77"
    std::string source;                 ///< "L['x'].size()[0]"
    std::string example, range;         ///< "8", "[2, int_oo]"; "" if the log only records that it was fixed
    std::optional<std::string> fixedTo; ///< the only possible size, if the compiler found that there is just one
    std::string reason;                 ///< why it was fixed: "range_refined_to_singleton"
    std::string file;                   ///< the file of the user's code that required it; "" if unknown
    std::optional<std::uint64_t> line;
};

/// The steps of one part of a compilation, in the order of their source; or files in a row.
struct Sequence {
    std::optional<std::string> compileId; ///< the id as in the log: "0/0_1"
    std::optional<int> rank;
    int attempt = 0;
    Part part = Part::Forward;
    std::string function, file; ///< the compiled code; "" if unknown
    std::optional<std::uint64_t> line;
    Status status = Status::Ok;
    std::string recompileReason; ///< "" for the first compilation
    std::vector<GraphBreak> graphBreaks;
    std::vector<Step> steps;
    std::vector<Record> records;
    std::vector<Phase> phases;       ///< a phase comes before the phases in it; phases without a time are left out
    std::vector<SizeSymbol> symbols; ///< each once
    std::uint64_t firstLine = 0;     ///< the line of its first record
};

/// A message about a source that could be read nevertheless.
struct Diagnostic {
    ir::Severity severity = ir::Severity::Warning;
    std::string message;
    std::string file;
    std::optional<std::uint64_t> line;
};

/// Everything that was found in the sources. The files stay mapped.
struct Document {
    std::vector<std::string> sources;
    std::vector<Sequence> sequences;
    std::vector<Diagnostic> diagnostics;
};

/// Finds the graphs in files and folders, in the order given: structured logs (TORCH_TRACE), logs as text (TORCH_LOGS)
/// and texts with graphs in them, debug folders (TORCH_COMPILE_DEBUG), folders of any of these, model files.
/// Neighbouring sources with one graph each are one sequence. Nothing in them is run, and graphs are only outlined.
/// Errors (Unreadable): a source is missing, or has none of these; the subject of the error is the path of the source.
Result<Document> read(std::span<const std::string> sources, const Task &task = {});

} // namespace cutaway::sequence
