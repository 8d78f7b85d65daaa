// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/plugin_passes.h"

#include "core/base/formatted.h"
#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/formats/format.h"
#include "core/ir/context.h"
#include "core/ir/json/json.h"
#include "core/ir/json/json_state.h"
#include "core/ir/verify.h"
#include "core/plugin/adoption.h"
#include "core/plugin/file_state.h"
#include "core/plugin/session.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <memory>
#include <mutex>

namespace cutaway::plugin {

namespace fs = std::filesystem;

/// Runs the plugin. In the sandbox, a plugin that works on files may read only those of one model, so it is restarted
/// for another model.
class PluginPasses::Worker {
public:
    Worker(Manifest plugin, Target target) : m_plugin(std::move(plugin)), m_target(std::move(target)) { }

    const Manifest &plugin() const { return m_plugin; }
    std::shared_ptr<Session> session(std::vector<fs::path> readable = {})
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_session || readable != m_readable) {
            m_session = std::make_shared<Session>(m_plugin, m_target, readable);
            m_readable = std::move(readable);
        }
        return m_session;
    }

private:
    Manifest m_plugin;
    Target m_target;
    std::mutex m_mutex;
    std::shared_ptr<Session> m_session;
    std::vector<fs::path> m_readable; ///< folders that the session may read
};

