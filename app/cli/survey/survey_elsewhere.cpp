// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/survey/survey_elsewhere.h"

#include "core/plugin/interpreter.h"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

namespace cutaway::cli {

namespace {

constexpr const char *script = R"py(
import sys
sys.path = [folder for folder in sys.path if folder]
try:
    from cutaway_remote.__main__ import main
    import cutaway
except ImportError as fault:
    print("cutaway: clusters and URLs need the Python module 'cutaway' (package python3-cutaway):", fault, file=sys.stderr)
    sys.exit(4)
if cutaway.__version__ != sys.argv[1]:
    print(f"cutaway: the Python module has version {cutaway.__version__}, this program {sys.argv[1]}", file=sys.stderr)
    sys.exit(4)
sys.exit(main())
)py";

std::string text(const SurveyElsewhere &survey)
{
    nlohmann::json profiles = nlohmann::json::array();
    for (const survey::Profile &profile : survey.profiles)
        profiles.push_back({{"backend", profile.backend}, {"seconds", profile.seconds}});
    const nlohmann::json asked{{"paths", survey.paths},
                               {"output", survey.output},
                               {"request", nlohmann::json::parse(survey::print(survey.request))},
                               {"profiles", profiles},
                               {"memory", survey.memory},
                               {"jobs", survey.jobs},
                               {"again", survey.again},
                               {"dask", survey.dask}};
    return asked.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Makes a file in memory the standard input of the program that takes this one's place. A pipe would not do: it cannot
/// hold many paths, and no process would be left to write the rest.
bool becomesInput(const std::string &content)
{
    const int file = ::memfd_create("survey", 0);
    if (file < 0)
        return false;
    for (std::size_t done = 0; done < content.size();) {
        const ssize_t n = ::write(file, content.data() + done, content.size() - done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? static_cast<std::size_t>(n) : 0;
    }
    return ::lseek(file, 0, SEEK_SET) == 0 && ::dup2(file, STDIN_FILENO) == STDIN_FILENO;
}

} // namespace

Result<Answer> surveyElsewhere(const SurveyElsewhere &survey)
{
    if (!becomesInput(text(survey)))
        return backendError(std::string("the survey cannot be handed to python3: ") + std::strerror(errno));
    const std::string python = plugin::interpreter();
    ::execlp(python.c_str(), python.c_str(), "-c", script, CUTAWAY_VERSION, nullptr);
    return backendError(python
                        + ", whose module surveys clusters and URLs, cannot be started: " + std::strerror(errno));
}

} // namespace cutaway::cli
