// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/sequence/sequence.h"

#include <map>

namespace cutaway::sequence {

/// A position in the user's code.
struct CodePlace {
    std::string function, file;
    std::optional<std::uint64_t> line;
};

/// A step as the recorder of the Python module writes it. Its graph is the payload, or a file beside the log.
struct RecordedStep {
    std::string name;
    std::string file; ///< the path relative to the log's folder; "": the graph is the payload
    double seconds = 0;
    std::vector<std::string> notes = {}; ///< remarks, including the reason of a failure
    bool isUnchanged = false;            ///< whether the graph is that of the previous recorded step, without a payload
};

/// The JSON object of a structured log's record.
struct Envelope {
    std::string kind;                     ///< the key that determines the record's kind: "aot_joint_graph", "artifact"
    std::string name;                     ///< the name of an artifact, else the kind
    std::optional<std::string> compileId; ///< "!0/1/0_1"
    std::string frame;                    ///< the id without the attempt
    int attempt = 0;
    std::optional<int> rank;
    std::optional<std::string> payloadMd5;        ///< nothing if there is no payload
    std::optional<CodePlace> code;                ///< from dynamo_start and compilation_metrics
    bool hasFailed = false;                       ///< from compilation_metrics
    std::vector<Phase> phases;                    ///< from compilation_metrics and bwd_compilation_metrics
    std::optional<SizeSymbol> symbol;             ///< from create_symbol and symbolic_shape_specialization
    std::optional<RecordedStep> step;             ///< from cutaway_step and cutaway_file
    std::optional<std::int64_t> recordingVersion; ///< from cutaway_recording; 0 if it has no version
    std::optional<std::pair<std::uint64_t, std::string>> interned; ///< from str: a number and its file name
};

/// Returns the key with which a record's text begins, without parsing the text; "" if it begins otherwise. For most
/// records of a log this key shows that they are of no interest.
std::string_view firstKey(std::string_view json);

/// Parses the text. `interned`: file names by number. Errors (Unreadable): it is no object of JSON, or too long.
Result<Envelope> parseEnvelope(std::string_view json, const std::map<std::uint64_t, std::string> &interned);

/// Joins the texts of a JSON list by ", "; returns any other text unchanged.
std::string listedTexts(std::string_view payload);

} // namespace cutaway::sequence
