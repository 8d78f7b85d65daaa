// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/model.h"

#include "app/python/analysed.h"
#include "app/python/beside.h"
#include "app/python/conversion.h"
#include "app/python/graph.h"
#include "app/python/objects.h"
#include "app/python/parts.h"
#include "app/python/reports.h"
#include "app/python/shown/drawn.h"
#include "app/python/shown/paged.h"
#include "app/python/steps.h"
#include "app/python/weight.h"
#include "app/python/work.h"
#include "core/formats/format.h"
#include "core/ir/context.h"
#include "core/ir/names.h"
#include "core/node_data/table.h"
#include "core/request/named_function.h"
#include "core/survey/model_files.h"
#include "core/trace/recorded_model.h"

#include <deque>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace cutaway::python {

namespace {

/// A model as Python holds it. The functions are made once, so that nodes compare equal however they were reached.
struct ModelHandle {
    SharedModel shared;
    std::vector<FunctionHandle> functions;

    explicit ModelHandle(SharedModel model) : shared(std::move(model))
    {
        for (SharedFunction &function : recordedFunctions(shared))
            functions.push_back({std::move(function)});
    }
};

SharedModel openFile(const std::filesystem::path &path)
{
    auto opened = performed([&](const Task &task) { return trace::open(path.string(), task); });
    SharedModel shared;
    shared.model = std::make_shared<const ir::Model>(valueOrRaise(std::move(opened), path.string()));
    shared.file = path.string();
    shared.isOfFile = true;
    return shared;
}

/// Opens a model at a URL from the byte ranges that have been fetched.
ModelHandle openFetched(const std::filesystem::path &file, const std::string &url, const nb::dict &ranges)
{
    const FetchedParts parts = fetchedParts(file, url, ranges);
    SharedModel shared;
    shared.model = std::make_shared<const ir::Model>(
        valueOrRaise(performed([&](const Task &task) { return openParts(parts, task); }), url));
    shared.file = url;
    return ModelHandle(std::move(shared));
}

/// Opens a file that the caller removes afterwards. Errors name the file `name`. With `keepsFolder`, the file's folder
/// also has weights, and is removed with the model.
ModelHandle openSaved(const std::filesystem::path &path, const std::string &name, bool keepsFolder)
{
    SharedModel shared = openFile(path);
    if (keepsFolder && path.is_absolute() && path.parent_path().filename().string().starts_with("cutaway-"))
        shared.folder = std::make_shared<const TemporaryFolder>(TemporaryFolder::adopt(path.parent_path()));
    shared.file = name;
    shared.isOfFile = false;
    return ModelHandle(std::move(shared));
}

bool isPath(const nb::handle &object) { return nb::isinstance<nb::str>(object) || nb::hasattr(object, "__fspath__"); }

nb::object openPath(const std::filesystem::path &path, bool weights)
{
    if (survey::isUrl(path.string()))
        return moduleBeside("cutaway_remote.files").attr("opened")(path.string(), weights);
    return nb::cast(ModelHandle(openFile(path)));
}

nb::object openAnything(const nb::object &model, const nb::args &args, bool weights, const nb::object &dynamicShapes,
                        const nb::kwargs &kwargs)
{
    const bool isNamed = model.is_none() && args.size() == 0 && kwargs.size() == 1 && kwargs.contains("path");
    if (isNamed && isPath(kwargs["path"])) // the name that the argument had when models were files alone
        return openPath(nb::cast<std::filesystem::path>(kwargs["path"]), weights);
    const bool hasInputs = args.size() > 0 || kwargs.size() > 0 || !dynamicShapes.is_none();
    if (isPath(model) && !hasInputs)
        return openPath(nb::cast<std::filesystem::path>(model), weights);
    return moduleBeside("cutaway_live").attr("opened")(model, args, kwargs, dynamicShapes);
}

FunctionHandle functionNamed(const ModelHandle &model, const std::string &name)
{
    return model.functions[valueOrRaise(request::findFunction(*model.shared, name), model.shared.file).index];
}

std::vector<WeightHandle> weightsOf(const ModelHandle &model)
{
    std::vector<bool> isPart(model.shared->tensors.size());
    for (const ir::Tensor &tensor : model.shared->tensors)
        for (const ir::TensorId part : tensor.parts)
            isPart[part.index] = true;
    std::vector<WeightHandle> weights;
    for (std::uint32_t i = 0; i < model.shared->tensors.size(); ++i)
        if (!isPart[i])
            weights.push_back({model.shared, ir::TensorId{i}});
    return weights;
}

WeightHandle weightNamed(const ModelHandle &model, const std::string &name)
{
    for (const WeightHandle &weight : weightsOf(model))
        if (model.shared->context->text(weight->name) == name)
            return weight;
    throw nb::key_error(("no weight is called '" + name + "'").c_str());
}

void saveModel(const ModelHandle &model, const std::filesystem::path &path)
{
    const auto write = [&](const Task &task) -> Result<void> {
        const ContextLock lock(model.shared, task);
        return lock.isHeld() ? formats::write(*model.shared, path, task) : cancelled();
    };
    valueOrRaise(performed(write), path.string());
}

nb::list diagnosticsOf(const ModelHandle &model)
{
    nb::list rows;
    for (const ir::Diagnostic &each : model.shared->diagnostics) {
        nb::dict row;
        row["severity"] = std::string(ir::name(each.severity));
        row["code"] = each.code;
        row["message"] = readable(each.message);
        row["node"] = each.node ? nb::object(nb::int_(each.node->index)) : nb::none();
        rows.append(row);
    }
    return rows;
}

template <class Pairs>
nb::dict dictOf(const Pairs &pairs)
{
    nb::dict dict;
    for (const auto &[key, value] : pairs) {
        const std::string name = readable(key);
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>)
            dict[nb::str(name.data(), name.size())] = readable(value);
        else
            dict[nb::str(name.data(), name.size())] = value;
    }
    return dict;
}

