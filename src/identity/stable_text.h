// What stays of a text from one run to the next: call sites without lines, descriptions without UUIDs and dates, paths without the parts
// that change from day to day.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stagegate {

// TEXT with each run of blanks and control characters as one blank.
std::string on_one_line(std::string_view text);

// TEXT without UUIDs, dates ("2026-11-29", "20261129") and times of day.
std::string without_moving_parts(std::string_view text);

// The last part of a path or URL that stays: "file:/ci/work/lake/orders" -> "orders", "s3a://b/orders/dt=2026-11-29" -> "orders",
// "/wh/orders_20261129" -> "orders". Partition folders (k=v), dates, UUIDs, numbers, globs and temporary folders are passed over.
// "files" where nothing stays.
std::string place_name(std::string_view path);

// "/a", "file:/a", "s3a://bucket/a": TEXT begins as a path or a URL with one.
bool begins_path(std::string_view text);

// The first path of a list as Spark prints it, "file:/lake/a, b/orders, file:/lake/more": a path may hold commas and blanks, and ends where
// the next one begins or what is left out ("...").
std::string_view first_path(std::string_view list);

// Every path inside TEXT replaced by its place_name(). A path is a run of characters without blanks and brackets that has a slash.
std::string with_place_names(std::string_view text);

struct CallSite {
  std::string method;  // "" where it is a compiler's name ($anonfun$...), which differs from one build of Spark to the next
  std::string file;    // without folders; "" for files of the JDK and shells, which say nothing of the job
};

// "parquet at revenue.py:8", "collect at /app/x.py:40", "run at ThreadPoolExecutor.java:1136". Absent where TEXT is not a call site.
// Methods that PySpark calls by another name in the JVM get their own: collectToPython is collect, showString is show.
std::optional<CallSite> parse_call_site(std::string_view text);

// "parquet at revenue.py", "count", "": a call site without what moves.
std::string to_string(const CallSite& call_site);

// A description or job group as its author wrote it, on one line and without what moves; "" where Spark made it up (a call site, a
// broadcast's run id, the id of a streaming query).
std::string authored_text(std::string_view text);

}  // namespace stagegate
