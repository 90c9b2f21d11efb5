// A small real event log, cut into what happens once and what a made log repeats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <boost/json.hpp>

namespace stagegate::bench {

struct RealLog {
  std::string application;  // its id
  std::int64_t start_ms = 0;
  std::vector<boost::json::object> head;   // up to the start of the application
  std::vector<boost::json::object> round;  // what the application did
  std::vector<boost::json::object> tail;   // its end
};

// "SparkListenerTaskEnd", without the package.
std::string_view class_of(const boost::json::object& event);

// An uncompressed log in which every stage completed and every task succeeded; anything else is an exception.
RealLog read_real_log(const std::filesystem::path& path);

// A log of local mode reads nothing from other machines and does not count the bytes of its input. This puts in what a cluster would have:
// remote shuffle blocks beside the local ones, and bytes where there are records.
void as_on_a_cluster(boost::json::object& task_end);

// Leaves out accumulables, evenly over the list, until the event is no longer than BYTES, or none is left.
void shorten(boost::json::object& task_end, std::size_t bytes);

// The settings of a session that had many: every job and stage repeats them.
void add_settings(boost::json::object& event, int count);

// An event with a plan, as if the query were a union of COPIES of itself. The accumulators of copy n are n * ACCUMULATORS further.
boost::json::object with_union_plan(const boost::json::object& event, int copies, std::int64_t accumulators);

}  // namespace stagegate::bench
