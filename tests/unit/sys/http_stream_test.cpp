#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/scripted_server.h"
#include "sys/http_client.h"
#include "sys/http_transfer.h"
#include "sys/web_address.h"
#include "unit/sys/http_fixture.h"

namespace stagegate {
namespace {

using std::chrono::milliseconds;
using test::answer;
using test::contains;
using test::plain;
using test::says;
using test::says_and_closes;
using test::ScriptedServer;
using test::ServerSide;

class HttpStreamTest : public test::HttpFixture {
 protected:
  HttpStream open(const std::string& url) {
    auto stream = HttpClient(settings).open(url);
    EXPECT_TRUE(stream) << (stream ? "" : stream.error().message);
    return std::move(stream).value();
  }
};

// Bytes that tell where they stand.
std::string pattern(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 1;
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>((state = state * 1664525U + 1013904223U) >> 24U); });
  return bytes;
}

// To the end or an error.
Result<std::string> all_of(ByteSource& source, std::size_t piece = 10'000) {
  std::string bytes;
  std::vector<char> buffer(piece);
  for (;;) {
    STAGEGATE_TRY_ASSIGN(count, source.read(buffer));
    if (count == 0) {
      return bytes;
    }
    bytes.append(buffer.data(), count);
  }
}

TEST_F(HttpStreamTest, GivesTheWholeBody) {
  const auto body = pattern(5'000'000);
  ScriptedServer server({says(answer("200 OK", {"Content-Type: application/octet-stream"}, body))});
  for (const std::size_t piece : {std::size_t{1'000}, std::size_t{65'536}, std::size_t{8'000'000}}) {
    const auto stream = open(server.url("/logs"));
    EXPECT_EQ(stream.status, 200);
    EXPECT_EQ(stream.content_type, "application/octet-stream");
    EXPECT_EQ(stream.bytes, 5'000'000U);
    EXPECT_EQ(stream.url, server.url("/logs"));
    const auto got = all_of(*stream.body, piece);
    ASSERT_TRUE(got);
    EXPECT_TRUE(*got == body);
    EXPECT_EQ(stream.body->read({}).value(), 0U);
  }
}

TEST_F(HttpStreamTest, IsNotAskedForPackedAndNotUnpacked) {
  ScriptedServer server({says(answer("200 OK", {"Content-Encoding: gzip"}, "as it is"))});
  EXPECT_EQ(all_of(*open(server.url()).body).value(), "as it is");
  EXPECT_FALSE(contains(server.requests().at(0), "Accept-Encoding"));
}

