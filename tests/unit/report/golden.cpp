#include "unit/report/golden.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace stagegate {

void expect_golden(std::string_view name, const std::string& actual) {
  const auto path = std::string(STAGEGATE_TEST_DATA "/report/") + std::string(name);
  const char* update = std::getenv("STAGEGATE_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string expected{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(actual, expected) << "in " << path;
}

}  // namespace stagegate
