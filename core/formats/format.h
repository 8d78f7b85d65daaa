// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"

#include <memory>
#include <span>
#include <string_view>

namespace cutaway::formats {

namespace archive {
class Probe;
}

struct Written;

/// One model file format. Opening is reading, never running: no pickle is executed, no weight page touched.
struct Format {
    std::string_view name;        ///< as in reports: "onnx"
    std::string_view description; ///< "ONNX model"
    std::string_view suffixes;    ///< for file dialogs: "*.onnx"
    /// Whether the file is of this format, from its first bytes and directory; cheap, and true at most for one format.
    bool (*sniff)(const archive::Probe &file);
    /// Reads the whole model. Partly bad content becomes diagnostics. Errors: Unreadable: content that cannot be used,
    /// with its position; Cancelled.
    Result<ir::Model> (*read)(const archive::Probe &file, const Task &task);
    /// Makes the files of a model that this format's reader has read, whatever was changed since, and reads them.
    /// nullptr: the format cannot be written. Errors: as write() below.
    Result<Written> (*write)(const ir::Model &model, const std::filesystem::path &path, const Task &task) = nullptr;
};

/// All formats, in the order in which open() asks them.
std::span<const Format> formats();

/// The format that the file is of; nullptr: of none.
const Format *formatOf(const archive::Probe &file);

/// Whether models of this format can be written in it.
bool isWritable(std::string_view format);

/// Opens a file: maps it, asks every format, reads it with the one that knows it. Errors: those of MappedFile::open()
/// and Format::read; the file changed meanwhile; a file of no format, with what it is, where that can be recognized
/// (recognize.h), and what to do.
Result<ir::Model> open(const std::filesystem::path &path, const Task &task = {});

/// Writes a model in the format of the path's suffix: that of the file it was read from, or `.json`, which can express
/// every model. The new file is read back and compared with the model before it takes the name `path`, which may be
/// that of the file that the model was read from: that file is then replaced as a whole. After an error everything is
/// as it was. Errors: Usage for another suffix and for what the format cannot express, with the node; Unreadable for
/// weights that cannot be read; Backend for errors of the disk, and where the file does not read back as the model.
Result<void> write(const ir::Model &model, const std::filesystem::path &path, const Task &task = {});

} // namespace cutaway::formats
