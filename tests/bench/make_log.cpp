// Makes a large event log out of a small real one: what the application did once, it does again and again with other ids, other numbers
// and as many tasks as wanted. Beside the log it leaves the sums of what it planted, which a report has to find. `make_log.py` is the
// way to call it.
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "bench/application_template.h"
#include "bench/log_maker.h"
#include "bench/log_writer.h"
#include "bench/real_log.h"
#include "bench/truth.h"

namespace stagegate::bench {
namespace {

struct Options {
  std::string real_log;
  std::string out;
  std::string truth;
  Amount amount;
  TemplateOptions lines;
  std::uint64_t seed = 1;
  bool rolling = false;
  Codec codec = Codec::none;
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("real-log", options.real_log, "An uncompressed log of a successful application")->required();
  app.add_option("out", options.out, "The file, or with --rolling the folder around the log")->required();
  app.add_option("--truth", options.truth, "Where the sums of what was planted go")->required();
  auto* bytes = app.add_option("--bytes", options.amount.bytes, "Of the log, uncompressed");
  app.add_option("--tasks", options.amount.tasks)->excludes(bytes);
  app.add_option("--stages", options.amount.stages, "Rounded up to whole repetitions of the real log");
  app.add_option("--task-end-bytes", options.lines.task_end_bytes, "Of a task end, on average; 0: as the real log has them");
  app.add_option("--plan-bytes", options.lines.plan_bytes, "Of the largest event with a plan");
  app.add_option("--seed", options.seed);
  app.add_flag("--rolling", options.rolling);
  const std::map<std::string, Codec> codecs{
      {"none", Codec::none}, {"zstd", Codec::zstd}, {"lz4", Codec::lz4}, {"lz4-frame", Codec::lz4_frame}};
  app.add_option("--codec", options.codec)->transform(CLI::CheckedTransformer(codecs));
}

void make(const Options& options) {
  const auto application = make_application_template(read_real_log(options.real_log), options.lines);
  LogWriter writer(options.out, application.application, options.rolling ? Layout::rolling : Layout::single, options.codec);
  const auto truth = LogMaker(application, options.amount, options.seed, writer).make();
  writer.finish();
  write_truth(truth, options.truth);
}

}  // namespace
}  // namespace stagegate::bench

int main(int argc, char** argv) {
  stagegate::bench::Options options;
  CLI::App app("Makes a large event log out of a small real one");
  stagegate::bench::add_options(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    stagegate::bench::make(options);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "make_log: " << error.what() << '\n';
    return 1;
  }
}
