// A server of Spark's REST API that was recorded: what it answers to each path, in one text.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/web_answer.h"

namespace stagegate {

class RecordedServer {
 public:
  // Each answer is a line "=== <status> <content type> <path>" and the lines of its body. What is in front of the first is left out.
  static RecordedServer from_text(std::string_view text);

  RecordedServer& answer(std::string path, std::string body, int status = 200, std::string content_type = "application/json");
  // After so many answers there is none any more.
  RecordedServer& goes_after(std::size_t answers);

  // 404 for what was not recorded. Valid as long as the server.
  WebGet get();

  const std::vector<std::string>& asked() const { return asked_; }
  const std::map<std::string, WebAnswer, std::less<>>& answers() const { return answers_; }

 private:
  std::map<std::string, WebAnswer, std::less<>> answers_;
  std::vector<std::string> asked_;
  std::size_t goes_after_ = static_cast<std::size_t>(-1);
};

}  // namespace stagegate
