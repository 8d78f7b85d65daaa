// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for NVIDIA's driver and its management library: two devices, of which the second one has no clocks.
#include <cstddef>
#include <cstring>

extern "C" {

int cuInit(unsigned) { return 0; }
int cuDeviceGetCount(int *count)
{
    *count = 2;
    return 0;
}
int cuDeviceGet(int *device, int index)
{
    *device = index + 100;
    return 0;
}
int cuDeviceGetName(char *name, int, int device)
{
    std::strcpy(name, device == 100 ? "Abacus 80GB" : "Slide rule");
    return 0;
}
int cuDeviceTotalMem_v2(std::size_t *bytes, int device)
{
    *bytes = device == 100 ? std::size_t{80} << 30 : std::size_t{1} << 30;
    return 0;
}
int cuDeviceGetPCIBusId(char *address, int, int device)
{
    std::strcpy(address, device == 100 ? "0000:17:00.0" : "0000:18:00.0");
    return 0;
}

int nvmlInit_v2() { return 0; }
int nvmlSystemGetDriverVersion(char *version, unsigned)
{
    std::strcpy(version, "550.54.15");
    return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **handle)
{
    static int device = 0;
    *handle = &device;
    return std::strcmp(address, "0000:17:00.0") == 0 ? 0 : 6; // NVML_ERROR_NOT_FOUND
}
int nvmlDeviceGetClockInfo(void *, unsigned, unsigned *clock)
{
    *clock = 1980;
    return 0;
}
int nvmlDeviceGetMaxClockInfo(void *, unsigned, unsigned *clock)
{
    *clock = 2100;
    return 0;
}
}