/// Returns the path of the file that the model was read from; None if the model is not as it was read.
nb::object fileOf(const ModelHandle &model)
{
    const std::string &file = model.shared.file;
    if (!model.shared.isOfFile)
        return nb::none();
    return nb::steal(PyUnicode_DecodeFSDefaultAndSize(file.data(), static_cast<Py_ssize_t>(file.size())));
}

std::string modelText(const ModelHandle &model)
{
    return "<Model " + readable(model.shared.file) + ": " + model.shared->format + ">";
}

// ---------------------------------------------------------------- questions

using Names = std::vector<std::string>;

nb::object inspectModel(const ModelHandle &model, const nb::object &bind, const nb::object &inputs,
                        const std::string &device, const std::string &function, const std::string &sweep)
{
    return inspected(model.shared, requestTexts(model.shared, function, bind, inputs), device, sweep);
}

nb::object analyseModel(const ModelHandle &model, const nb::object &bind, const nb::object &inputs,
                        const std::string &device, const std::string &function)
{
    return analysed(model.shared, requestTexts(model.shared, function, bind, inputs), device);
}

nb::object runPasses(const ModelHandle &model, const std::string &pipeline, const nb::object &bind,
                     const nb::object &inputs, const std::string &function, const Names &patterns, bool checkNumbers)
{
    return stepped(model.shared,
                   {requestTexts(model.shared, function, bind, inputs), pipeline, patterns, checkNumbers});
}

nb::object lintModel(const ModelHandle &model, const Names &rules, const Names &without, bool all, bool coreAten,
                     std::optional<std::int64_t> opset, const nb::object &bind, const nb::object &inputs,
                     const std::string &function)
{
    return linted(model.shared, requestTexts(model.shared, function, bind, inputs),
                  {{rules, without, {}, all}, coreAten, opset});
}

/// Returns a table from a file, or from a dict or list in a form of JSON; nothing for None. Raises an error if it is no
/// table.
std::optional<node_data::Table> tableOf(const nb::object &data)
{
    if (data.is_none())
        return std::nullopt;
    if (!nb::isinstance<nb::dict>(data) && !nb::isinstance<nb::list>(data)) {
        const auto path = nb::cast<std::filesystem::path>(data);
        return valueOrRaise(node_data::readTable(path), path.string());
    }
    const auto json = nb::cast<std::string>(nb::module_::import_("json").attr("dumps")(data));
    return valueOrRaise(node_data::parseTable(json), "data");
}

