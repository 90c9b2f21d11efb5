// What is said of an application as a whole, in the words that the reports share. All of it is cleaned.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/application.h"
#include "model/stage.h"
#include "report/report.h"

namespace stagegate {

// Its name, or "application without a name"
std::string application_name(const Application& application);

// "Spark 4.3.0", "32.1 s", "4 cores"; what is not known is said to be unknown. Whether the evidence is complete is not among them.
std::vector<std::string> application_facts(const Application& application);

// Name, facts, and what the evidence lacks: the head of a report in the terminal.
std::string application_lines(const Application& application, Color color);

// "4 stages, 221 tasks, 2 failed, input 149 MiB, ...": the sums over STAGES of the metrics that there are.
std::string totals_text(std::span<const Stage> stages);

// What to say where there are no findings, which depends on what was there to look at.
std::string no_findings_text(const Application& application, std::span<const Stage> stages);

}  // namespace stagegate
