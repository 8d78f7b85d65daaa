// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A scene with everything open has the contents of each part as a plane, cut at the part's border. Here each plane
// becomes a scene of its own. Its boxes are closed, so links that met different ports of a box are joined. Where values
// pass the part's border there are pills.

#include "core/layout/planes/planes.h"

#include "core/layout/describe_part.h"
#include "core/layout/outline.h"
#include "core/layout/placement.h"

#include <algorithm>
#include <map>
#include <utility>

namespace cutaway::layout {

namespace {

class PlaneCutter {
public:
    PlaneCutter(const ir::Graph &graph, const Scene &all, const Knowledge &knowledge)
        : m_graph(graph),
          m_all(all),
          m_knowledge(knowledge)
    {
    }

    Scene cut(const ScenePlane &plane) const
    {
        Scene scene;
        ScenePlane &own = scene.planes.emplace_back();
        own.stubs = plane.stubs;
        for (std::uint32_t i = 0; i < plane.vertices.size(); ++i) {
            scene.boxes.push_back(boxOf(plane, i));
            own.vertices.push_back({.box = i});
        }
        scene.planeIn.resize(scene.boxes.size());
        joinLinks(plane, own);
        return scene;
    }

private:
    Box boxOf(const ScenePlane &plane, std::uint32_t vertex) const
    {
        using Kind = SceneVertex::Kind;
        const SceneVertex &from = plane.vertices[vertex];
        if (from.kind != Kind::Box)
            return pillOf(plane, vertex, from.kind == Kind::Entry ? Box::Kind::Input : Box::Kind::Output);
        Box box = m_all.boxes[from.box];
        box.canOpen = m_all.planeIn[from.box].has_value();
        box.open = false;
        box.depth = 0;
        box.parent.reset();
        return box;
    }

    /// Returns the pill for an entry or exit, which always has a link.
    Box pillOf(const ScenePlane &plane, std::uint32_t vertex, Box::Kind kind) const
    {
        Values values;
        for (const SceneLink &link : plane.links)
            if (link.from == vertex || link.to == vertex)
                for (const ir::ValueId value : link.values)
                    if (!std::ranges::contains(values, value))
                        values.push_back(value);
        Box pill{.kind = kind, .subject = InputSubject{values.front()}};
        pill.lines = describeInput({m_graph, values.front()}, m_knowledge);
        if (values.size() > 1) {
            pill.lines = {{std::to_string(values.size()) + " values", Line::Style::Title}};
            for (std::size_t i = 1; i < values.size(); ++i)
                pill.others.push_back(InputSubject{values[i]});
        }
        return pill;
    }

    static void joinLinks(const ScenePlane &from, ScenePlane &to)
    {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known;
        for (const SceneLink &link : from.links) {
            const auto [at, isNew] = known.try_emplace({link.from, link.to}, to.links.size());
            if (isNew) {
                SceneLink &made = to.links.emplace_back(link);
                made.fromPort.reset();
                made.toPort.reset();
                continue;
            }
            SceneLink &made = to.links[at->second];
            for (const ir::ValueId value : link.values)
                if (!std::ranges::contains(made.values, value))
                    made.values.push_back(value);
            made.isQuiet = made.isQuiet && link.isQuiet;
            made.isBridge = made.isBridge && link.isBridge;
        }
    }

    const ir::Graph &m_graph;
    const Scene &m_all;
    const Knowledge &m_knowledge;
};

} // namespace

Result<std::vector<PartPlane>> layOutPlanes(const ir::Model &model, ir::FunctionId function, const Outline &outline,
                                            const TextMeasure &measure, const Options &options, std::stop_token stop)
{
    const ir::Function &f = model.at(function);
    std::map<Subject, std::uint32_t> partOf;
    for (std::uint32_t i = 0; i < outline.parts.size(); ++i)
        partOf.emplace(outline.parts[i].subject, i);
    const Scene all =
        makeScene(model, f, outline, {.open = {}, .everything = true, .flat = false}, options.knowledge, nullptr, stop);
    const PlaneCutter cutter(f.graph, all, options.knowledge);
    std::vector<PartPlane> planes;
    for (const ScenePlane &plane : all.planes) {
        if (stop.stop_requested())
            return cancelled();
        CUTAWAY_TRY(Diagram diagram, placed(f.graph, cutter.cut(plane), measure, options, stop));
        planes.push_back({plane.box ? partOf.at(all.boxes[*plane.box].subject) : 0, std::move(diagram)});
    }
    return planes;
}

} // namespace cutaway::layout