namespace {

using Worker = PluginPasses::Worker;

protocol::Json optionsJson(const passes::Settings &settings)
{
    auto options = protocol::Json::object();
    for (const auto &[name, value] : settings.values())
        std::visit([&, &option = name](const auto &v) { options[option] = v; }, value);
    return options;
}

constexpr std::chrono::milliseconds patience{5'000}; ///< how long a plugin may take to list its passes

/// Returns the model that the plugin returned if it is valid. It is not adopted yet.
Result<ir::Model> whole(Result<ir::Model> changed)
{
    if (changed)
        if (const auto faults = ir::verify(*changed); !faults.empty())
            changed = unreadable(faults.front());
    return changed;
}

/// Returns the path as an absolute one, since the plugin may run in another working folder.
fs::path fromRoot(const fs::path &path)
{
    std::error_code error;
    fs::path canonical = fs::canonical(path, error);
    return error ? fs::absolute(path) : canonical;
}

Result<ir::Model> transformed(const rewrite::Rewriter &rewriter, Worker &worker, const protocol::Transform &transform)
{
    ir::Model model = rewriter.model();
    std::vector<fs::path> folders;
    for (ir::DataFile &file : model.files) {
        file.path = fromRoot(file.path);
        folders.push_back(file.path.parent_path());
    }
    CUTAWAY_TRY(auto reply, worker.session(std::move(folders))->call(transform, ir::printJson(model), rewriter.task()));
    return whole(ir::parseJsonState(reply.payload, model.context));
}

/// Returns the bytes of the model as a single file of this format.
Result<std::string> fileOf(const rewrite::Rewriter &rewriter, const std::string &format)
{
    const ir::Model &model = rewriter.model();
    if (model.format != format)
        return std::unexpected(
            Error{ErrorKind::Usage,
                  formatted("the pass changes models of the format '{}', not of '{}'", format, model.format),
                  {}});
    CUTAWAY_TRY(const auto folder, TemporaryFolder::make());
    const fs::path path = folder.path() / ("model." + format);
    CUTAWAY_RETURN_IF_ERROR(formats::write(model, path, rewriter.task()));
    if (std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) > 1)
        return std::unexpected(
            Error{ErrorKind::Usage, "the model is too large for one file, and the pass takes no other", {}});
    CUTAWAY_TRY(const auto file, MappedFile::open(path));
    const auto bytes = file.bytes();
    return std::string(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

/// Does as transformed(), but exchanges files. Mappings of the result stay valid after the file is unlinked.
Result<ir::Model> transformedFile(const rewrite::Rewriter &rewriter, Worker &worker,
                                  const protocol::Transform &transform, const std::string &format)
{
    CUTAWAY_TRY(auto file, fileOf(rewriter, format));
    CUTAWAY_TRY(auto reply, worker.session()->call(transform, std::move(file), rewriter.task()));
    CUTAWAY_TRY(const auto folder, TemporaryFolder::make());
    const fs::path path = folder.path() / ("answer." + format);
    CUTAWAY_RETURN_IF_ERROR(writeWholeFile(path, reply.payload));
    CUTAWAY_TRY(const auto read, formats::open(path, rewriter.task()));
    return whole(stateOfFile(rewriter.model(), read));
}

Result<void> run(rewrite::Rewriter &rewriter, const passes::Settings &settings, Worker &worker, const PassOffer &pass)
{
    const std::string function(rewriter.context().text(rewriter.function().name));
    const protocol::Transform transform{pass.name, optionsJson(settings), function};
    auto changed = pass.format.empty() ? transformed(rewriter, worker, transform)
                                       : transformedFile(rewriter, worker, transform, pass.format);
    if (!changed && changed.error().kind != ErrorKind::Unreadable)
        return std::unexpected(std::move(changed.error()));
    const auto adopted = changed ? adopt(rewriter, *changed) : Result<void>(std::unexpected(changed.error()));
    if (adopted)
        return {};
    return std::unexpected(Error{ErrorKind::Backend,
                                 formatted("what the plugin '{}' made of the model cannot be taken over: {}",
                                           worker.plugin().name, adopted.error().text()),
                                 {}});
}

/// Returns the passes that the plugin lists. An error is not reported here: using a missing pass, or `ping`, shows it.
std::vector<PassOffer> askedOf(Session &session)
{
    const auto reply = session.call(protocol::Passes(), {}, {}, std::min(patience, session.answerLimit(patience)));
    const auto result = reply ? protocol::parse<protocol::Passes::Result>(reply->result)
                              : Result<protocol::Passes::Result>(std::unexpected(reply.error()));
    return result ? readPasses(result->passes).value_or(std::vector<PassOffer>()) : std::vector<PassOffer>();
}

} // namespace

PluginPasses::PluginPasses(const Found &found, const Target &target, bool ask)
{
    for (const Manifest &plugin : found.plugins) {
        const auto worker = std::make_shared<Worker>(plugin, target);
        std::vector<PassOffer> offers = plugin.passes;
        if (plugin.asksForPasses && ask)
            offers = askedOf(*worker->session());
        for (const PassOffer &offer : offers)
            add(worker, offer);
    }
}

void PluginPasses::add(const std::shared_ptr<Worker> &worker, const PassOffer &offer)
{
    std::vector<passes::Option> options;
    for (const PassOption &option : offer.options) {
        std::vector<std::string_view> choices;
        for (const std::string &choice : option.choices)
            choices.push_back(keep(choice));
        options.push_back({keep(option.name), keep(option.description), option.defaultValue, std::move(choices)});
    }
    m_all.push_back(&m_passes.emplace_back(
        keep(worker->plugin().name + "/" + offer.name), keep(offer.description), std::move(options),
        [worker, offer](rewrite::Rewriter &rewriter, const passes::Settings &settings) {
            return run(rewriter, settings, *worker, offer);
        },
        false));
}

namespace {

Target localTarget() { return readTargets().value_or(std::vector{Target()}).front(); }

/// The passes of a plugin at the time when it was found. They are kept, since others may refer to them after the plugin
/// is removed.
struct FoundPlugin {
    explicit FoundPlugin(const Manifest &plugin) : manifest(plugin), passes(Found{{plugin}, {}, {}}, localTarget()) { }

    Manifest manifest;
    PluginPasses passes;
};

} // namespace

std::vector<const passes::Pass *> foundPasses()
{
    static std::mutex mutex;
    static std::deque<FoundPlugin> known;
    const std::scoped_lock lock(mutex);
    std::vector<const passes::Pass *> all;
    for (const Manifest &plugin : findPlugins().plugins) {
        const auto place = std::ranges::find(known, plugin, &FoundPlugin::manifest);
        const auto passes = (place == known.end() ? known.emplace_back(plugin) : *place).passes.all();
        all.insert(all.end(), passes.begin(), passes.end());
    }
    return all;
}

std::vector<const passes::Pass *> askedPasses()
{
    const Found found = findPlugins();
    if (std::ranges::none_of(found.plugins, &Manifest::asksForPasses))
        return foundPasses();
    static const PluginPasses passes(found, localTarget(), true);
    return {passes.all().begin(), passes.all().end()};
}

} // namespace cutaway::plugin
