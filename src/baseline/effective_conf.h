// Whether a run was the variant that it is taken for: a property that a job sets in its own code beats the one that was asked for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/application.h"
#include "model/job_variant.h"

namespace stagegate {

// For each property of ASKED that was another one in the run, a line with both values and where the other one was seen: in the environment
// of the application (the session's builder, a platform's default), or in an SQL execution (spark.conf.set, SET). ASKED has no placeholders
// left in the values that count; one with "{" in it is passed over.
//
// Nothing is said of what Spark itself rewrites or what an author may name as he likes (files and jars, the application's name, options of
// JVMs to which Spark adds its own), of what is redacted, and of properties that the evidence does not have.
std::vector<std::string> overridden_properties(const std::map<std::string, ConfValue>& asked, const Application& application);

}  // namespace stagegate
