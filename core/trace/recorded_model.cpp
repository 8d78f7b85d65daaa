// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/recorded_model.h"

#include "core/base/formatted.h"
#include "core/sequence/address.h"
#include "core/trace/iterations.h"
#include "core/trace/links/gradient_links.h"
#include "core/trace/read/recognize.h"
#include "core/trace/units.h"

#include <algorithm>
#include <map>
#include <ranges>

namespace cutaway::trace {

namespace {

/// The limit of nested modules; deeper ones are taken for the one around them, as each path has all names above it.
constexpr std::size_t deepestModule = 64;

class RecordedModel {
public:
    explicit RecordedModel(const Trace &trace) : m_trace(trace), m_nesting(trace) { }

    ir::Model make()
    {
        m_model.format = "trace";
        m_model.producer = name(m_trace.kind);
        m_model.functions.push_back(
            {m_model.context->name("forward"), ir::Function::Kind::Main, ir::Graph(m_model.context), {}, {}, {}, {}});
        const auto iterations = iterationsOf(m_trace, m_nesting);
        const auto warm = std::ranges::find(iterations, false, &Iteration::isWarmUp);
        if (warm != iterations.end())
            for (const EventIndex event : warm->events)
                find(event, 0);
        const TextId lane = mainLane();
        for (const EventIndex event : m_operators)
            if (m_trace.events[event].lane == lane)
                addNode(m_trace.events[event]);
        tell();
        return std::move(m_model);
    }

private:
    /// Adds an operator. For another event, such as an annotation or a call without a namespace like TorchScript's
    /// "forward", adds the operators in it.
    void find(EventIndex i, int depth)
    {
        constexpr int maxDepth = 200;
        const Event &event = m_trace.events[i];
        const std::string_view name = m_trace.nameOf(event);
        const bool isOperator =
            event.category == Category::Operator && (m_trace.kind == Kind::OnnxRuntime || name.contains("::"));
        if (isGradient(name))
            return;
        if (isOperator || (event.category == Category::Operator && m_nesting.in(i).empty())) {
            m_operators.push_back(i);
        } else if (depth < maxDepth) {
            for (const EventIndex inner : m_nesting.in(i))
                find(inner, depth + 1);
        }
    }

    TextId mainLane() const
    {
        std::map<TextId, std::size_t> counts;
        for (const EventIndex i : m_operators)
            ++counts[m_trace.events[i].lane];
        const auto most = std::ranges::max_element(counts, {}, [](const auto &lane) { return lane.second; });
        return most == counts.end() ? TextId::None : most->first;
    }

    void addNode(const Event &event)
    {
        ir::Context &context = *m_model.context;
        const std::string_view written = m_trace.nameOf(event);
        const std::string_view onnx = m_trace.texts.at(m_trace.detailsOf(event).opName);
        if (written.empty())
            return;
        const std::size_t colons = written.find("::");
        const bool hasNamespace = colons != std::string_view::npos && colons + 2 < written.size();
        ir::NodeDraft node;
        node.op = !onnx.empty() ? context.op("onnx", onnx)
            : hasNamespace      ? context.op(written.substr(0, colons), written.substr(colons + 2))
                                : context.op("", written);
        node.name = context.name(onnx.empty() ? newName(operatorName(written)) : std::string(written));
        node.scope = scopeOf(event);
        m_hasModules |= node.scope != ir::ScopeId{};
        m_model.functions.front().graph.append(ir::Graph::body, std::move(node));
    }

    /// Returns a new name: "linear", "linear_1", …, as torch.fx numbers names.
    std::string newName(std::string_view base)
    {
        const std::size_t count = m_names[std::string(base)]++;
        return count == 0 ? std::string(base) : formatted("{}_{}", base, count);
    }

    ir::ScopeId scopeOf(const Event &event)
    {
        ir::ScopeId scope{};
        std::string_view path = m_trace.texts.at(m_trace.detailsOf(event).hierarchy);
        for (std::size_t depth = 0; !path.empty() && depth < deepestModule; ++depth) {
            const std::size_t dot = std::min(path.find('.'), path.size());
            scope = m_model.context->childScope(scope, path.substr(0, dot));
            path.remove_prefix(std::min(dot + 1, path.size()));
        }
        return scope == ir::ScopeId{} ? calledModules(event) : scope;
    }

    /// Returns the scope of the modules whose calls from Python contain an event: "Linear_0" in "Net_0".
    ir::ScopeId calledModules(const Event &event)
    {
        auto &around = m_around[event.lane]; // operators are added by start
        const auto isOver = [](const Event &call, std::int64_t time) { return call.end() <= time; };
        for (; m_nextModule < m_trace.modules.size() && m_trace.modules[m_nextModule].start <= event.start;
             ++m_nextModule) {
            const Event &call = m_trace.modules[m_nextModule];
            auto &calls = m_around[call.lane];
            while (!calls.empty() && isOver(*calls.back(), call.start))
                calls.pop_back();
            calls.push_back(&call);
        }
        while (!around.empty() && isOver(*around.back(), event.start))
            around.pop_back();
        ir::ScopeId scope{};
        for (const Event *call : around | std::views::take(deepestModule)) {
            constexpr std::string_view mark = "nn.Module: ";
            const std::string_view called = m_trace.nameOf(*call).substr(mark.size());
            scope = m_model.context->childScope(scope, called, called.substr(0, called.rfind('_')));
        }
        return scope;
    }

    void tell()
    {
        m_model.diagnostics = m_trace.diagnostics;
        const auto note = [this](const char *code, std::string message) {
            m_model.diagnose(ir::Severity::Info, code, std::move(message));
        };
        if (m_model.functions.front().graph.nodeCount() == 0)
            return note("trace.empty",
                        "no event of the trace is an operator on the host, so its graph is empty; the "
                        "timeline has all events");
        note("trace.alone",
             "the graph is what a trace tells: the operators of one iteration, in their order. It does "
             "not tell which reads which; the model that was run does");
        if (!m_hasModules)
            note("trace.modules",
                 m_trace.kind == Kind::Kineto
                     ? "the trace has no modules, so its operators are in none; record it with with_stack=True, or "
                       "with_modules=True where TorchScript runs"
                     : "the trace has no modules, so its operators are in none; the model that was run has them");
    }

    const Trace &m_trace;
    const Nesting m_nesting;
    ir::Model m_model;
    bool m_hasModules = false; ///< whether an operator lies in a module
    std::vector<EventIndex> m_operators;
    std::map<std::string, std::size_t> m_names;
    std::map<TextId, std::vector<const Event *>> m_around; ///< calls of modules that are running, by lane
    std::size_t m_nextModule = 0;
};

} // namespace

ir::Model recordedModel(const Trace &trace, std::string path)
{
    ir::Model model = RecordedModel(trace).make();
    model.path = std::move(path);
    return model;
}

Result<ir::Model> open(const std::string &address, const Task &task)
{
    if (!recognizes(address))
        return sequence::open(address, task);
    CUTAWAY_TRY(const Trace trace, read(address, task));
    return recordedModel(trace, address);
}

} // namespace cutaway::trace
