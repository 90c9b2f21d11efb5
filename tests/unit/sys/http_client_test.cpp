#include "sys/http_client.h"

#include <zlib.h>

#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/scripted_server.h"
#include "support/temporary_folder.h"
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
using Clock = std::chrono::steady_clock;

class HttpClientTest : public test::HttpFixture {};

// WINDOW_BITS 31 is gzip, 15 is what HTTP calls deflate.
std::string packed(const std::string& text, int window_bits) {
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

// Sends a body in pieces until it is done or nobody takes it.
ScriptedServer::Script sends_many(std::string head, std::string piece, int count) {
  return [=](ServerSide& side) {
    side.send(head);
    for (int i = 0; i < count && side.send(piece); ++i) {
    }
    side.close();
  };
}

TEST_F(HttpClientTest, GivesTheAnswer) {
  ScriptedServer server({says(answer("200 OK", {"Content-Type: Application/JSON; charset=utf-8"}, "[1]"))});
  const auto got = get(server.url("/api/v1/applications?status=running"));
  EXPECT_EQ(got.status, 200);
  EXPECT_EQ(got.content_type, "application/json");
  EXPECT_EQ(got.body, "[1]");
  EXPECT_EQ(got.url, server.url("/api/v1/applications?status=running"));
  const auto request = server.requests().at(0);
  EXPECT_TRUE(request.starts_with("GET /api/v1/applications?status=running HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(contains(request, "\r\nUser-Agent: stagegate\r\n")) << request;
}

TEST_F(HttpClientTest, TakesWhateverStatusForAnAnswer) {
  for (const std::string status : {"204 No Content", "304 Not Modified", "400 Bad", "401 Unauthorized", "403 Forbidden", "404 Not Found",
                                   "407 Proxy Authentication Required", "418 Teapot", "501 Not Implemented"}) {
    ScriptedServer server({says_and_closes(answer(status, {}, ""))});
    EXPECT_EQ(get(server.url()).status, std::stoi(status));
    EXPECT_EQ(server.requests().size(), 1U) << status;
  }
}

TEST_F(HttpClientTest, TakesAPageForAnAnswer) {
  ScriptedServer server({says(answer("200 OK", {"Content-Type: text/html"}, "<html>log in</html>"))});
  EXPECT_EQ(get(server.url()).content_type, "text/html");
}

TEST_F(HttpClientTest, WithoutAContentTypeHasNone) {
  ScriptedServer server({says_and_closes("HTTP/1.0 200 OK\r\n\r\nall until the end")});
  const auto got = get(server.url());
  EXPECT_EQ(got.content_type, "");
  EXPECT_EQ(got.body, "all until the end");
}

TEST_F(HttpClientTest, PutsChunksTogether) {
  ScriptedServer server({[](ServerSide& side) {
    side.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    side.wait(milliseconds(20));
    side.send("2;extension=1\r\nde\r\n0\r\nTrailer: x\r\n\r\n");
  }});
  EXPECT_EQ(get(server.url()).body, "abcde");
}

TEST_F(HttpClientTest, PassesOverInterimAnswers) {
  ScriptedServer server({says("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + plain("body"))});
  const auto got = get(server.url());
  EXPECT_EQ(got.status, 200);
  EXPECT_EQ(got.body, "body");
}

TEST_F(HttpClientTest, UnpacksGzipAndDeflate) {
  const std::string text(100'000, 'x');
  ScriptedServer server({says(answer("200 OK", {"Content-Encoding: gzip"}, packed(text, 31))),
                         says(answer("200 OK", {"Content-Encoding: deflate"}, packed(text, 15)))});
  HttpClient client(settings);
  EXPECT_EQ(client.get(server.url())->body, text);
  EXPECT_EQ(client.get(server.url())->body, text);
  EXPECT_TRUE(contains(server.requests().at(0), "\r\nAccept-Encoding: gzip, deflate\r\n"));
}

TEST_F(HttpClientTest, SaysThatAnAnswerIsNotPackedAsItClaims) {
  for (const std::string encoding : {"gzip", "frobnicate"}) {
    ScriptedServer server({says(answer("200 OK", {"Content-Encoding: " + encoding}, "this is not packed at all"))});
    EXPECT_TRUE(contains(error_of(server.url()), "could not be unpacked")) << encoding;
    EXPECT_EQ(server.requests().size(), 1U);
  }
}

TEST_F(HttpClientTest, KeepsTheConnection) {
  ScriptedServer server({says(plain("one")), says(answer("404 Not Found", {}, "no")), says(plain("three"))});
  HttpClient client(settings);
  EXPECT_EQ(client.get(server.url())->body, "one");
  EXPECT_EQ(client.get(server.url())->body, "no");
  EXPECT_EQ(client.get(server.url())->body, "three");
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(HttpClientTest, MakesANewConnectionWhereTheServerClosedTheOldOne) {
  ScriptedServer server({says_and_closes(plain("one")), says(plain("two"))});
  HttpClient client(settings);
  EXPECT_EQ(client.get(server.url())->body, "one");
  EXPECT_EQ(client.get(server.url())->body, "two");
}

struct Break {
  std::string name;
  ScriptedServer::Script script;
};

std::vector<Break> breaks() {
  return {
      {"cut body", says_and_closes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")},
      {"cut chunks", says_and_closes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf")},
      {"no last chunk", says_and_closes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")},
      {"bad chunk", says_and_closes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nxyz\r\n")},
      {"no answer", says_and_closes("")},
      {"half headers", says_and_closes("HTTP/1.1 200 OK\r\nContent-Le")},
      {"headers without an end", says_and_closes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n")},
      {"cut gzip", says_and_closes("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 900\r\n\r\n" + packed("half", 31))},
      {"reset",
       [](ServerSide& side) {
         side.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
         side.wait(milliseconds(20));
         side.reset();
       }},
      {"reset before an answer", [](ServerSide& side) { side.reset(); }},
  };
}

TEST_F(HttpClientTest, AsksAgainWhereAnAnswerBroke) {
  for (const auto& broken : breaks()) {
    ScriptedServer server({broken.script, broken.script, says(plain("whole"))});
    EXPECT_EQ(get(server.url()).body, "whole") << broken.name;
    EXPECT_EQ(server.requests().size(), 3U) << broken.name;
  }
}

TEST_F(HttpClientTest, SaysThatAnswersBreakAlways) {
  for (const auto& broken : breaks()) {
    ScriptedServer server({broken.script});
    const auto message = error_of(server.url());
    EXPECT_TRUE(contains(message, "ended too early") || contains(message, "connection broke") || contains(message, "without an answer"))
        << broken.name << ": " << message;
    EXPECT_EQ(server.requests().size(), 3U) << broken.name;
  }
}

TEST_F(HttpClientTest, AsksAgainWhatMayPass) {
  for (const std::string status : {"429 Too Many Requests", "500 Error", "502 Bad Gateway", "503 Unavailable", "504 Timeout"}) {
    ScriptedServer server({says(answer(status, {}, "later")), says(answer(status, {}, "later")), says(plain("now"))});
    EXPECT_EQ(get(server.url()).body, "now") << status;
    EXPECT_EQ(server.connections(), 1);
  }
}

TEST_F(HttpClientTest, GivesTheLastAnswerWhereItDoesNotPass) {
  ScriptedServer server({says(answer("503 Unavailable", {}, "never"))});
  const auto got = get(server.url());
  EXPECT_EQ(got.status, 503);
  EXPECT_EQ(got.body, "never");
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(HttpClientTest, TakesSparksWordThatThereAreNoEventLogs) {
  ScriptedServer server(
      {says(answer("503 Service Unavailable", {"Content-Type: text/plain"}, "Event logs are not available for app: app-1."))});
  EXPECT_EQ(get(server.url()).status, 503);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(HttpClientTest, WaitsAsLongAsTheServerAsks) {
  settings.first_back_off = milliseconds(60'000);
  ScriptedServer server({says(answer("429 Too Many", {"Retry-After: 0"}, "")),
                         says(answer("429 Too Many", {"Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"}, "")), says(plain("now"))});
  EXPECT_EQ(get(server.url()).body, "now");
}

TEST_F(HttpClientTest, DoesNotWaitForHours) {
  ScriptedServer server({says(answer("429 Too Many", {"Retry-After: 3600"}, ""))});
  EXPECT_EQ(get(server.url()).status, 429);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(HttpClientTest, SaysThatNothingListens) {
  const auto url = ScriptedServer({says("")}).url("/api");
  const auto begin = Clock::now();
  settings.first_back_off = milliseconds(10'000);
  const auto message = error_of(url);
  EXPECT_TRUE(contains(message, "'" + url + "': nothing listens there (connection refused)")) << message;
  EXPECT_LT(Clock::now() - begin, milliseconds(2000));
}

TEST_F(HttpClientTest, SaysThatAHostIsNotKnown) {
  settings.connect_timeout = milliseconds(5000);
  const auto message = error_of("http://no-such-host.invalid:4040/");
  EXPECT_TRUE(contains(message, "no host of this name is known") || contains(message, "no connection within")) << message;
}

TEST_F(HttpClientTest, GivesUpWhereNothingComes) {
  settings.idle_timeout = milliseconds(200);
  const std::vector<Break> silences{
      {"no byte", [](ServerSide& side) { side.wait_for_the_end(); }},
      {"half a header",
       [](ServerSide& side) {
         side.send("HTTP/1.1 200 OK\r\nContent-Le");
         side.wait_for_the_end();
       }},
      {"header lines that trickle",
       [](ServerSide& side) {
         side.send("HTTP/1.1 200 OK\r\n");
         while (side.wait(milliseconds(50)) && side.send("X: y\r\n")) {
         }
       }},
      {"half a body",
       [](ServerSide& side) {
         side.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
         side.wait_for_the_end();
       }},
      {"chunks without a byte",
       [](ServerSide& side) {
         side.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9;");
         while (side.wait(milliseconds(50)) && side.send("x")) {
         }
       }},
  };
  for (const auto& silence : silences) {
    ScriptedServer server({silence.script});
    const auto begin = Clock::now();
    const auto message = error_of(server.url());
    EXPECT_TRUE(contains(message, "nothing came for 200 ms")) << silence.name << ": " << message;
    EXPECT_LT(Clock::now() - begin, milliseconds(1500)) << silence.name;
    EXPECT_EQ(server.requests().size(), 1U) << silence.name;
  }
}

TEST_F(HttpClientTest, WaitsForABodyThatIsSlow) {
  settings.idle_timeout = milliseconds(300);
  ScriptedServer server({[](ServerSide& side) {
    side.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n");
    for (const char* byte : {"s", "l", "o", "w", "b", "o", "d", "y"}) {
      side.wait(milliseconds(75));
      side.send(byte);
    }
  }});
  EXPECT_EQ(get(server.url()).body, "slowbody");
}

TEST_F(HttpClientTest, SaysThatItIsNoWebServer) {
  // What a gRPC server sends: SETTINGS and GOAWAY of HTTP/2.
  const std::string grpc("\0\0\6\4\0\0\0\0\0\0\3\x7F\xFF\xFF\xFF\0\0\x8\7\0\0\0\0\0\0\0\0\0\0\0\0\1", 32);
  for (const auto& bytes :
       {grpc, std::string("SSH-2.0-OpenSSH\r\n"), std::string("HTTP/7.3 200 OK\r\n\r\n"), std::string("\x15\x03\x01\0\2\2\x16", 7)}) {
    ScriptedServer server({says_and_closes(bytes)});
    const auto message = error_of(server.url());
    EXPECT_TRUE(contains(message, "does not speak HTTP/1.1; perhaps this is a port of Spark Connect")) << message;
    EXPECT_EQ(server.requests().size(), 1U);
  }
}

TEST_F(HttpClientTest, TakesNoHeadersWithoutEnd) {
  for (const auto& piece : {std::string("X-More: ") + std::string(1000, 'x') + "\r\n", std::string(1000, 'x')}) {
    ScriptedServer server({sends_many("HTTP/1.1 200 OK\r\nX-First: ", piece, 100'000)});
    EXPECT_TRUE(contains(error_of(server.url()), "headers do not end"));
  }
}

TEST_F(HttpClientTest, TakesNoMoreThanItsLimit) {
  settings.max_body_bytes = std::uint64_t{1} << 20;
  const std::string piece(1U << 20U, 'x');
  for (const std::string length : {"Content-Length: 125829120\r\n", "Connection: close\r\n"}) {
    ScriptedServer server({sends_many("HTTP/1.1 200 OK\r\n" + length + "\r\n", piece, 120)});
    const auto begin = Clock::now();
    const auto message = error_of(server.url());
    EXPECT_TRUE(contains(message, "larger than 1 MiB; --max-answer SIZE")) << message;
    EXPECT_LT(Clock::now() - begin, milliseconds(1500));
    EXPECT_EQ(server.requests().size(), 1U);
  }
}

TEST_F(HttpClientTest, TakesExactlyItsLimit) {
  settings.max_body_bytes = 5;
  ScriptedServer server({says(plain("12345")), says(plain("123456"))});
  EXPECT_EQ(get(server.url()).body, "12345");
  EXPECT_TRUE(contains(error_of(server.url()), "larger than 5 B"));
}

TEST_F(HttpClientTest, CountsUnpackedBytes) {
  settings.max_body_bytes = std::uint64_t{1} << 20;
  const auto bomb = packed(std::string(64U << 20U, '\0'), 31);
  ASSERT_LT(bomb.size(), std::size_t{1} << 20U);
  ScriptedServer server({says(answer("200 OK", {"Content-Encoding: gzip"}, bomb))});
  EXPECT_TRUE(contains(error_of(server.url()), "larger than 1 MiB"));
}

TEST_F(HttpClientTest, SendsNothingWhereAHeaderHoldsALineFeed) {
  ScriptedServer server({says(plain("x"))});
  settings.headers = {"X-Secret: hunter22\r\nX-Admin: 1"};
  const auto result = HttpClient(settings).get(server.url());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::usage);
  EXPECT_FALSE(contains(result.error().message, "hunter22"));
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(HttpClientTest, SendsNothingToAnAddressThatIsNone) {
  const auto result = HttpClient(settings).get("file:///etc/passwd");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::usage);
}

TEST_F(HttpClientTest, AsksTheProxyThatTheVariablesNameAndDoesNotTellItsPassword) {
  ScriptedServer proxy({says(plain("by proxy")), says_and_closes("")});
  ::setenv("http_proxy", fmt::format("http://me:hunter22@127.0.0.1:{}", proxy.port()).c_str(), 1);
  EXPECT_EQ(get("http://history.invalid:18080/x").body, "by proxy");
  EXPECT_TRUE(proxy.requests().at(0).starts_with("GET http://history.invalid:18080/x HTTP/1.1\r\n")) << proxy.requests().at(0);
  EXPECT_FALSE(contains(error_of("http://history.invalid:18080/x"), "hunter22"));
}

TEST_F(HttpClientTest, NamesTheVariableOfAProxyThatIsNotThere) {
  const auto gone = ScriptedServer({says("")}).port();
  ::setenv("http_proxy", fmt::format("http://me:hunter22@127.0.0.1:{}", gone).c_str(), 1);
  const auto message = error_of("http://history.invalid:18080/x");
  EXPECT_TRUE(contains(message, "http_proxy names a proxy")) << message;
  EXPECT_FALSE(contains(message, "hunter22")) << message;
}

TEST_F(HttpClientTest, SaysThatAProxyMakesNoTunnel) {
  ScriptedServer proxy({says_and_closes(answer("407 Proxy Authentication Required", {}, ""))});
  ::setenv("https_proxy", fmt::format("http://me:hunter22@127.0.0.1:{}", proxy.port()).c_str(), 1);
  settings.bearer_token = "Secret-Token";
  const auto message = error_of("https://history.invalid:18480/x");
  EXPECT_TRUE(contains(message, "the proxy does not let the request through (its status is 407)")) << message;
  EXPECT_FALSE(contains(message, "hunter22")) << message;
  ASSERT_EQ(proxy.requests().size(), 1U);
  EXPECT_FALSE(contains(proxy.requests().at(0), "Secret-Token"));
}

}  // namespace
}  // namespace stagegate
