// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/ir/model.h"

#include <string>
#include <utility>
#include <vector>

namespace cutaway {
struct Task;
}

namespace cutaway::formats {

/// The new files of a model, which are complete and were read again, but do not have their final names yet.
struct Written {
    std::vector<PartFile> parts; ///< in the order in which they get their final names
    ir::Model content;           ///< the model that the format's reader reads from them
    /// The weights of the model that was written, with the names that they have in the files.
    std::vector<std::pair<ir::TensorId, std::string>> weights;
    bool namesOutputs = true; ///< whether outputs have names of their own in the files, not those of their values
};

/// Returns `content`, which a reader has read from a new file. An error becomes one of the kind Backend, since the
/// reader refuses what was written; cancelled stays cancelled.
inline Result<ir::Model> readBack(Result<ir::Model> content)
{
    if (!content && content.error().kind != ErrorKind::Cancelled)
        return backendError("the file was not written, since it could not be read back: " + content.error().message,
                            content.error().where);
    return content;
}

/// Checks that the files contain the model: each function's inputs and outputs by name, type and known sizes, the
/// operators by their number of nodes, each weight by its type and all of its bytes. Bytes that are the same range of
/// the same file in both are not read. Errors: Backend, with what differs; cancelled.
Result<void> checkWritten(const ir::Model &model, const Written &written, const Task &task);

} // namespace cutaway::formats
