// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/base/whole_file.h"
#include "core/ir/model.h"

#include <string>
#include <utility>
#include <vector>

namespace cutaway::formats {

/// A model's new files, complete and read again, but not yet under their final names.
struct Written {
    std::vector<PartFile> parts; ///< in the order in which they take their places
    ir::Model content;           ///< the model that the format's reader finds in them
    /// The weights of the model that was written, with the names that they have in the files.
    std::vector<std::pair<ir::TensorId, std::string>> weights;
    bool namesOutputs = true; ///< whether outputs have names of their own there, or those of their values
};

/// The model that a reader finds in a new file. Errors: Backend, since the writer has made a file that its reader
/// refuses.
inline Result<ir::Model> readBack(Result<ir::Model> content)
{
    if (!content && content.error().kind != ErrorKind::Cancelled)
        return backendError("the file was not written, since it could not be read back: " + content.error().message,
                            content.error().where);
    return content;
}

/// Checks that the files contain the model: each function's inputs and outputs by name, type and known sizes, its
/// operators by number, each weight by its type and all of its bytes. Bytes that both have in one range of one file are
/// not read. Errors: Backend, with what differs; cancelled.
Result<void> checkWritten(const ir::Model &model, const Written &written, const Task &task);

} // namespace cutaway::formats
