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

/// Whether a graph computes results, gradients or both, after autograd. Inference: there are no gradients.
enum class Direction : std::uint8_t { Joint, Forward, Backward, Inference };
std::string_view name(Direction direction); ///< "forward"

/// Which graphs of a compilation a sequence has. The joint graph is in the forward part, and so is everything of a
/// compilation without a backward.
enum class Part : std::uint8_t { Forward, Backward };
std::string_view name(Part part); ///< "forward"

enum class Status : std::uint8_t {
    Ok,
    Empty,     ///< there is no graph
    Restarted, ///< given up for a later attempt
    Failed,
    Cut, ///< the log ends in it
};
std::string_view name(Status status); ///< "restarted"

/// One graph that a compiler wrote down. It is not read before it is opened (address.h).
struct Step {
    std::string name; ///< the record's name, the title or the file's name; may repeat
    Kind kind = Kind::Text;
    std::optional<Direction> direction;  ///< nothing before autograd
    std::string source;                  ///< path of the file
    std::optional<Excerpt> text;         ///< the graph's text; nothing: the source is a model file
    std::optional<std::uint64_t> line;   ///< the line of the record's header, or of the graph's first line, from 1
    std::optional<Outline> outline;      ///< nothing: the graph cannot be read
    double seconds = 0;                  ///< that the step took; 0: not known
    std::vector<std::string> notes = {}; ///< remarks on the step, from its source
    /// JSON: the names of nodes, each with those of the nodes of the step before that it was made from.
    std::optional<Excerpt> origins = {};

    // The following members are set when all steps of a source are known.
    std::string address = {};                        ///< opens the step
    std::optional<std::string> previous = {};        ///< the address of the step that it is compared with
    std::optional<bool> changed = {};                ///< its inputs, nodes or results differ from those of `previous`
    std::shared_ptr<const TracedInputs> inputs = {}; ///< what the compilation got; nullptr: not known
};

/// Text of a compilation that is no graph: code of kernels, guards, mappings.
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

/// Time that a part of a compilation took. Parts lie within others: all code generation is within Inductor.
struct Phase {
    std::string name; ///< "inductor"
    double seconds = 0;
    bool operator==(const Phase &) const = default;
};

/// A size that the compiler left open. Texts are the log's own.
struct SizeSymbol {
    std::string name;                   ///< "s77"
    std::string source;                 ///< "L['x'].size()[0]"
    std::string example, range;         ///< "8", "[2, int_oo]"; "" where it is only said that it was fixed
    std::optional<std::string> fixedTo; ///< the compiler found that only this size is possible
    std::string reason;                 ///< why it was fixed: "range_refined_to_singleton"
    std::string file;                   ///< the user's code that asked for it, "" where it is not known
    std::optional<std::uint64_t> line;
};

/// The steps of one compilation, one part of it, in the order of their source; or files in a row.
struct Sequence {
    std::optional<std::string> compileId; ///< as the log writes it: "0/0_1"
    std::optional<int> rank;
    int attempt = 0;
    Part part = Part::Forward;
    std::string function, file; ///< the code that was compiled, "" where it is not known
    std::optional<std::uint64_t> line;
    Status status = Status::Ok;
    std::string recompileReason; ///< "": it is no recompilation
    std::vector<GraphBreak> graphBreaks;
    std::vector<Step> steps;
    std::vector<Record> records;
    std::vector<Phase> phases;       ///< the whole before its parts; only those that took time
    std::vector<SizeSymbol> symbols; ///< each once
    std::uint64_t firstLine = 0;     ///< the line of its first record
};

/// A message on a source that could be read nevertheless.
struct Diagnostic {
    ir::Severity severity = ir::Severity::Warning;
    std::string message;
    std::string file;
    std::optional<std::uint64_t> line;
};

/// All that was found in some sources. The files stay mapped.
struct Document {
    std::vector<std::string> sources;
    std::vector<Sequence> sequences;
    std::vector<Diagnostic> diagnostics;
};

/// Reads which graphs there are in files and folders, in the order given: structured logs (TORCH_TRACE), logs as text
/// (TORCH_LOGS) and texts with graphs in them, debug folders (TORCH_COMPILE_DEBUG), folders of any of these, model
/// files. Neighbouring sources with one graph each are one sequence. Nothing in them is run, and graphs are only
/// counted. Errors (Unreadable): a source is missing, or holds nothing of these; the subject is its path.
Result<Document> read(std::span<const std::string> sources, const Task &task = {});

} // namespace cutaway::sequence
