// A server of Spark's REST API, as a stranger would have it. What is checked besides that any answers are survived: every application that
// comes out holds what an application must hold, every error is one of the evidence, and the same answers say the same again.
//
// An input is a byte for the options, and answers as recorded_server.h has them. What is asked for again with another query gets the next
// answer that was recorded for the path, and then the last one over and over, as of a server that pays no heed to pages.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/application_checks.h"
#include "fuzz/input.h"
#include "fuzz/require.h"
#include "ingest/read_rest.h"
#include "unit/ingest/recorded_server.h"

namespace stagegate {
namespace {

class StrangeServer {
 public:
  explicit StrangeServer(std::string_view text) : recorded_(RecordedServer::from_text(text)) {
    for (const auto& [path, answer] : recorded_.answers()) {
      answers_[without_query(path)].push_back(answer);
    }
  }

  WebGet get() {
    next_.clear();
    return [this](std::string_view path) -> Result<WebAnswer> {
      require(++asked_ < kMostQuestions, "questions come to an end");
      const auto clean = without_query(path);
      const auto known = answers_.find(clean);
      if (known == answers_.end()) {
        return WebAnswer{.status = 404, .content_type = "", .url = std::string(path), .body = {}};
      }
      const auto next = std::min(next_[clean]++, known->second.size() - 1);
      return known->second[next];
    };
  }

 private:
  static constexpr int kMostQuestions = 1'000'000;

  static std::string without_query(std::string_view path) { return std::string(path.substr(0, path.find('?'))); }

  RecordedServer recorded_;
  std::map<std::string, std::vector<WebAnswer>> answers_;
  std::map<std::string, std::size_t> next_;
  int asked_ = 0;
};

std::string read(StrangeServer& server, std::string_view app, const RestOptions& options) {
  const auto get = server.get();
  return check_result(read_rest_application(get, app, options));
}

void check(std::string_view text, const RestOptions& options) {
  constexpr std::size_t kMostApplications = 3;
  StrangeServer server(text);
  const auto get = server.get();
  auto heads = list_rest_applications(get);
  require(heads || heads.error().kind == ErrorKind::evidence, "an error is of the evidence");
  std::vector<std::string> apps{"app-1"};
  for (const auto& head : heads.value_or(std::vector<ServedApplication>())) {
    apps.push_back(head.head.log);
  }
  apps.resize(std::min(apps.size(), kMostApplications));
  for (const auto& app : apps) {
    require_same(read(server, app, options), read(server, app, options), "the same answers say the same");
  }
}

}  // namespace
}  // namespace stagegate

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stagegate::Input input(data, size);
  const auto how = input.byte();
  stagegate::RestOptions options;
  options.depth = how % 2 == 0 ? stagegate::TaskDepth::judged : stagegate::TaskDepth::all;
  options.page_size = (how >> 1U) % 4 + 1;
  stagegate::check(input.rest(), options);
  return 0;
}
