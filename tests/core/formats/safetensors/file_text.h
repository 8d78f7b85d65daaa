// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::formats::safetensors {

/// A file of this header and these bytes.
inline std::string fileText(std::string_view header, std::string_view data)
{
    std::string file;
    for (int byte = 0; byte < 8; ++byte)
        file += static_cast<char>(std::uint64_t{header.size()} >> (8 * byte));
    return file.append(header).append(data);
}

} // namespace cutaway::formats::safetensors
