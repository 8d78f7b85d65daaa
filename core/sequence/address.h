// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <span>
#include <string>
#include <variant>

namespace cutaway::sequence {

/// Opens what a user names: a model file, as plugin::open() does; a text that holds one graph; or by its address a step
/// of a log, "run.log#0/1/dynamo_output_graph". If there is a file whose whole name is the address, it is meant. The
/// model's path is the address. Errors: those of plugin::open() and read(); a log of several graphs, an address that
/// names none (Unreadable), each with the addresses that there are.
Result<ir::Model> open(const std::string &address, const Task &task = {});

/// Opens a step that read() has found. context: that of the model; null: one of its own.
Result<ir::Model> openStep(const Step &step, const Task &task = {}, const std::shared_ptr<ir::Context> &context = {});

/// A name can stand for one graph, for graphs that follow each other, or for several sequences of them.
using Found = std::variant<ir::Model, Sequence, Document>;

/// Reads what a user names. One address: as openInKernels(), and one of a sequence, as addressOf() makes it; several:
/// files in a row. Files in a row are a sequence where nothing is to be said of them, and a log is a document, even if
/// it has no graph but tells of compilations. Errors: as read(), and those of a model's format where it knows the file;
/// the file holds no graph (Unreadable).
Result<Found> find(std::span<const std::string> sources, const Task &task = {});

/// Reads a log or files as read(), or by its address one sequence of a log, or one step. Errors: as read() and
/// findStep().
Result<Document> readAt(const std::string &address, const Task &task = {});

/// Names a sequence of a document: "run.log#0/1/backward", "folder#2" where only its place tells it from the others.
std::string addressOf(const Document &document, std::size_t sequence);

/// A step of a document: which of its sequences, and which of that one's steps.
struct StepPlace {
    std::size_t sequence = 0, step = 0;
};

/// A step by its address, with the document that it is in.
struct FoundStep {
    Document document;
    StepPlace place;

    const Sequence &sequence() const { return document.sequences[place.sequence]; }
    const Step &step() const { return sequence().steps[place.step]; }
};

/// Finds the step of an address, or the one step that a file has. Errors: as open().
Result<FoundStep> findStep(const std::string &address, const Task &task = {});

/// Finds the step of a log that a model's path is the address of; nothing if the path is that of a file.
std::optional<FoundStep> stepOfLog(const std::string &path, const Task &task = {});

} // namespace cutaway::sequence
