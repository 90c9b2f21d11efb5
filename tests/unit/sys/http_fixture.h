// What the tests of the web client share: time-outs that fit a test, and no proxy from outside.
#pragma once

#include <zlib.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/scripted_server.h"
#include "sys/http_client.h"

namespace stagegate::test {

class HttpFixture : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "NETRC"}) {
      ::unsetenv(name);
    }
    settings.connect_timeout = std::chrono::milliseconds(1000);
    settings.idle_timeout = std::chrono::milliseconds(5000);
    settings.first_back_off = std::chrono::milliseconds(1);
    settings.retries = 2;
  }

  WebAnswer get(const std::string& url) {
    auto result = HttpClient(settings).get(url);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return std::move(result).value_or(WebAnswer{});
  }

  // Why there is no answer: one line that begins with the address.
  std::string error_of(const std::string& url) {
    const auto result = HttpClient(settings).get(url);
    EXPECT_FALSE(result) << "status " << (result ? result->status : 0);
    if (result) {
      return {};
    }
    EXPECT_EQ(result.error().kind, ErrorKind::evidence);
    expect_sentence(result.error().message);
    return result.error().message;
  }

  static void expect_sentence(const std::string& message) {
    EXPECT_EQ(message.find_first_of("\r\n"), std::string::npos) << message;
    EXPECT_TRUE(message.starts_with("cannot get 'http")) << message;
  }

  HttpSettings settings;
};

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline std::string plain(std::string_view body) {
  return answer("200 OK", {"Content-Type: text/plain"}, body);
}

// WINDOW_BITS 31 is gzip, 15 is what HTTP calls deflate.
inline std::string packed(const std::string& text, int window_bits) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string bytes(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

}  // namespace stagegate::test
