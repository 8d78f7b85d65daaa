// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/models/loaded_model.h"

#include <ATen/core/grad_mode.h>
#include <sstream>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/serialization/import.h>

namespace cutaway::plugins {

namespace {

class ScriptModel : public LoadedModel {
public:
    ScriptModel(torch::jit::Module module, c10::Device device) : m_module(std::move(module)), m_device(device)
    {
        const auto &arguments = m_module.get_method("forward").function().getSchema().arguments();
        for (std::size_t i = 1; i < arguments.size(); ++i)
            m_inputs.push_back({arguments[i].name(), arguments[i].type()});
    }

    c10::Device device() const override { return m_device; }
    std::span<const NamedType> inputs() const override { return m_inputs; }
    std::span<const std::string> outputs() const override { return m_outputs; }

    Result<Values> run(Values inputs, const std::stop_token &, Observer *) override
    try {
        const at::NoGradGuard noGradients;
        // Fused kernels for processors are turned off. libtorch built with LLVM, such as Debian's, compiles them in the
        // second run, which takes minutes, and results should be those of the separate operators.
        torch::jit::setTensorExprFuserEnabled(m_device.is_cuda());
        return Values{m_module(std::move(inputs))}; // the call runs the module's hooks, too
    } catch (const c10::Error &error) {
        return failed(error.what_without_backtrace());
    } catch (const std::exception &error) {
        return failed(error.what());
    }

private:
    /// Returns the error from torch's message, in which it comes after the interpreter's trace of the source.
    static std::unexpected<Error> failed(std::string text)
    {
        constexpr std::string_view mark = "Error: ";
        if (const std::size_t at = text.rfind(mark); at != std::string::npos && text.contains("Traceback"))
            text.erase(0, at + mark.size());
        text = text.substr(0, text.find('\n'));
        return std::unexpected(Error{ErrorKind::Backend, std::move(text), "TorchScript's interpreter"});
    }

    torch::jit::Module m_module;
    c10::Device m_device;
    std::vector<NamedType> m_inputs;
    std::vector<std::string> m_outputs{"output"};
};

} // namespace

Result<std::unique_ptr<LoadedModel>> loadScript(const protocol::Load &load, const std::string &payload,
                                                c10::Device device)
try {
    std::istringstream bytes(load.path.empty() ? payload : std::string());
    auto module = load.path.empty() ? torch::jit::load(bytes, device) : torch::jit::load(load.path, device);
    module.eval();
    return std::make_unique<ScriptModel>(std::move(module), device);
} catch (const c10::Error &error) {
    return unreadable(std::string(error.what_without_backtrace()), load.path);
} catch (const std::exception &error) {
    return unreadable(error.what(), load.path);
}

} // namespace cutaway::plugins
