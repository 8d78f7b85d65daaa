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

/// A model's new files, complete and read again, but not yet in their places.
struct Written {
    std::vector<PartFile> parts; ///< in the order in which they take their places
    ir::Model content;           ///< what the format's reader finds in them
    /// The weights of the model that was written, with the names that they have in the files.
    std::vector<std::pair<ir::TensorId, std::string>> weights;
    bool namesOutputs = true; ///< whether outputs have names of their own there, or those of their values
};

/// What a reader finds in a part. Errors: Backend, since the writer has made what its reader does not take.
inline Result<ir::Model> readBack(Result<ir::Model> content)
{
    if (!content && content.error().kind != ErrorKind::Cancelled)
        return backendError("the file was not written, since it could not be read back: " + content.error().message,
                            content.error().where);
    return content;
}

/// Whether the files say the model: each function's inputs and outputs by name, type and known sizes, its operators by
/// number, each weight by its type and all of its bytes. Bytes that both have in one range of one file are not read.
/// Errors: Backend, with what differs; cancelled.
Result<void> checkWritten(const ir::Model &model, const Written &written, const Task &task);

} // namespace cutaway::formats
