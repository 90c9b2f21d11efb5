#include "sys/http_client.h"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/scripted_server.h"
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

class HttpClientTest : public test::HttpFixture {};

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
  ScriptedServer server({says(answer("200 OK", {"Content-Encoding: gzip"}, test::packed(text, 31))),
                         says(answer("200 OK", {"Content-Encoding: deflate"}, test::packed(text, 15)))});
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
      {"cut gzip", says_and_closes("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 900\r\n\r\n" + test::packed("half", 31))},
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

}  // namespace
}  // namespace stagegate
