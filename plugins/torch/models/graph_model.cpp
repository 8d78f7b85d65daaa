// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/ir/context.h"
#include "core/ir/json/json.h"
#include "core/ir/verify.h"
#include "plugins/torch/models/loaded_model.h"
#include "plugins/torch/types.h"
#include "plugins/torch/weights.h"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>
#include <variant>

namespace cutaway::plugins {

namespace {

/// A file in memory.
class MemoryFile {
public:
    static Result<MemoryFile> make(std::string_view bytes)
    {
        MemoryFile file(memfd_create("weights", MFD_CLOEXEC));
        for (std::size_t done = 0; done < bytes.size();) {
            const auto n = write(file.m_file, bytes.data() + done, bytes.size() - done);
            if (n <= 0)
                return std::unexpected(Error{ErrorKind::Backend, "there is no memory for the weights", {}});
            done += static_cast<std::size_t>(n);
        }
        return file;
    }
    MemoryFile(MemoryFile &&other) noexcept : m_file(std::exchange(other.m_file, -1)) { }
    MemoryFile &operator=(MemoryFile &&) = delete;
    ~MemoryFile()
    {
        if (m_file >= 0)
            close(m_file);
    }
    std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(m_file); }

private:
    explicit MemoryFile(int file) : m_file(file) { }
    int m_file;
};

/// A file for weights that were sent with the request. It is in memory, or in a temporary folder if the sandbox has no
/// /proc, without which a file in memory has no path.
class SentFile {
public:
    /// Makes a file. Errors (Backend): there is no room for it.
    static Result<SentFile> make(std::string_view bytes)
    {
        if (std::filesystem::exists("/proc/self/fd")) {
            CUTAWAY_TRY(auto memory, MemoryFile::make(bytes));
            auto path = memory.path();
            return SentFile(std::move(path), std::move(memory));
        }
        CUTAWAY_TRY(auto folder, TemporaryFolder::make());
        auto path = folder.path() / "weights";
        CUTAWAY_RETURN_IF_ERROR(writeWholeFile(path, bytes));
        return SentFile(std::move(path), std::move(folder));
    }
    const std::filesystem::path &path() const { return m_path; }

private:
    using Owner = std::variant<MemoryFile, TemporaryFolder>;
    SentFile(std::filesystem::path path, Owner owner) : m_path(std::move(path)), m_owner(std::move(owner)) { }
    std::filesystem::path m_path;
    Owner m_owner; ///< removes the file
};

enum class Kind : std::uint8_t { Given, Weight, Module, Constant };

/// An input of the body, and where its value comes from.
struct BodyInput {
    Kind kind;
    c10::IValue value = {};
};

class GraphModel : public LoadedModel {
public:
    static Result<std::unique_ptr<LoadedModel>> make(std::unique_ptr<Program> program, std::vector<SentFile> files)
    {
        auto model = std::make_unique<GraphModel>();
        model->m_program = std::move(program);
        model->m_files = std::move(files);
        CUTAWAY_RETURN_IF_ERROR(model->setInputs());
        const ir::Function &function = model->m_program->main();
        for (std::size_t i = 0; i < function.graph.at(ir::Graph::body).outputs.size(); ++i)
            model->m_outputs.push_back(i < function.outputs.size() ? model->text(function.outputs[i].name)
                                                                   : "output " + std::to_string(i));
        return model;
    }

    c10::Device device() const override { return m_program->device(); }
    std::span<const NamedType> inputs() const override { return m_inputs; }
    std::span<const std::string> outputs() const override { return m_outputs; }
    const Program *program() const override { return m_program.get(); }

    Result<Values> run(Values inputs, const std::stop_token &stop, Observer *observer) override
    {
        Run run(*m_program, stop, observer);
        Values all;
        std::size_t next = 0;
        for (const BodyInput &input : m_body) {
            if (input.kind == Kind::Given)
                all.push_back(std::move(inputs[next++]));
            else
                all.push_back(input.kind == Kind::Module ? run.moduleObject({0}) : input.value);
        }
        return run.main(std::move(all));
    }

private:
    std::string text(ir::NameId name) const { return std::string(m_program->model().context->text(name)); }