nb::object drawModel(const ModelHandle &model, std::optional<int> depth, bool flat, bool all, bool dark,
                     const nb::object &data, const std::string &colourBy, const std::string &function)
{
    return drawn(model.shared, {function, depth, flat, all, dark, tableOf(data), colourBy});
}

nb::object pageOfModel(const ModelHandle &model, const nb::object &bind, const nb::object &inputs,
                       const std::string &device, const std::string &function, const nb::object &profile)
{
    const auto saved =
        profile.is_none() ? std::string() : nb::cast<std::string>(nb::module_::import_("json").attr("dumps")(profile));
    return paged(model.shared, requestTexts(model.shared, function, bind, inputs), device, saved);
}

nb::object convertModel(const ModelHandle &model, const std::string &to, std::int64_t opset, const nb::object &bind,
                        const nb::object &inputs, const std::string &function, bool keepUnknown)
{
    return converted(model.shared, requestTexts(model.shared, function, bind, inputs), to, opset, keepUnknown);
}

void bindContent(nb::class_<ModelHandle> &model)
{
    model.def_prop_ro("path", [](const ModelHandle &m) { return readable(m.shared->path); })
        .def_prop_ro(
            "format", [](const ModelHandle &m) { return m.shared->format; }, "'torchscript', 'pt2' or 'onnx'.")
        .def_prop_ro("format_version", [](const ModelHandle &m) { return readableOrNone(m.shared->formatVersion); })
        .def_prop_ro("producer", [](const ModelHandle &m) { return readableOrNone(m.shared->producer); })
        .def_prop_ro("producer_version", [](const ModelHandle &m) { return readableOrNone(m.shared->producerVersion); })
        .def_prop_ro("name", [](const ModelHandle &m) { return readableOrNone(m.shared->name); })
        .def_prop_ro("documentation", [](const ModelHandle &m) { return readableOrNone(m.shared->documentation); })
        .def_prop_ro(
            "opsets", [](const ModelHandle &m) { return dictOf(m.shared->opsets); },
            nb::sig("def opsets(self) -> dict[str, int]"), "Versions of operator sets: {'ai.onnx': 17}.")
        .def_prop_ro(
            "metadata", [](const ModelHandle &m) { return dictOf(m.shared->metadata); },
            nb::sig("def metadata(self) -> dict[str, str]"))
        .def_prop_ro(
            "functions", [](const ModelHandle &m) { return m.functions; }, "All of them, the main one first.")
        .def_prop_ro(
            "graph", [](const ModelHandle &m) { return GraphHandle{functionNamed(m, "").state, ir::Graph::body}; },
            "The main function's graph. Its types are those that the file records; analyse().graph has what\n"
            "is derived.")
        .def("function", functionNamed, nb::arg("name"), "The function of this name; Error where there is none.")
        .def_prop_ro("weights", weightsOf, "Parameters, buffers and constants of the file; none of them is read yet.")
        .def("weight", weightNamed, nb::arg("name"), "The weight of this name; KeyError where there is none.")
        .def_prop_ro(
            "symbols", [](const ModelHandle &m) { return m.shared->symbols; }, "The sizes that are not fixed.")
        .def_prop_ro("diagnostics", diagnosticsOf, nb::sig("def diagnostics(self) -> list[dict[str, typing.Any]]"),
                     "What is wrong with the file, or unknown of it.")
        .def_prop_ro("_file", fileOf)
        .def("save", saveModel, nb::arg("path"),
             "Writes the model in the format that the suffix names: that of its file, or .json.")
        .def("_repr_html_", [](const ModelHandle &m) { return framed(m.shared); })
        .def("__repr__", modelText);
}

const char *requestDoc =
    "\n\n"
    "bind: values of size symbols, {'s0': 8}.\n"
    "inputs: what inputs are, by name. A tuple is a shape in elements, with the dtype of the file\n"
    "or its own: (8, 3, 224, 224), ((8, 3), 'float16'); a size may be a name, which becomes a\n"
    "symbol: ('N', 3). A list has the elements of a tensor or list, a number is one, and a str is\n"
    "what the command line takes: '8x3:float32', '@x.npy'. Anything with a shape and a dtype, such\n"
    "as an array, stands for these two.\n"
    "function: its name; '' is the main one.";

