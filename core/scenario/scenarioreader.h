// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A scenario from its JSON object, section by section (scenariofile.h says what readers of it get). What is not said stays as in the base;
// what is said replaces its part: a model brings its own weights with it, a card its own memory, an engine its own options. The machine and
// the split over it are in hardwareread.cpp, everything else in scenarioread.cpp.

#include "core/base/json.h"
#include "core/model/modelspec.h"
#include "core/scenario/scenario.h"
#include "core/scenario/section.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

/// Reads one scenario; its parts share the notes and the list of unknown keys.
class ScenarioReader {
public:
    ScenarioReader(const Json &root, const std::string &folder, std::string_view prefix, const Scenario &base, bool fromFile)
        : m_root(root), m_folder(folder), m_prefix(prefix), m_scenario(base), m_fromFile(fromFile) {}

    Parsed<Scenario> read();

private:
    void readTop();
    void readModel();
    void takeModel(Parsed<std::shared_ptr<const ModelSpec>> model, std::string_view place);
    void refuseTextNumbers(const Section &model);
    void readWeights();
    void readKv();
    std::optional<ElementType> kvType(const Section &section, std::string_view key);
    void readWorkload();
    void keepLengths(const Json &lengths, SharedLengths read);
    void readHardware();
    void readDevices(const Section &hardware);
    void readCards(const Section &hardware);
    void readParallel();
    void readEngine();
    void readFleet();

    const Json &m_root;
    const std::string &m_folder;
    std::string_view m_prefix;
    Scenario m_scenario;
    Notes m_notes;
    std::string m_unknown;
    bool m_fromFile;
    bool m_modelGiven = false;
    bool m_countGiven = false;
};

} // namespace kv
