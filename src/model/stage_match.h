// What a stage is recognised by in another run, and which stage of that run it is; identity/ makes both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/metric.h"
#include "model/stage.h"

namespace stagegate {

// What a stage is told from its equals by: input bytes and output bytes, which depend on the version of Spark, are none of them.
inline constexpr std::array kAmounts{Metric::input_records,  Metric::shuffle_read_records, Metric::shuffle_write_records,
                                     Metric::output_records, Metric::shuffle_read_bytes,   Metric::shuffle_write_bytes};

// More than its key says: what two runs that are both there whole can be compared by.
struct StageTraits {
  StageKey key;
  std::string purpose;                                  // for whom it works: "for write report" in the author's words, or "call collect"
  std::vector<std::string> work;                        // a line for each thing that it does, in normal form; where its rows go comes last
  std::vector<std::size_t> producers;                   // indices of the stages that it reads from, each before its reader
  std::optional<std::int64_t> action;                   // the same number: stages of one SQL execution, or of one job
  std::int64_t turn = 0;                                // the same number: stages of actions that ran at the same time
  std::array<std::int64_t, kAmounts.size()> amounts{};  // sums of kAmounts; 0 where there are none
};

// Why two stages are taken for the same, from strong to weak.
enum class MatchBasis : std::uint8_t {
  same_lineage,  // the same work for the same purpose, in the same place among the stages
  same_work,     // the same work for the same purpose
  renamed,       // the same work for a purpose of another name
  neighbours,    // the one that is left between neighbours that are matched
  likeness,      // nearly the same work, numbers and neighbours
};

struct StageMatch {
  std::size_t before = 0;
  std::size_t after = 0;
  MatchBasis basis = MatchBasis::likeness;
  double likeness = 1.0;   // of MatchBasis::likeness and neighbours: 0 to 1
  bool ambiguous = false;  // another pairing would be as good: nobody can tell these stages from their siblings
};

}  // namespace stagegate
