// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/providers.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "plugins/server/cuda.h"
#include "plugins/server/machine.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::plugins {

namespace {

using protocol::Devices;

struct Provider {
    std::string_view device; ///< the device in Cutaway's ids: "cuda"
    std::string_view name;   ///< the name in ONNX Runtime's list
    std::string_view description;
    bool isNvidia;
    void (*append)(Ort::SessionOptions &, int index);
};

void appendCuda(Ort::SessionOptions &options, int index)
{
    OrtCUDAProviderOptions cuda;
    cuda.device_id = index;
    options.AppendExecutionProvider_CUDA(cuda);
}

void appendTensorRt(Ort::SessionOptions &options, int index)
{
    OrtTensorRTProviderOptions tensorRt{};
    tensorRt.device_id = index;
    tensorRt.trt_max_partition_iterations = 1000;
    tensorRt.trt_min_subgraph_size = 1;
    tensorRt.trt_max_workspace_size = std::size_t{1} << 30;
    options.AppendExecutionProvider_TensorRT(tensorRt);
    appendCuda(options, index); // for nodes that TensorRT does not support
}

void appendRocm(Ort::SessionOptions &options, int index)
{
    OrtROCMProviderOptions rocm;
    rocm.device_id = index;
    options.AppendExecutionProvider_ROCM(rocm);
}

void appendMiGraphX(Ort::SessionOptions &options, int index)
{
    OrtMIGraphXProviderOptions miGraphX{};
    miGraphX.device_id = index;
    options.AppendExecutionProvider_MIGraphX(miGraphX);
}

void appendDnnl(Ort::SessionOptions &options, int)
{
    OrtDnnlProviderOptions *dnnl = nullptr;
    Ort::ThrowOnError(Ort::GetApi().CreateDnnlProviderOptions(&dnnl));
    const std::unique_ptr<OrtDnnlProviderOptions, decltype(Ort::GetApi().ReleaseDnnlProviderOptions)> owner(
        dnnl, Ort::GetApi().ReleaseDnnlProviderOptions);
    options.AppendExecutionProvider_Dnnl(*dnnl);
}

constexpr std::array providers{
    Provider{"cuda", "CUDAExecutionProvider", "CUDA", true, appendCuda},
    Provider{"tensorrt", "TensorrtExecutionProvider", "TensorRT", true, appendTensorRt},
    Provider{"rocm", "ROCMExecutionProvider", "ROCm", false, appendRocm},
    Provider{"migraphx", "MIGraphXExecutionProvider", "MIGraphX", false, appendMiGraphX},
    Provider{"openvino", "OpenVINOExecutionProvider", "OpenVINO", false,
             [](Ort::SessionOptions &options, int) { options.AppendExecutionProvider_OpenVINO_V2({}); }},
    Provider{"dnnl", "DnnlExecutionProvider", "oneDNN", false, appendDnnl},
    Provider{"xnnpack", "XnnpackExecutionProvider", "XNNPACK", false,
             [](Ort::SessionOptions &options, int) { options.AppendExecutionProvider("XNNPACK", {}); }},
};

bool isThere(const Provider &provider) { return std::ranges::contains(Ort::GetAvailableProviders(), provider.name); }

/// Returns the devices that a user may choose, in one line.
std::string idsOf(const std::vector<Devices::Device> &devices)
{
    std::string ids;
    for (const Devices::Device &device : devices)
        ids.append(ids.empty() ? "" : ", ").append(device.id);
    return ids;
}

} // namespace

std::vector<Devices::Device> providerDevices()
{
    std::vector<Devices::Device> devices{processor()};
    for (const Provider &provider : providers) {
        if (!isThere(provider))
            continue;
        if (!provider.isNvidia) {
            devices.push_back({std::string(provider.device), std::string(provider.description), 0});
            continue;
        }
        for (Devices::Device device : asBackendDevices(cudaDevices())) {
            device.id = std::string(provider.device) + device.id.substr(device.id.find(':'));
            device.name = formatted("{}, {}", device.name, provider.description);
            devices.push_back(std::move(device));
        }
    }
    return devices;
}

Result<void> useDevice(Ort::SessionOptions &options, std::string_view device)
{
    if (device.empty() || device == "cpu")
        return {};
    const std::string_view name = device.substr(0, device.find(':'));
    const std::string_view digits = device.substr(std::min(name.size() + 1, device.size()));
    int index = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    const bool isNumber = digits.empty() || (read.ec == std::errc() && read.ptr == digits.data() + digits.size());
    const auto provider = std::ranges::find(providers, name, &Provider::device);
    if (provider == providers.end() || !isNumber || index < 0)
        return usageError(formatted("ONNX Runtime has no device '{}'; known: {}", device, idsOf(providerDevices())));
    if (!isThere(*provider))
        return usageError(formatted("this ONNX Runtime was built without {}, which the device '{}' needs; it has: {}",
                                    provider->description, device, idsOf(providerDevices())));
    provider->append(options, index);
    return {};
}

} // namespace cutaway::plugins
