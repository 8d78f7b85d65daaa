// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"

#include <span>
#include <string_view>

namespace cutaway::formats {

namespace archive {
class Probe;
}

struct Written;

/// A file format of models. Reading never runs anything: no pickle is executed, and no page of weights is touched.
struct Format {
    std::string_view name;        ///< as in reports: "onnx"
    std::string_view description; ///< "ONNX model"
    std::string_view suffixes;    ///< for file dialogs: "*.onnx"
    /// Whether the file's first bytes and directory are of this format; this is fast, and true for at most one format.
    bool (*sniff)(const archive::Probe &file);
    /// Reads the whole model. Partly bad content becomes diagnostics. Errors: Unreadable: content that cannot be used,
    /// with its position; Cancelled.
    Result<ir::Model> (*read)(const archive::Probe &file, const Task &task);
    /// Writes the files of a model that this format's reader has read, whatever was changed since, and reads them
    /// back. nullptr: the format cannot be written. Errors: those of write() below.
    Result<Written> (*write)(const ir::Model &model, const std::filesystem::path &path, const Task &task) = nullptr;
};

/// Returns all formats, in the order in which open() asks them.
std::span<const Format> formats();

/// Returns the format of the file; nullptr if it is of none.
const Format *formatOf(const archive::Probe &file);

/// Whether models that were read from this format can be written in it.
bool isWritable(std::string_view format);

/// Opens a file: maps it, asks every format, and reads it with the one that knows it. Errors: those of
/// MappedFile::open() and Format::read; the file was changed meanwhile; no format knows the file. The last error says
/// what the file is, if that can be recognized (recognize.h), and what to do.
Result<ir::Model> open(const std::filesystem::path &path, const Task &task = {});

/// Writes a model in the format that the path's suffix names: the format of the file that the model was read from, or
/// `.json`, which can express every model. The new file is read back and compared with the model before it takes the
/// name `path`, which may be that of the file that the model was read from: that file is then replaced as a whole.
/// After an error nothing has changed. Errors: Usage for another suffix and for what the format cannot express, with
/// the node; Unreadable for weights that cannot be read; Backend for errors of the disk, and if the file does not read
/// back as the model.
Result<void> write(const ir::Model &model, const std::filesystem::path &path, const Task &task = {});

} // namespace cutaway::formats
