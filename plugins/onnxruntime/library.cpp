// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/library.h"

#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

namespace cutaway::plugins {

namespace {

/// Silences standard error while it lives. Debian's library and the libonnx that it is linked to both register all
/// operators, which prints a thousand meaningless lines. They would hide useful messages when the plugin fails.
/// Operators are registered with the first model, so a model of a single node is loaded here.
class Silence {
public:
    Silence() : m_kept(dup(STDERR_FILENO))
    {
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
    ~Silence()
    {
        dup2(m_kept, STDERR_FILENO);
        close(m_kept);
    }
    Silence(const Silence &) = delete;
    Silence &operator=(const Silence &) = delete;

private:
    int m_kept;
};

void registerOperators()
try {
    const Silence silence;
    // A model of IR version 8 and opset 17 with a graph "g": y = Abs(x), both float32 without dimensions.
    constexpr char model[] = "\x08\x08\x3a\x2a\x0a\x0b\x0a\x01x\x12\x01y\x22\x03"
                             "Abs\x12\x01g\x5a\x0b\x0a\x01x\x12\x06\x0a\x04"
                             "\x08\x01\x12\x00\x62\x0b\x0a\x01y\x12\x06\x0a\x04\x08\x01\x12\x00\x42\x02\x10\x11";
    Ort::SessionOptions options;
    options.SetIntraOpNumThreads(1); // no further threads are started
    const Ort::Session session(environment(), static_cast<const char *>(model), sizeof model - 1, options);
} catch (const Ort::Exception &fault) {
    std::fprintf(stderr, "%s\n", fault.what()); // the next model fails in the same way, with its error reported
}

} // namespace

Ort::Env &environment()
{
    static Ort::Env environment(ORT_LOGGING_LEVEL_FATAL, "cutaway");
    return environment;
}

Result<std::string> loadLibrary(const char *file)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    using GetApiBase = const OrtApiBase *(*)();
    const auto base = library ? reinterpret_cast<GetApiBase>(dlsym(library, "OrtGetApiBase")) : nullptr;
    const OrtApi *api = base ? base()->GetApi(ORT_API_VERSION) : nullptr;
    if (!api) {
        const char *reason = dlerror();
        return std::unexpected(
            Error{ErrorKind::Backend,
                  std::string("ONNX Runtime cannot be loaded: ")
                      + (reason ? reason : "its version is not the one that the plugin was built for"),
                  {}});
    }
    Ort::InitApi(api);
    registerOperators();
    return base()->GetVersionString();
}

} // namespace cutaway::plugins
