// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/sequence/sequence.h"

#include <map>

namespace cutaway::sequence {

/// A position of user code.
struct CodePlace {
    std::string function, file;
    std::optional<std::uint64_t> line;
};

/// A step as the recorder of the Python module writes it; the graph is the payload, or in a file beside the log.
struct RecordedStep {
    std::string name;
    std::string file; ///< relative to the log's folder; "": the graph is text
    double seconds = 0;
    std::vector<std::string> notes = {}; ///< also why it failed, if it did
    bool isUnchanged = false;            ///< there is no payload: the graph is that of the recorded step before
};

/// The JSON object of a structured log's record.
struct Envelope {
    std::string kind;                     ///< the key that names the record: "aot_joint_graph", "artifact"
    std::string name;                     ///< an artifact's own name, else the kind
    std::optional<std::string> compileId; ///< "!0/1/0_1"
    std::string frame;                    ///< the id without the attempt
    int attempt = 0;
    std::optional<int> rank;
    std::optional<std::string> payloadMd5;        ///< there is a payload
    std::optional<CodePlace> code;                ///< read from dynamo_start and compilation_metrics
    bool hasFailed = false;                       ///< read from compilation_metrics
    std::vector<Phase> phases;                    ///< read from compilation_metrics and bwd_compilation_metrics
    std::optional<SizeSymbol> symbol;             ///< read from create_symbol and symbolic_shape_specialization
    std::optional<RecordedStep> step;             ///< read from cutaway_step and cutaway_file
    std::optional<std::int64_t> recordingVersion; ///< read from cutaway_recording; 0: it names none
    std::optional<std::pair<std::uint64_t, std::string>> interned; ///< read from str: a number and its file name
};

/// The key that a record's text begins with, without reading the text; "" if it begins otherwise. Most records of a log
/// are of kinds that are known by it to be of no interest.
std::string_view firstKey(std::string_view json);

/// Reads the text. `interned`: file names by number. Errors (Unreadable): it is no object of JSON, or too long.
Result<Envelope> parseEnvelope(std::string_view json, const std::map<std::uint64_t, std::string> &interned);

/// The texts of a JSON list of texts, joined by ", "; any other text as it is.
std::string listedTexts(std::string_view payload);

} // namespace cutaway::sequence
