// A decoder of which the first bytes can be looked at before they are read.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "ingest/decoder.h"
#include "ingest/peeked_source.h"

namespace stagegate {

class PeekedDecoder : public Decoder {
 public:
  explicit PeekedDecoder(std::unique_ptr<Decoder> decoder) : decoder_(*decoder), bytes_(std::move(decoder)) {}

  // See PeekedSource.
  Result<std::string_view> peek(std::size_t bytes) { return bytes_.peek(bytes); }

  Result<std::size_t> read(std::span<char> buffer) override { return bytes_.read(buffer); }
  std::string damage() const override { return decoder_.damage(); }
  bool is_plain() const override { return decoder_.is_plain(); }

 private:
  const Decoder& decoder_;  // belongs to bytes_
  PeekedSource bytes_;
};

}  // namespace stagegate
