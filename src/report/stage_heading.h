// Under which words the stages of an application are listed.
#pragma once

#include <string>
#include <string_view>

#include "model/application.h"

namespace stagegate {

// What the author said of the stage's jobs: job group, description, or both. Groups and descriptions that Spark makes up itself (broadcasts
// before 3.5 carry a random id) do not count.
// Else the stage's SQL execution, "parquet (SQL 3)"; else its job, "count at pi.py:12 (job 0)". One line, cleaned.
std::string stage_heading(const Application& application, const StageAttempt& stage);

// "parquet at NativeMethodAccessorImpl.java:0" is "parquet": the place is cut off where it lies in Java's own files, which say nothing
// about the job. "parquet at revenue.py:8" stays.
std::string_view without_foreign_place(std::string_view call_site);

}  // namespace stagegate
