// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/state_dict/reader.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/archive/probe.h"
#include "core/formats/archive/storage_table.h"
#include "core/formats/limits.h"
#include "core/formats/notes/notes.h"
#include "core/formats/tensor_list/tensor_list.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"

#include <charconv>
#include <unordered_set>

namespace cutaway::formats::state_dict {

namespace {

using archive::Pickle;
using archive::TorchSave;
using archive::Zip;
using ValueId = Pickle::ValueId;

/// The deepest nesting that is read: a pickle can repeat a list at every level. Known checkpoints have some five.
constexpr int maxDictDepth = limits::maxConstantDepth;
/// How often values may occur on average. Tied weights have two names; many more are meant to blow up the model.
constexpr std::size_t timesNamed = 4;
/// The most settings that are kept. An optimizer has some ten per group of parameters.
constexpr std::size_t maxSettings = 1000;
constexpr std::size_t maxSettingLength = 200;

/// Whether the value is a dict or list that contains a tensor at any depth. Each value is visited only once.
bool hasTensor(const Pickle &pickle, ValueId value, std::unordered_set<ValueId> &seen, int depth = 0)
{
    if (depth > maxDictDepth || !seen.insert(value).second)
        return false;
    if (depth > 0 && archive::pickledTensor(pickle, value))
        return true;
    if (const auto entries = pickle.entries(value)) {
        for (const auto &entry : *entries)
            if (hasTensor(pickle, entry.second, seen, depth + 1))
                return true;
    } else if (const auto items = depth > 0 ? pickle.items(value) : std::nullopt) {
        for (const ValueId item : *items)
            if (hasTensor(pickle, item, seen, depth + 1))
                return true;
    }
    return false;
}

/// Whether the archive has a data.pkl but none of the other members that TorchScript and others have beside it.
bool isPlainTorchSave(const Zip &zip)
{
    const auto has = [&](std::string_view name) { return zip.find(std::string(zip.root()).append(name)) != nullptr; };
    return has("data.pkl") && !has("constants.pkl") && !has("bytecode.pkl");
}

std::string number(double x)
{
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

/// Returns a number or a short text as text.
std::optional<std::string> settingOf(const Pickle &pickle, ValueId value)
{
    if (const auto integer = pickle.integer(value))
        return std::to_string(*integer);
    if (const auto *real = pickle.as<double>(value))
        return number(*real);
    if (const auto *boolean = pickle.as<bool>(value))
        return *boolean ? "True" : "False";
    if (pickle.as<Pickle::None>(value))
        return "None";
    const auto text = pickle.text(value);
    return text && text->size() <= maxSettingLength ? std::optional(sanitized(*text)) : std::nullopt;
}

class DictReader {
public:
    DictReader(ir::Model &model, const TorchSave &saved, Notes &notes)
        : m_model(model),
          m_saved(saved),
          m_pickle(saved.pickle()),
          m_notes(notes),
          m_storages(model, notes, "state-dict.weights")
    {
    }

    void read(ValueId value, const std::string &path, int depth);

private:
    void readTensor(const archive::PickledTensor &pickled, const std::string &path);
    void readEntries(std::span<const std::pair<ValueId, ValueId>> entries, const std::string &path, int depth);
    void readItems(std::span<const ValueId> items, const std::string &path, int depth);
    void readSetting(ValueId value, const std::string &path);
    bool isTooMuch(const std::string &path, int depth);
    std::string keyText(ValueId key) const;

    ir::Model &m_model;
    const TorchSave &m_saved;
    const Pickle &m_pickle;
    Notes &m_notes;
    archive::StorageTable m_storages;
    std::unordered_set<std::string> m_names;
    std::size_t m_visited = 0, m_nameLength = 0;
};

/// Whether a value lies too deep or has too long a name, and is left out. Throws Unusable if there are too many values.
bool DictReader::isTooMuch(const std::string &path, int depth)
{
    m_nameLength += path.size();
    if (++m_visited > timesNamed * m_pickle.size() || m_nameLength > limits::maxModulePaths)
        unusable("the dict has its values in too many places, or their names are too long", "data.pkl");
    if (depth <= maxDictDepth && path.size() <= limits::maxObjectNameLength)
        return false;
    m_notes.warning("state-dict.left-out",
                    formatted("{} is left out: its name is too long or it lies too deep", shown(path)));
    return true;
}

void DictReader::read(ValueId value, const std::string &path, int depth)
{
    if (isTooMuch(path, depth))
        return;
    if (const auto tensor = archive::pickledTensor(m_pickle, value))
        readTensor(*tensor, path);
    else if (const auto entries = m_pickle.entries(value))
        readEntries(*entries, path, depth);
    else if (const auto items = m_pickle.items(value))
        readItems(*items, path, depth);
    else
        readSetting(value, path);
}

void DictReader::readTensor(const archive::PickledTensor &pickled, const std::string &path)
{
    if (!m_names.insert(path).second) {
        m_notes.warning("state-dict.duplicate", formatted("there are two tensors {}; the first is used", shown(path)));
        return;
    }
    m_model.tensors.push_back(orThrow(m_storages.tensor(pickled, path, archive::storagesOf(m_saved))));
}

std::string DictReader::keyText(ValueId key) const
{
    if (const auto text = m_pickle.text(key))
        return std::string(*text);
    const auto integer = m_pickle.integer(key);
    return integer ? std::to_string(*integer) : std::string("?");
}

void DictReader::readEntries(std::span<const std::pair<ValueId, ValueId>> entries, const std::string &path, int depth)
{
    for (const auto &[key, value] : entries)
        read(value, path.empty() ? keyText(key) : path + "." + keyText(key), depth + 1);
}

/// Reads the items of a list. Numbers in lists are skipped: they are random states or betas.
void DictReader::readItems(std::span<const ValueId> items, const std::string &path, int depth)
{
    std::size_t index = 0;
    for (const ValueId item : items) {
        const std::string name = formatted("{}.{}", path, index++);
        if (m_pickle.entries(item) || m_pickle.items(item) || archive::pickledTensor(m_pickle, item))
            read(item, name, depth + 1);
    }
}

void DictReader::readSetting(ValueId value, const std::string &path)
{
    const auto setting = settingOf(m_pickle, value);
    if (!setting)
        m_notes.info("state-dict.left-out", formatted("{} is no tensor and is not read", shown(path)));
    else if (m_model.metadata.size() < maxSettings)
        m_model.metadata.emplace_back(sanitized(path), *setting);
}

ir::Model modelOf(const archive::Probe &file)
{
    const TorchSave &saved = *orThrow(file.torchSave());
    if (!saved.pickle().entries(saved.pickle().root()))
        unusable("the file is no dict that torch.save wrote", "data.pkl");
    ir::Model model;
    model.path = file.path().string();
    model.format = "state-dict";
    model.producer = "pytorch";
    model.name = file.path().stem().string();
    model.files.push_back(file.file());
    Notes notes(model);
    DictReader(model, saved, notes).read(saved.pickle().root(), "", 0);
    notes.finish();
    finishTensorList(model);
    return model;
}

} // namespace

bool sniff(const archive::Probe &file)
{
    if (!file.isZip() || !isPlainTorchSave(**file.zip()))
        return false;
    const auto saved = file.torchSave();
    std::unordered_set<ValueId> seen;
    return saved && hasTensor((*saved)->pickle(), (*saved)->pickle().root(), seen);
}

Result<ir::Model> read(const archive::Probe &file, const Task &)
{
    return resultOf([&] { return modelOf(file); });
}

} // namespace cutaway::formats::state_dict
