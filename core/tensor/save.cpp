// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/save.h"

#include "core/base/formatted.h"
#include "core/base/output_file.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/tensor/npy.h"
#include "core/tensor/pieces.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace cutaway::tensor {

namespace {

using ir::DType;

/// Visits the elements of a part in runs of consecutive elements.
template <class Visit>
Result<void> forEachRun(const Values &values, const Slice &part, const Task &task, const Visit &visit)
{
    const SlicePlaces places(values.elements().shape(), part);
    const std::uint64_t all = part.count();
    for (std::uint64_t done = 0; done < all;) {
        if (task.stopRequested())
            return cancelled();
        task.report("saving", done, all);
        // Runs may be short, so the stop token is only checked once for many of them.
        const std::uint64_t until = std::min<std::uint64_t>(all, done + elementsAtOnce);
        while (done < until) {
            const std::uint64_t run = std::min(places.runAt(done), until - done);
            visit(places.at(done), static_cast<std::size_t>(run));
            done += run;
        }
    }
    return values.checkUnchanged();
}

/// Returns the dtype in which a NumPy file has elements of a dtype that NumPy lacks, and the dtype of their numbers.
std::pair<DType, DType> widened(DType dtype)
{
    if (ir::isComplex(dtype))
        return {DType::Complex64, DType::Float32};
    const DType wide = ir::isFloat(dtype) ? DType::Float32 : ir::isSigned(dtype) ? DType::Int8 : DType::UInt8;
    return {wide, wide};
}

/// Writes elements as numbers: differences, which have no dtype of their own, as float64, and elements of a dtype
/// that NumPy lacks in the dtype of widened().
Result<void> writeNumbers(OutputFile &file, const Values &values, const Slice &part, const Task &task)
{
    const auto [dtype, numberType] =
        values.areDifferences() ? std::pair(DType::Float64, DType::Float64) : widened(values.elements().dtype());
    CUTAWAY_TRY(const auto header, npyHeader(dtype, part.shape()));
    file.write(header);
    std::vector<double> numbers;
    return forEachRun(values, part, task, [&, type = numberType](std::uint64_t first, std::size_t count) {
        if (values.areDifferences()) {
            numbers.resize(count);
            values.read(first, numbers);
        } else {
            numbers.resize(count * values.elements().width());
            values.elements().read(first, numbers);
        }
        file.write(ir::encodeNumbers(type, numbers));
    });
}

Result<void> writeNpy(OutputFile &file, const Values &values, const Slice &part, const Task &task)
{
    const Elements &elements = values.elements();
    const auto header = npyHeader(elements.dtype(), part.shape());
    if (!header || values.areDifferences())
        return writeNumbers(file, values, part, task);
    file.write(*header);
    std::vector<std::byte> bytes;
    return forEachRun(values, part, task, [&](std::uint64_t first, std::size_t count) {
        bytes.resize(count * static_cast<std::size_t>(*ir::bitWidth(elements.dtype())) / 8);
        elements.readBytes(first, bytes);
        file.write(bytes);
    });
}

template <class T>
void appendDigits(std::string &text, T x)
{
    std::array<char, 32> digits;
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr);
}

/// Appends a number; an integer below 2^53 is written without an exponent.
void appendNumber(std::string &text, double x)
{
    constexpr double exactBelow = 9007199254740992.0; // 2^53
    if (std::abs(x) < exactBelow && x == std::floor(x) && (x != 0 || !std::signbit(x)))
        appendDigits(text, static_cast<std::int64_t>(x));
    else
        appendDigits(text, x);
}

/// Appends an element: "1", "-2.5", "1+2j".
void appendElement(std::string &text, std::span<const double> numbers)
{
    appendNumber(text, numbers[0]);
    if (numbers.size() < 2)
        return;
    text += std::signbit(numbers[1]) ? "" : "+";
    appendNumber(text, numbers[1]);
    text += 'j';
}

/// Prints consecutive elements as CSV.
class CsvElements {
public:
    explicit CsvElements(const Values &values)
        : m_values(values),
          m_dtype(values.elements().dtype()),
          m_isWide(ir::bitWidth(m_dtype) == 64 && !ir::isFloat(m_dtype) && !ir::isComplex(m_dtype)
                   && !values.areDequantized() && !values.areDifferences())
    {
    }

    /// Calls use(text) for each of `count` elements from `first` on.
    template <class Use>
    void read(std::uint64_t first, std::size_t count, const Use &use)
    {
        const Elements &elements = m_values.elements();
        const std::size_t width = m_values.areDifferences() ? 1 : elements.width();
        if (m_isWide)
            return readWide(first, count, use);
        m_numbers.resize(count * width);
        if (width == 1)
            m_values.read(first, m_numbers);
        else
            elements.read(first, m_numbers);
        for (std::size_t i = 0; i < count; ++i) {
            m_text.clear();
            appendElement(m_text, std::span(m_numbers).subspan(i * width, width));
            use(m_text);
        }
    }

private:
    /// Does the same as read() for integers of 64 bits, which doubles would round.
    template <class Use>
    void readWide(std::uint64_t first, std::size_t count, const Use &use)
    {
        std::vector<std::int64_t> integers(count);
        m_values.elements().readBytes(first, std::as_writable_bytes(std::span(integers)));
        for (const std::int64_t integer : integers) {
            m_text.clear();
            if (ir::isSigned(m_dtype))
                appendDigits(m_text, integer);
            else
                appendDigits(m_text, static_cast<std::uint64_t>(integer));
            use(m_text);
        }
    }

    const Values &m_values;
    ir::DType m_dtype;
    bool m_isWide;
    std::vector<double> m_numbers;
    std::string m_text;
};

Result<void> writeCsv(OutputFile &file, const Values &values, const Slice &part, const Task &task)
{
    const std::vector<std::int64_t> shape = part.shape();
    const std::uint64_t columns = shape.empty() ? 1 : static_cast<std::uint64_t>(shape.back());
    CsvElements texts(values);
    std::uint64_t written = 0;
    return forEachRun(values, part, task, [&](std::uint64_t first, std::size_t count) {
        texts.read(first, count, [&](const std::string &text) {
            file.write(text);
            file.write(std::string_view(++written % columns == 0 ? "\r\n" : ","));
        });
    });
}

} // namespace

Result<void> save(const Values &values, const Slice &part, const std::filesystem::path &path, const Task &task)
{
    const std::string suffix = path.extension().string();
    if (suffix != ".npy" && suffix != ".csv")
        return usageError("tensors are saved as .npy or .csv", path.string());
    PartFile file(path);
    const auto filled = file.fill([&](OutputFile &out) {
        return suffix == ".npy" ? writeNpy(out, values, part, task) : writeCsv(out, values, part, task);
    });
    return filled ? file.takePlace() : filled;
}

} // namespace cutaway::tensor