void bindQuestions(nb::class_<ModelHandle> &model)
{
    std::deque<std::string> docs; // keeps the texts until nanobind has copied them
    const auto doc = [&](const char *text) { return docs.emplace_back(std::string(text) + requestDoc).c_str(); };
    model
        .def("inspect", inspectModel, nb::kw_only(), nb::arg("bind") = nb::none(), nb::arg("inputs") = nb::none(),
             nb::arg("device") = "", nb::arg("function") = "", nb::arg("sweep") = "",
             nb::sig("def inspect(self, *, bind: dict[str, int] | None = None, inputs: dict[str, typing.Any] | None = "
                     "None, device: str = '', function: str = '', sweep: str = '') -> dict[str, typing.Any]"),
             doc("Everything as a dict: what 'cutaway-cli inspect --json' writes (schema cutaway.report/1). With "
                 "sweep,\n"
                 "'s0=1:64:*2', the costs against a symbol instead (schema cutaway.sweep/1)."))
        .def("analyse", analyseModel, nb::kw_only(), nb::arg("bind") = nb::none(), nb::arg("inputs") = nb::none(),
             nb::arg("device") = "", nb::arg("function") = "",
             nb::sig("def analyse(self, *, bind: dict[str, int] | None = None, inputs: dict[str, typing.Any] | None = "
                     "None, device: str = '', function: str = '') -> Analysis"),
             doc("Derives shapes, costs and memory. device: the id of one of devices(), for lower bounds of times."))
        .def(
            "passes", runPasses, nb::arg("pipeline") = "", nb::kw_only(), nb::arg("bind") = nb::none(),
            nb::arg("inputs") = nb::none(), nb::arg("function") = "", nb::arg("patterns") = Names(),
            nb::arg("check_numbers") = false,
            nb::sig("def passes(self, pipeline: str = '', *, bind: dict[str, int] | None = None, inputs: dict[str, "
                    "typing.Any] | None = None, function: str = '', patterns: list[str] = [], check_numbers: bool = "
                    "False) -> Steps"),
            doc("Runs passes, 'fold-batch-norm,dead-code', 'optimize'; '' is the default pipeline. patterns: files of\n"
                "graphs and what replaces them. check_numbers: compute the results after each pass on random inputs."))
        .def("lint", lintModel, nb::arg("rules") = Names(), nb::kw_only(), nb::arg("without") = Names(),
             nb::arg("all") = false, nb::arg("core_aten") = false, nb::arg("opset") = nb::none(),
             nb::arg("bind") = nb::none(), nb::arg("inputs") = nb::none(), nb::arg("function") = "",
             nb::sig("def lint(self, rules: list[str] = [], *, without: list[str] = [], all: bool = False, core_aten: "
                     "bool = False, opset: int | None = None, bind: dict[str, int] | None = None, inputs: dict[str, "
                     "typing.Any] | None = None, function: str = '') -> dict[str, typing.Any]"),
             doc("What 'cutaway-cli lint --json' writes (schema cutaway.lint/1): 'findings' has a dict for each."))
        .def("page", pageOfModel, nb::kw_only(), nb::arg("bind") = nb::none(), nb::arg("inputs") = nb::none(),
             nb::arg("device") = "", nb::arg("function") = "", nb::arg("profile") = nb::none(),
             nb::sig("def page(self, *, bind: dict[str, int] | None = None, inputs: dict[str, typing.Any] | None = "
                     "None, device: str = '', function: str = '', profile: dict[str, typing.Any] | None = None) -> "
                     "Page"),
             doc("An interactive page of the graph. device: the id of one of devices(), for lower bounds of times.\n"
                 "profile: measured times, the document of 'cutaway-cli profile --json'."))
        .def("draw", drawModel, nb::kw_only(), nb::arg("depth") = nb::none(), nb::arg("flat") = false,
             nb::arg("all") = false, nb::arg("dark") = false, nb::arg("data") = nb::none(), nb::arg("colour_by") = "",
             nb::arg("function") = "",
             nb::sig("def draw(self, *, depth: int | None = None, flat: bool = False, all: bool = False, dark: bool = "
                     "False, data: str | os.PathLike | dict[str, typing.Any] | list[dict[str, typing.Any]] | None = "
                     "None, colour_by: str = '', function: str = '') -> Drawing"),
             "Draws the graph. Modules are expanded as far as the picture stays readable, or down to depth, or all of\n"
             "them; flat: nodes alone. data: a table of your own with a row per node, a file or {'conv1': {'latency':\n"
             "0.5}}, which colour_by='data.latency' colours the nodes by.")
        .def("convert", convertModel, nb::kw_only(), nb::arg("to") = "onnx", nb::arg("opset") = convert::defaultOpset,
             nb::arg("bind") = nb::none(), nb::arg("inputs") = nb::none(), nb::arg("function") = "",
             nb::arg("keep_unknown") = false,
             nb::sig(
                 "def convert(self, *, to: str = 'onnx', opset: int = 22, bind: dict[str, int] | None = None, inputs: "
                 "dict[str, typing.Any] | None = None, function: str = '', keep_unknown: bool = False) -> "
                 "Conversion"),
             doc("Makes an ONNX model of a TorchScript or torch.export model, or with to='pt2' a torch.export program\n"
                 "of TorchScript or ONNX. keep_unknown: operators that ONNX lacks stay, in a domain of their own."));
}

