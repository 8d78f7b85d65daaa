// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/window.h"

#include "app/python/model.h"
#include "app/python/work.h"
#include "core/formats/format.h"
#include "core/ir/model_format.h"

#include <fstream>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <optional>

namespace cutaway::python {

namespace {

namespace fs = std::filesystem;

/// A file to show, and the temporary folder that it lies in, or "".
struct ShownFile {
    fs::path file;
    fs::path folder;
};

/// The program that shows a model, in a session of its own: Ctrl+C in the terminal leaves it alone.
struct WindowHandle {
    nb::object process; ///< a subprocess.Popen
    fs::path folder;
};

fs::path temporaryFolder()
{
    return nb::cast<fs::path>(nb::module_::import_("tempfile").attr("mkdtemp")("", "cutaway-"));
}

void removeFolder(const fs::path &folder)
{
    std::error_code ignored;
    if (!folder.empty())
        fs::remove_all(folder, ignored);
}

// ---------------------------------------------------------------- what can be shown

/// A file for an object of torch or ONNX, known by what it can do: neither is imported.
void saveObject(const nb::handle &object, const fs::path &folder, fs::path &file)
{
    if (nb::hasattr(object, "model_proto"))
        return saveObject(object.attr("model_proto"), folder, file);
    if (nb::hasattr(object, "SerializeToString")) {
        const auto bytes = nb::cast<nb::bytes>(object.attr("SerializeToString")());
        file = folder / "model.onnx";
        std::ofstream(file, std::ios::binary).write(bytes.c_str(), static_cast<std::streamsize>(bytes.size()));
        return;
    }
    const nb::dict modules = nb::module_::import_("sys").attr("modules");
    if (nb::hasattr(object, "graph_signature") && nb::hasattr(object, "graph_module") && modules.contains("torch")) {
        file = folder / "model.pt2";
        modules["torch"].attr("export").attr("save")(object, file.string());
        return;
    }
    if (nb::hasattr(object, "save") && nb::hasattr(object, "graph")) {
        file = folder / "model.pt";
        object.attr("save")(file.string());
        return;
    }
    raise({ErrorKind::Usage,
           "a " + nb::cast<std::string>(object.type().attr("__name__"))
               + " cannot be shown; expected a path, a Model, or a model of torch.export, TorchScript or ONNX",
           {}});
}

void saveShared(const SharedModel &model, const fs::path &folder, fs::path &file)
{
    file =
        folder / ("model." + std::string(ir::isOnnx(*model) || ir::isExportedProgram(*model) ? model->format : "json"));
    auto written = performed([&](const Task &task) { return formats::write(*model, file, task); });
    valueOrRaise(std::move(written), model.file);
}

ShownFile shownFile(const nb::object &object)
{
    if (nb::isinstance<nb::str>(object) || nb::hasattr(object, "__fspath__"))
        return {fs::absolute(nb::cast<fs::path>(object)), {}};
    if (isModel(object) && openedOrHeld(object).isOfFile)
        return {fs::absolute(openedOrHeld(object).file), {}};
    ShownFile shown{{}, temporaryFolder()};
    try {
        isModel(object) ? saveShared(openedOrHeld(object), shown.folder, shown.file)
                        : saveObject(object, shown.folder, shown.file);
    } catch (...) {
        removeFolder(shown.folder);
        throw;
    }
    return shown;
}

// ---------------------------------------------------------------- the program

/// The folder goes with the window, also when Python has ended before it.
constexpr const char *script = "\"$1\" \"$2\"; code=$?; [ -z \"$3\" ] || rm -rf -- \"$3\"; exit $code";

nb::object startedProgram(const std::string &program, const ShownFile &shown, const nb::object &messages)
{
    const nb::module_ subprocess = nb::module_::import_("subprocess");
    nb::list command;
    for (const std::string &word : {std::string("/bin/sh"), std::string("-c"), std::string(script), std::string("sh"),
                                    program, shown.file.string(), shown.folder.string()})
        command.append(word);
    return subprocess.attr("Popen")(command, nb::arg("stdin") = subprocess.attr("DEVNULL"),
                                    nb::arg("stdout") = subprocess.attr("DEVNULL"), nb::arg("stderr") = messages,
                                    nb::arg("start_new_session") = true);
}

std::optional<int> exitCodeOf(const WindowHandle &window)
{
    const nb::object code = window.process.attr("poll")();
    return code.is_none() ? std::nullopt : std::optional(nb::cast<int>(code));
}

/// Raises what the program says if it ends at once: there is no display, Qt is broken.
void expectStart(const WindowHandle &window, const nb::object &messages)
{
    constexpr int checks = 10;
    constexpr double seconds = 0.05;
    for (int i = 0; i < checks && !exitCodeOf(window); ++i)
        nb::module_::import_("time").attr("sleep")(seconds);
    if (exitCodeOf(window).value_or(0) == 0)
        return;
    messages.attr("seek")(0);
    auto text = nb::cast<std::string>(messages.attr("read")().attr("decode")("utf-8", "replace").attr("strip")());
    constexpr std::string_view prefix = "cutaway: ";
    raise({ErrorKind::Backend,
           text.starts_with(prefix) ? text.substr(prefix.size()) : "the window has failed: " + text,
           {}});
}

std::string windowProgram(const std::string &asked)
{
    const nb::object found = nb::module_::import_("shutil").attr("which")(asked);
    if (found.is_none())
        raise({ErrorKind::Backend, "the program '" + asked + "' is not installed; program= says where it is", {}});
    return nb::cast<std::string>(found);
}

int waitForWindow(const WindowHandle &window) { return nb::cast<int>(window.process.attr("wait")()); }

void closeWindow(const WindowHandle &window)
{
    const nb::module_ os = nb::module_::import_("os");
    if (!exitCodeOf(window))
        os.attr("killpg")(window.process.attr("pid"), nb::module_::import_("signal").attr("SIGTERM"));
    waitForWindow(window);
    removeFolder(window.folder);
}

nb::object showAnything(const nb::object &model, const std::string &program, bool wait)
{
    const std::string found = windowProgram(program);
    const ShownFile shown = shownFile(model);
    const nb::object messages = nb::module_::import_("tempfile").attr("TemporaryFile")();
    const WindowHandle window{startedProgram(found, shown, messages), shown.folder};
    expectStart(window, messages);
    if (wait)
        waitForWindow(window);
    return nb::cast(window);
}

} // namespace

void bindWindow(nb::module_ &module)
{
    nb::class_<WindowHandle>(module, "Window", "The window program; it stays open when Python ends.")
        .def_prop_ro("is_open", [](const WindowHandle &window) { return !exitCodeOf(window); })
        .def("wait", waitForWindow, "Waits until the user closes it; the program's exit code.")
        .def("close", closeWindow, "Closes it.");
    module.def(
        "show", showAnything, nb::arg("model"), nb::kw_only(), nb::arg("program") = "cutaway", nb::arg("wait") = false,
        nb::sig("def show(model: typing.Any, *, program: str = 'cutaway', wait: bool = False) -> Window"),
        "Opens Cutaway's window on a path, a Model, an exported program, a ScriptModule, or an ONNX ModelProto.\n"
        "Objects of torch and ONNX are saved into a temporary folder, which goes with the window. Raises Error if\n"
        "the program is not installed or ends at once.");
}

} // namespace cutaway::python
