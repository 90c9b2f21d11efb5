// A source of which the first bytes can be looked at before they are read.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/byte_source.h"

namespace stagegate {

class PeekedSource : public ByteSource {
 public:
  explicit PeekedSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  // The next BYTES bytes, or all that are left where there are fewer. They stay to be read. Valid until the next call of either.
  Result<std::string_view> peek(std::size_t bytes);

  Result<std::size_t> read(std::span<char> buffer) override;

 private:
  std::unique_ptr<ByteSource> source_;
  std::string seen_;
  std::size_t given_ = 0;  // of seen_
};

}  // namespace stagegate
