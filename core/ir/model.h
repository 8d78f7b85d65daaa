// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/ir/tensor.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace cutaway::ir {

class Context;

enum class Severity : std::uint8_t { Info, Warning, Error };

/// A message for users about a model that could be read nevertheless.
struct Diagnostic {
    Severity severity = Severity::Warning;
    std::string code; ///< a stable name, with dots: "onnx.unsorted", "pt2.unknown-field"
    std::string message;
    std::optional<FunctionId> function;
    std::optional<NodeId> node; ///< set only together with `function`
    bool operator==(const Diagnostic &) const = default;
};

/// A size symbol and its range in the file; both bounds are included.
struct Symbol {
    std::string name;
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;
    std::optional<std::int64_t> hint; ///< the symbol's value in the exporter's example inputs
    bool operator==(const Symbol &) const = default;
};

/// One parameter of a function's signature.
struct FunctionInput {
    enum class Kind : std::uint8_t {
        User,
        Parameter,
        Buffer,
        Constant,
        CustomObject,
        Token,
        ConstantInput,
        Overridable, ///< ONNX: a weight that callers may replace by another tensor, so that it is no constant
    };
    NameId name;
    Kind kind = Kind::User;
    Operand value; ///< a value of the body; for ConstantInput a constant
    NameId target; ///< the name of the bound parameter, buffer, constant or object ("layer1.0.weight"), or ""
    std::optional<TensorId> tensor;           ///< the tensor bound to the input; for User inputs the default value
    std::optional<Operand> defaultValue = {}; ///< the default value of a User input that is no tensor: a constant
    bool operator==(const FunctionInput &) const = default;
};

/// Whether a user may leave the input out.
inline bool hasDefault(const FunctionInput &input)
{
    return input.kind == FunctionInput::Kind::User && (input.tensor || input.defaultValue);
}

/// Whether callers may replace the weight by another tensor.
inline bool isOverridable(const FunctionInput &input) { return input.kind == FunctionInput::Kind::Overridable; }

/// One result of a function.
struct FunctionOutput {
    enum class Kind : std::uint8_t {
        User,
        Loss,
        BufferMutation,
        ParameterMutation,
        UserInputMutation,
        GradientToParameter,
        GradientToUserInput,
        Token
    };
    NameId name;
    Kind kind = Kind::User;
    Operand value;
    NameId target; ///< the name of the parameter, buffer or input that is mutated or differentiated, or ""
    bool operator==(const FunctionOutput &) const = default;
};

/// A graph with a signature: a module's method, an exported program's graph, an ONNX model or model-local function.
struct Function {
    enum class Kind : std::uint8_t { Main, Method, Free };
    NameId name; ///< "forward"; "domain::Name" for an ONNX function
    Kind kind = Kind::Main;
    Graph graph;
    std::vector<FunctionInput> inputs;
    std::vector<FunctionOutput> outputs;
    std::vector<Argument> attributes; ///< ONNX function attributes with their defaults (None: required)
    std::string documentation;
};

/// An attribute of a module that is neither a tensor nor a submodule.
struct ModuleAttribute {
    NameId name;
    TypeId type;
    Operand value;
    bool operator==(const ModuleAttribute &) const = default;
};

/// A module object of the file; modules form the tree that owns the parameters. Entry 0 is the root.
struct Module {
    ModuleId parent; ///< the root's parent is the root itself
    NameId name;     ///< attribute name in the parent; "" for the root
    NameId path;
    NameId className;
    RareList<ModuleId> children;
    std::vector<TensorId> tensors;
    RareList<ModuleAttribute> attributes;
};

/// An object in the file that is listed but not read: a script object, an opaque pickle.
struct Object {
    NameId name;
    NameId className;
    std::string member; ///< archive member or path within the file
    bool operator==(const Object &) const = default;
};

/// Other contents of the file: metadata text, extra files, sample inputs, compiled code.
struct Attachment {
    std::string name;
    std::optional<std::string> text; ///< the whole text, if it is short
    std::optional<FileRange> range;  ///< the byte range of the contents, if they are part of the file
    bool operator==(const Attachment &) const = default;
};

/// The content of one model file. A value type: copies share the context, graphs and mappings.
struct Model {
    Model();

    std::string path;
    std::string format;        ///< "onnx", "pt2", "torchscript"
    std::string formatVersion; ///< "ir 8", "schema 8.20"
    std::string producer;
    std::string producerVersion;
    std::string name;
    std::string documentation;
    std::vector<std::pair<std::string, std::int64_t>> opsets; ///< ("aten", 10), ("ai.onnx", 17)
    std::vector<std::pair<std::string, std::string>> metadata;

    std::shared_ptr<Context> context;
    std::vector<Function> functions; ///< the main function is the first one
    CowArray<Module> modules;
    CowArray<Tensor> tensors;
    CowArray<Storage> storages;
    std::vector<DataFile> files;
    std::vector<Object> objects;
    std::vector<Symbol> symbols;
    std::vector<Attachment> attachments;
    std::vector<Diagnostic> diagnostics;

    /// Returns a dialect's opset version; 1 if the file has none. ONNX's default domain "onnx" is "ai.onnx" here.
    std::int64_t opset(std::string_view dialect) const;

    const Function &at(FunctionId id) const { return functions[id.index]; }
    const Module &at(ModuleId id) const { return modules[id.index]; }
    const Tensor &at(TensorId id) const { return tensors[id.index]; }
    const Storage &at(StorageId id) const { return storages[id.index]; }
    const DataFile &at(FileId id) const { return files[id.index]; }
    const Object &at(ObjectId id) const { return objects[id.index]; }

    /// Returns the module with a dotted path, made with its parents if missing. O(1) for an existing path.
    ModuleId moduleAt(std::string_view dottedPath);
    /// Returns the submodule `name` of `parent`; it is created if it is missing. O(length of its path).
    ModuleId childModule(ModuleId parent, std::string_view name);
    std::unordered_map<NameId, ModuleId> modulesByPath; ///< maintained by moduleAt() and childModule()

    void diagnose(Severity severity, std::string code, std::string message);
};

/// Returns the number of elements; nullopt on overflow.
std::optional<std::int64_t> elementCount(const Tensor &tensor);
/// Returns the size in bytes of all elements without gaps; nullopt for strings or on overflow.
std::optional<std::int64_t> byteSize(const Tensor &tensor);

} // namespace cutaway::ir
