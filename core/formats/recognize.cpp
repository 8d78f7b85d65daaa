// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/recognize.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/formats/archive/little_endian.h"
#include "core/formats/archive/probe.h"

#include <algorithm>
#include <array>

namespace cutaway::formats {

namespace {

using namespace std::string_view_literals;
using archive::asText;
using archive::Pickle;
using archive::Zip;
using Bytes = std::span<const std::byte>;
using Sentence = std::optional<std::string>;

constexpr std::string_view exportIt = "export the model with torch.export.save or torch.onnx.export and open that";
constexpr std::string_view saveIt = "save it with torch.save of a current PyTorch and open that";
constexpr std::string_view sourceIt = "open the model file it was made from";

struct Signature {
    std::size_t offset;
    std::string_view magic;
    std::string_view what;
    std::string_view advice;
};

constexpr Signature signatures[] = {
    {4, "PTMF", "a PyTorch mobile module in flatbuffer form", "save the module without _use_flatbuffer and open that"},
    {4, "ET12", "an ExecuTorch program (.pte)", "open the .pt2 file it was lowered from"},
    {4, "ORTM", "a model in ONNX Runtime's own ORT format", "open the .onnx file it was converted from"},
    {4, "TFL3", "a TensorFlow Lite model", "convert it to ONNX with tf2onnx and open that"},
    {0, "\x08\x01\x12", "a TensorFlow SavedModel", "convert it to ONNX with tf2onnx and open that"},
    {0, "\x89HDF\r\n\x1a\n", "an HDF5 file, as Keras writes models",
     "convert the model to ONNX with tf2onnx and open that"},
    {0, "GGUF", "a GGUF file: weights for llama.cpp without a graph", exportIt},
    {0, "\x93NUMPY", "a NumPy array", "give it as an input, not as a model"},
    {257, "ustar", "a tar archive, as PyTorch 0.1 saved models and others pack them",
     "unpack it, or save the model again with a current PyTorch"},
    {0, "\xff\xd8\xff", "a JPEG image", sourceIt},
    {0, "\x89PNG\r\n\x1a\n", "a PNG image", sourceIt},
    {0, "GIF8", "a GIF image", sourceIt},
    {0, "%PDF-", "a PDF document", sourceIt},
    {0, "\x1f\x8b", "a gzip-compressed file", "decompress it with gunzip and open the result"},
    {0, "BZh", "a bzip2-compressed file", "decompress it with bunzip2 and open the result"},
    {0,
     "\xfd"
     "7zXZ\0"sv,
     "an xz-compressed file", "decompress it with unxz and open the result"},
    {0, "\x28\xb5\x2f\xfd", "a zstd-compressed file", "decompress it with unzstd and open the result"},
    {0, "7z\xbc\xaf\x27\x1c", "a 7-zip archive", "unpack it and open the model inside"},
    {0,
     "\x7f"
     "ELF",
     "a program or shared library", sourceIt},
    {0, "version https://git-lfs", "a Git LFS pointer, not the file itself", "fetch the file with git lfs pull"},
    {0, "<!DOCTYPE html", "a web page, probably an error page saved as the model", "download the model again"},
    {0, "<!doctype html", "a web page, probably an error page saved as the model", "download the model again"},
    {0, "<html", "a web page, probably an error page saved as the model", "download the model again"},
    {0, "ir_version:", "an ONNX model in protobuf's text form", "convert it to the binary form with onnx.save"},
    {0, "\xff\xfe", "a text file in UTF-16", "open the model file itself"},
    {0, "\xfe\xff", "a text file in UTF-16", "open the model file itself"},
};

std::string sentence(std::string_view what, std::string_view advice) { return formatted("{}; {}", what, advice); }

Sentence bySignature(Bytes bytes)
{
    for (const Signature &s : signatures)
        if (bytes.size() >= s.offset + s.magic.size() && asText(bytes.subspan(s.offset, s.magic.size())) == s.magic)
            return sentence(s.what, s.advice);
    return std::nullopt;
}

/// Describes a JSON text by the keys near its beginning; torch.profiler lists a trace's devices before the events.
std::string aboutJson(Bytes bytes)
{
    constexpr std::size_t beginning = 65'536;
    const std::string_view start = asText(bytes.first(std::min(bytes.size(), beginning)));
    const auto has = [&](std::string_view key) { return start.contains(key); };
    if (has("\"traceEvents\"") || (has("\"ph\"") && has("\"ts\"")))
        return sentence("a trace of a run, as torch.profiler and ONNX Runtime write it", "open the model that was run");
    if (has("\"graph_module\""))
        return sentence("the program of a .pt2 file without its archive", "open the whole .pt2 file");
    return sentence("a JSON text", "open the model file itself");
}

Sentence byText(Bytes bytes)
{
    const std::string_view start = asText(bytes.first(std::min<std::size_t>(bytes.size(), 512)));
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    const bool isText = std::ranges::none_of(start, [](char c) {
        return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f';
    });
    // A multi-byte character that is cut at the end of the sample does not make the file binary.
    const std::string_view whole = start.substr(0, start.size() - std::min<std::size_t>(start.size(), 3));
    if (!isText || first == start.npos || sanitized(whole, true).contains("\uFFFD"))
        return std::nullopt;
    if (start[first] == '{' || start[first] == '[')
        return aboutJson(bytes);
    return sentence("a text file", "open the model file itself");
}

// Pickles: they are described by what the object at the top would be.

std::size_t tensorsIn(const Pickle &pickle, Pickle::ValueId dict)
{
    const auto entries = pickle.entries(dict);
    return entries ? static_cast<std::size_t>(std::ranges::count_if(
                         *entries, [&](const auto &e) { return archive::pickledTensor(pickle, e.second).has_value(); }))
                   : 0;
}

std::string aboutDict(const Pickle &pickle, Pickle::ValueId dict)
{
    if (const std::size_t tensors = tensorsIn(pickle, dict))
        return sentence(
            formatted("a PyTorch state_dict of {} in a form before PyTorch 1.6", quantity(tensors, "tensor")), saveIt);
    const auto entries = pickle.entries(dict).value();
    for (const auto &[key, value] : entries)
        if (const std::size_t tensors = tensorsIn(pickle, value))
            return sentence(formatted("a training checkpoint (\"{}\" has {}) in a form before PyTorch 1.6",
                                      sanitized(pickle.text(key).value_or("?")), quantity(tensors, "tensor")),
                            saveIt);
    return sentence("a pickled Python dict without a graph", exportIt);
}

/// Returns the full name of the called class or function. torch.save before 1.6 has a persistent id in place of the
/// class of a module: ('module', class, file, source).
std::string calleeName(const Pickle &pickle, const Pickle::Call &call)
{
    const auto *outside = pickle.as<Pickle::Persistent>(call.callee);
    const auto parts = outside ? pickle.items(outside->id) : std::nullopt;
    const auto *global = pickle.as<Pickle::Global>(parts && parts->size() > 1 ? (*parts)[1] : call.callee);
    return global ? sanitized(global->module) + "." + sanitized(global->name) : "without a name";
}

std::string aboutCall(const Pickle &pickle, const Pickle::Call &call)
{
    const std::string name = calleeName(pickle, call);
    if (call.state && pickle.entry(*call.state, "_modules"))
        return sentence(formatted("a pickled module of the Python class {}: its graph is Python code that is not in "
                                  "the file",
                                  name),
                        "export it with torch.export.save or torch.onnx.export where that code is");
    if (name.starts_with("torch.fx.graph_module.reduce_"))
        return sentence("a torch.fx graph module without its code or in a form before PyTorch 1.6", saveIt);
    return sentence(formatted("a Python pickle that calls {}; nothing of it was run", name), exportIt);
}

std::string aboutObject(const Pickle &pickle)
{
    const Pickle::ValueId root = pickle.root();
    if (archive::pickledTensor(pickle, root))
        return sentence("a single PyTorch tensor", exportIt);
    if (pickle.entries(root))
        return aboutDict(pickle, root);
    if (const auto *call = pickle.as<Pickle::Call>(root))
        return aboutCall(pickle, *call);
    return sentence("a Python pickle without a graph", exportIt);
}

std::string damagedPickle(const Error &error)
{
    return sentence("a damaged Python pickle: " + error.text(), "get the file again or save it again");
}

constexpr std::string_view legacyMagic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e";

/// Describes a pickle, or the stream of torch.save before 1.6: magic number, protocol, system, object, storages.
Sentence byPickle(Bytes bytes)
{
    const bool isLegacy = asText(bytes).starts_with(legacyMagic);
    if (bytes.size() < 2 || bytes[0] != std::byte{0x80} || bytes[1] < std::byte{2} || bytes[1] > std::byte{5})
        return std::nullopt;
    for (int skip = isLegacy ? 3 : 0;; --skip) {
        const auto pickle = Pickle::read(bytes);
        if (!pickle)
            return damagedPickle(pickle.error());
        if (skip == 0)
            return aboutObject(*pickle);
        bytes = bytes.subspan(pickle->length());
    }
}

// Zip archives: they are described by their members.

struct MemberRule {
    std::string_view path; ///< a path relative to the archive's root, or from the start; a folder ends in '/'
    std::string_view what;
    std::string_view advice;
};

constexpr MemberRule memberRules[] = {
    {".data/extern_modules", "a torch.package archive: arbitrary Python code", exportIt},
    {".data/python_version", "a torch.package archive: arbitrary Python code", exportIt},
    {"code/", "a part of a TorchScript archive: data.pkl or constants.pkl is missing",
     "save the module again with torch.jit.save"},
    {"bytecode.pkl", "a module for PyTorch's lite interpreter without its code", "save it with torch.jit.save"},
    {"constants.pkl", "a TorchScript archive without its code", "save the module again with torch.jit.save"},
    {"model.json", "a TorchScript module of PyTorch 1.0, which is too old", "save it again with a current PyTorch"},
    {"MAR-INF/", "a TorchServe archive", "unpack it and open the model inside"},
    {"[Content_Types].xml", "an office document", sourceIt},
    {"META-INF/", "a Java archive or office document", sourceIt},
    {"model.weights.h5", "a Keras model", "convert it to ONNX with tf2onnx and open that"},
};

bool hasMember(const Zip &zip, std::string_view path)
{
    const std::string full = std::string(zip.root()).append(path);
    if (!path.ends_with('/'))
        return zip.find(full) || zip.find(path);
    return std::ranges::any_of(
        zip.members(), [&](const archive::Member &m) { return m.name.starts_with(full) || m.name.starts_with(path); });
}

std::string aboutTorchSave(const archive::Probe &file)
{
    const auto saved = file.torchSave();
    return saved ? aboutObject((*saved)->pickle()) : damagedPickle(saved.error());
}

Sentence byMembers(const archive::Probe &file)
{
    if (!archive::looksLikeZip(file.bytes()))
        return std::nullopt;
    const auto opened = file.zip();
    if (!opened)
        return sentence(opened.error().text(), "get the file again or save it again");
    const Zip &zip = **opened;
    if (zip.members().empty())
        return sentence("an empty zip archive", "get the file again or save it again");
    for (const MemberRule &rule : memberRules)
        if (hasMember(zip, rule.path))
            return sentence(rule.what, rule.advice);
    if (hasMember(zip, "data.pkl"))
        return aboutTorchSave(file);
    return sentence("a zip archive without a model that Cutaway knows", "open the model file itself");
}

} // namespace

Sentence recognize(const archive::Probe &file)
{
    const Bytes bytes = file.bytes();
    if (bytes.empty())
        return "the file is empty; get it again or save it again";
    if (auto found = bySignature(bytes))
        return found;
    if (auto found = byMembers(file))
        return found;
    auto found = byPickle(bytes);
    return found ? found : byText(bytes);
}

} // namespace cutaway::formats