TEST_F(HttpStreamTest, OfUnknownLengthGivesTheWholeBody) {
  ScriptedServer server({says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n1\r\nf\r\n0\r\n\r\n")});
  const auto stream = open(server.url());
  EXPECT_EQ(stream.bytes, std::nullopt);
  EXPECT_EQ(all_of(*stream.body, 2).value(), "abcdef");
}

TEST_F(HttpStreamTest, KnowsNoLimitOfAnAnswerInMemory) {
  settings.max_body_bytes = 10;
  ScriptedServer server({says(plain(pattern(100'000)))});
  EXPECT_EQ(all_of(*open(server.url()).body)->size(), 100'000U);
}

TEST_F(HttpStreamTest, ThatIsCutIsAnErrorEachTimeItIsRead) {
  for (const std::string head : {"Content-Length: 2000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n1E8480\r\n"}) {
    ScriptedServer server({says_and_closes("HTTP/1.1 200 OK\r\n" + head + pattern(1'500'000))});
    const auto stream = open(server.url());
    const auto got = all_of(*stream.body);
    ASSERT_FALSE(got);
    expect_sentence(got.error().message);
    EXPECT_EQ(got.error().kind, ErrorKind::evidence);
    EXPECT_TRUE(contains(got.error().message, server.url())) << got.error().message;
    EXPECT_TRUE(contains(got.error().message, "ended too early")) << got.error().message;
    EXPECT_FALSE(all_of(*stream.body));
    EXPECT_EQ(server.requests().size(), 1U);
  }
}

TEST_F(HttpStreamTest, ThatStopsIsAnError) {
  settings.idle_timeout = milliseconds(200);
  ScriptedServer server({[](ServerSide& side) {
    side.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
    side.wait_for_the_end();
  }});
  const auto got = all_of(*open(server.url()).body);
  ASSERT_FALSE(got);
  EXPECT_TRUE(contains(got.error().message, "nothing came for 200 ms")) << got.error().message;
}

TEST_F(HttpStreamTest, WaitsForASlowReader) {
  settings.idle_timeout = milliseconds(100);
  const auto body = pattern(5'000'000);
  ScriptedServer server({says(plain(body))});
  const auto stream = open(server.url());
  std::vector<char> buffer(1000);
  EXPECT_EQ(stream.body->read(buffer).value(), 1000U);
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(all_of(*stream.body)->size(), body.size() - 1000);
}

TEST_F(HttpStreamTest, MakesTheServerWaitForTheReader) {
  std::atomic<std::size_t> sent{0};
  ScriptedServer server({[&sent](ServerSide& side) {
    const std::string piece(100'000, 'x');
    side.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    while (sent < 200'000'000 && side.send(piece)) {
      sent += piece.size();
    }
    side.close();
  }});
  {
    const auto stream = open(server.url());
    std::vector<char> buffer(1000);
    EXPECT_TRUE(stream.body->read(buffer));
    std::this_thread::sleep_for(milliseconds(200));
    EXPECT_TRUE(stream.body->read(buffer));
    // What lies in the sockets of both sides and in a buffer of ours.
    EXPECT_LT(sent.load(), 30'000'000U);
  }
}

TEST_F(HttpStreamTest, HoldsAMebibyteOfABodyAndNotMuchMore) {
  ScriptedServer server({says(plain(pattern(20'000'000)))});
  HttpTransfer transfer(*new_connection_pool(), parse_web_address(server.url()).value(), settings, BodyUse::streamed, nullptr);
  ASSERT_TRUE(transfer.head());
  std::vector<char> buffer(4U << 20U);
  for (std::size_t got = 0; got < 20'000'000;) {
    std::this_thread::sleep_for(milliseconds(5));
    ASSERT_TRUE(transfer.fill(1));
    EXPECT_LE(transfer.waiting().size(), std::size_t{5} << 18U);
    got += transfer.read(buffer).value();
  }
}

TEST_F(HttpStreamTest, MayBeLeftEarly) {
  std::atomic<bool> noticed{false};
  ScriptedServer server({[&noticed](ServerSide& side) {
    side.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    while (side.send(std::string(100'000, 'x'))) {
    }
    noticed = true;
    side.close();
  }});
  auto stream = open(server.url());
  stream.body.reset();
  for (int i = 0; i < 200 && !noticed; ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_TRUE(noticed);
}

TEST_F(HttpStreamTest, MayBeReadByAnotherThreadWhileTheClientAsksOn) {
  const auto body = pattern(3'000'000);
  ScriptedServer server({says(plain(body)), says(plain("small"))});
  HttpClient client(settings);
  auto stream = client.open(server.url()).value();
  Result<std::string> got;
  std::thread reader([&] { got = all_of(*stream.body); });
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(client.get(server.url())->body, "small");
  }
  reader.join();
  EXPECT_TRUE(got.value() == body);
}

TEST_F(HttpStreamTest, OutlivesTheClient) {
  ScriptedServer server({says(plain(pattern(2'000'000)))});
  const auto body = open(server.url()).body;
  EXPECT_EQ(all_of(*body)->size(), 2'000'000U);
}

TEST_F(HttpStreamTest, IsAskedForAgainBeforeItsBodyBegins) {
  ScriptedServer server({says_and_closes(""), says(answer("503 Later", {}, "later")), says(plain("now"))});
  EXPECT_EQ(all_of(*open(server.url()).body).value(), "now");
}

TEST_F(HttpStreamTest, OfAnErrorHasTheWholeText) {
  const std::string text = "Event logs are not available for app: app-1." + std::string(10'000, ' ');
  ScriptedServer server({says(answer("503 Service Unavailable", {"Content-Type: text/plain"}, text))});
  const auto stream = open(server.url());
  EXPECT_EQ(stream.status, 503);
  EXPECT_EQ(all_of(*stream.body).value(), text);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(HttpStreamTest, BeginsAsSoonAsItsHeadersAreThere) {
  ScriptedServer server({[](ServerSide& side) {
    side.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n");
    side.wait(milliseconds(300));
    side.send("body");
  }});
  const auto begin = std::chrono::steady_clock::now();
  const auto stream = open(server.url());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(250));
  EXPECT_EQ(all_of(*stream.body).value(), "body");
}

TEST_F(HttpStreamTest, TellsAnotherPortNothing) {
  settings.bearer_token = "hunter22";
  ScriptedServer other({says(plain("other"))});
  ScriptedServer server({says(answer("307 Moved", {"Location: " + other.url("/logs")}, ""))});
  EXPECT_EQ(all_of(*open(server.url()).body).value(), "other");
  EXPECT_FALSE(contains(other.requests().at(0), "hunter22"));
}

}  // namespace
}  // namespace stagegate