void bindSymbol(nb::module_ &module)
{
    nb::class_<ir::Symbol>(module, "Symbol", "A size that is not fixed, with its range, bounds included.")
        .def_prop_ro("name", [](const ir::Symbol &symbol) { return readable(symbol.name); })
        .def_ro("min", &ir::Symbol::min)
        .def_ro("max", &ir::Symbol::max)
        .def_ro("hint", &ir::Symbol::hint, "Its value in the inputs that the model was exported with.")
        .def("__repr__", [](const ir::Symbol &symbol) { return "<Symbol " + readable(symbol.name) + ">"; });
}

} // namespace

nb::object modelObject(SharedModel model) { return nb::cast(ModelHandle(std::move(model))); }

bool isModel(const nb::handle &object) { return nb::isinstance<ModelHandle>(object); }

SharedModel openedOrHeld(const nb::handle &modelOrPath)
{
    if (isModel(modelOrPath))
        return nb::cast<const ModelHandle &>(modelOrPath).shared;
    if (!isPath(modelOrPath))
        throw nb::type_error("expected a Model or a path");
    const nb::object opened = openPath(nb::cast<std::filesystem::path>(modelOrPath), false);
    return nb::cast<const ModelHandle &>(opened).shared;
}

void bindModel(nb::module_ &module)
{
    bindSymbol(module);
    nb::class_<ModelHandle> model(module, "Model", "The content of one model file. Nothing of the file is ever run.");
    bindContent(model);
    bindQuestions(model);
    module.def(
        "open", openAnything, nb::arg() = nb::none(), nb::arg("args"), nb::arg("weights") = false,
        nb::arg("dynamic_shapes") = nb::none(), nb::arg("kwargs"),
        nb::sig("def open(model: typing.Any = None, /, *args: typing.Any, weights: bool = False, dynamic_shapes: "
                "typing.Any = None, **kwargs: typing.Any) -> Model"),
        "Opens a file: TorchScript, torch.export .pt2, ONNX, or a .json that Cutaway has written. Weights are not "
        "read.\n"
        "Raises Error where the file cannot be read; what is wrong but readable is in Model.diagnostics. A path may "
        "be\n"
        "a URL of all that fsspec reads (http, s3, sftp): what the model needs is fetched, and weights of more than\n"
        "8 KiB only with weights=True; without, they have no elements and say so.\n\n"
        "Opens an object too: an ExportedProgram, GraphModule, ScriptModule, ONNX ModelProto or program of "
        "onnxscript,\n"
        "or a torch.nn.Module, which its own torch exports with the inputs args and kwargs (and dynamic_shapes, as of\n"
        "torch.export.export). Raises ExportFailure where that fails: how far it came, the line, why.");
    module.def("_open_fetched", openFetched);
    module.def("_open_saved", openSaved, nb::arg("path"), nb::arg("name"), nb::arg("keeps_folder") = false);
}

} // namespace cutaway::python
