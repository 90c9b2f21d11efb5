#include "ingest/peeked_source.h"

#include <array>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

std::string read_all(ByteSource& source, std::size_t step) {
  std::string all;
  std::string buffer(step, '\0');
  while (const auto count = source.read(buffer).value_or(0)) {
    all.append(buffer, 0, count);
  }
  return all;
}

TEST(PeekedSource, ShowsAndStillGivesEveryByte) {
  for (const std::size_t source_step : {1U, 3U, 100U}) {
    for (const std::size_t step : {1U, 4U, 100U}) {
      PeekedSource source(std::make_unique<MemorySource>("0123456789", source_step));
      EXPECT_EQ(source.peek(4).value(), "0123");
      EXPECT_EQ(source.peek(2).value(), "01");
      EXPECT_EQ(source.peek(7).value(), "0123456");
      EXPECT_EQ(read_all(source, step), "0123456789");
      EXPECT_EQ(source.peek(4).value(), "");
    }
  }
}

TEST(PeekedSource, ShowsAllOfAShorterOne) {
  PeekedSource source(std::make_unique<MemorySource>("012", 1));
  EXPECT_EQ(source.peek(100).value(), "012");
  EXPECT_EQ(read_all(source, 2), "012");
}

TEST(PeekedSource, ShowsWhatIsNextAfterSomeWasRead) {
  PeekedSource source(std::make_unique<MemorySource>("0123456789"));
  EXPECT_EQ(source.peek(5).value(), "01234");
  std::array<char, 3> three;
  EXPECT_EQ(source.read(three).value(), 3U);
  EXPECT_EQ(source.peek(5).value(), "34567");
  EXPECT_EQ(read_all(source, 100), "3456789");
}

class FailingSource : public ByteSource {
 public:
  Result<std::size_t> read(std::span<char> buffer) override {
    if (reads_++ > 0) {
      return fail(ErrorKind::evidence, "unplugged");
    }
    buffer[0] = 'x';
    return 1;
  }

 private:
  int reads_ = 0;
};

TEST(PeekedSource, HandsAnErrorOnAndKeepsWhatCameBefore) {
  PeekedSource source(std::make_unique<FailingSource>());
  EXPECT_EQ(source.peek(2).error().message, "unplugged");
  EXPECT_EQ(source.peek(1).value(), "x");
}

}  // namespace
}  // namespace stagegate
