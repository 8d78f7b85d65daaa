// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"

#include <cstdlib>

namespace cutaway {

Result<TemporaryFolder> TemporaryFolder::make()
{
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "cutaway-XXXXXX").string();
    if (error || !mkdtemp(name.data()))
        return std::unexpected(Error{ErrorKind::Backend, "no folder for temporary files can be made", name});
    return TemporaryFolder(name);
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, ignored);
}

} // namespace cutaway
