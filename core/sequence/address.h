// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <span>
#include <string>
#include <variant>

namespace cutaway::sequence {

/// Opens what a user names: a model file, as plugin::open() does; a text that holds one graph; or by its address a step
/// of a log, "run.log#0/1/dynamo_output_graph". If a file has the whole address as its name, that file is opened. The
/// path of the returned model is the address. Errors: those of plugin::open() and read(); a log of several graphs, with
/// the address of one of them, and an address that names no graph, with similar addresses (both Unreadable).
Result<ir::Model> open(const std::string &address, const Task &task = {});

/// Opens a step that read() has found. `context` becomes the context of the model; if it is nullptr, the model gets one
/// of its own.
Result<ir::Model> openStep(const Step &step, const Task &task = {}, const std::shared_ptr<ir::Context> &context = {});

/// The contents of an address: one graph, consecutive graphs, or several sequences of them.
using Found = std::variant<ir::Model, Sequence, Document>;

/// Reads what a user names. A single source is a model file, a log, a folder, or an address: that of a step is opened
/// as by openInKernels(), that of a sequence is one that addressOf() returns. Several sources are read as by read(). A
/// row of files is returned as a sequence if there is nothing to report on it, a log of one graph as a model, any other
/// log as a document, even if it has compilations but no graph. Errors: those of read(); those of a model's format if
/// it recognises the file; the file has no graph (Unreadable).
Result<Found> find(std::span<const std::string> sources, const Task &task = {});

/// Reads a log or files as read() does; if `address` names a sequence or a step of a log, the document contains only
/// this. Errors: those of read() and findStep().
Result<Document> readAt(const std::string &address, const Task &task = {});

/// Returns the address of a sequence in a document: "run.log#0/1/backward", or "folder#2" if only its position
/// identifies it.
std::string addressOf(const Document &document, std::size_t sequence);

/// The position of a step: the index of its sequence in a document, and the index of the step in this sequence.
struct StepPlace {
    std::size_t sequence = 0, step = 0;
};

/// A step that an address names, with the document that contains it.
struct FoundStep {
    Document document;
    StepPlace place;

    const Sequence &sequence() const { return document.sequences[place.sequence]; }
    const Step &step() const { return sequence().steps[place.step]; }
};

/// Finds the step of an address, or the only step of a file. Errors: those of open().
Result<FoundStep> findStep(const std::string &address, const Task &task = {});

/// Returns the step of a log whose address is `path`, the path of a model; nothing if `path` is that of a file, or if
/// no step has this address.
std::optional<FoundStep> stepOfLog(const std::string &path, const Task &task = {});

} // namespace cutaway::sequence
