// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/models/libraries.h"

#include <c10/util/Exception.h>
#include <dlfcn.h>

namespace cutaway::plugins {

namespace {

/// Loads a library of operators. The code that registers them runs while the library is loaded, and throws an exception
/// if torch has them already.
Result<void> loadLibrary(const std::string &path)
try {
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
        return {};
    const char *const why = dlerror();
    return usageError(std::string("the library of operators cannot be loaded: ") + (why ? why : "no reason is given"));
} catch (const c10::Error &error) {
    return usageError(std::string("the library of operators cannot be loaded: ") + error.what_without_backtrace(),
                      path);
}

} // namespace

Result<void> loadLibraries(std::span<const std::string> paths)
{
    for (const std::string &path : paths)
        if (auto loaded = loadLibrary(path); !loaded)
            return loaded;
    return {};
}

} // namespace cutaway::plugins