    Result<void> setInputs()
    {
        const ir::Function &function = m_program->main();
        for (const ir::ValueId id : function.graph.at(ir::Graph::body).inputs) {
            CUTAWAY_TRY(auto input, inputOf(function, id));
            if (input.kind == Kind::Given)
                m_inputs.push_back({text(function.graph.at(id).name),
                                    torchType(*m_program->model().context, function.graph.at(id).type)});
            m_body.push_back(std::move(input));
        }
        return {};
    }

    Result<BodyInput> inputOf(const ir::Function &function, ir::ValueId id)
    {
        using Binding = ir::FunctionInput::Kind;
        const auto bound = std::ranges::find(function.inputs, ir::Operand{id}, &ir::FunctionInput::value);
        if (bound == function.inputs.end() || bound->kind == Binding::User)
            return BodyInput{Kind::Given};
        if (bound->tensor) {
            CUTAWAY_TRY(auto tensor, m_program->weights().tensor(*bound->tensor));
            return BodyInput{Kind::Weight, tensor};
        }
        return BodyInput{bound->kind == Binding::CustomObject ? Kind::Module : Kind::Constant};
    }

    std::unique_ptr<Program> m_program;
    std::vector<SentFile> m_files; ///< files with the model's weights, if they were sent
    std::vector<BodyInput> m_body;
    std::vector<NamedType> m_inputs;
    std::vector<std::string> m_outputs;
};

/// Makes files of the weights in the payload, if they were sent with the request.
Result<std::vector<SentFile>> takeFiles(const protocol::Load &load, std::string_view payload, ir::Model &model)
{
    std::vector<SentFile> files;
    if (!load.files.empty() && load.files.size() != model.files.size())
        return std::unexpected(Error{ErrorKind::Usage, "received files that do not belong to the model", {}});
    for (std::size_t i = load.files.size(); i-- > 0;) {
        if (load.files[i] > payload.size())
            return std::unexpected(Error{ErrorKind::Usage, "the payload is shorter than its files", {}});
        CUTAWAY_TRY(auto file, SentFile::make(payload.substr(payload.size() - load.files[i])));
        model.files[i].path = file.path();
        payload.remove_suffix(load.files[i]);
        files.push_back(std::move(file));
    }
    return files;
}

std::size_t bytesOfFiles(const protocol::Load &load, std::size_t most)
{
    std::uint64_t sum = 0;
    for (const std::uint64_t length : load.files)
        sum = checkedAdd(sum, length).value_or(most);
    return static_cast<std::size_t>(std::min<std::uint64_t>(sum, most));
}

Result<ir::Model> readModel(const protocol::Load &load, std::string_view payload)
{
    if (load.path.empty())
        return ir::parseJson(payload.substr(0, payload.size() - bytesOfFiles(load, payload.size())));
    CUTAWAY_TRY(const auto file, MappedFile::open(load.path));
    const auto bytes = file.bytes();
    auto model = ir::parseJson({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
    CUTAWAY_RETURN_IF_ERROR(file.checkUnchanged());
    return model;
}

} // namespace

Result<std::unique_ptr<LoadedModel>> loadGraph(const protocol::Load &load, const std::string &payload,
                                               c10::Device device)
try {
    CUTAWAY_TRY(auto model, readModel(load, payload));
    if (const auto faults = ir::verify(model); !faults.empty())
        return std::unexpected(Error{ErrorKind::Usage, "the model is not sound: " + faults.front(), {}});
    CUTAWAY_TRY(auto files, takeFiles(load, payload, model));
    const auto function = functionOf(model, load.function);
    if (!function)
        return std::unexpected(Error{ErrorKind::Usage, "the model has no function '" + load.function + "'", {}});
    CUTAWAY_TRY(auto program, Program::make(std::move(model), *function, device));
    return GraphModel::make(std::move(program), std::move(files));
} catch (const c10::Error &error) {
    return std::unexpected(Error{ErrorKind::Backend, error.what_without_backtrace(), {}});
}

} // namespace cutaway::plugins
