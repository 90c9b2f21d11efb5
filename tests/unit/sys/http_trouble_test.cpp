// What goes wrong, and ends all the same: within time-outs and limits, with a sentence, and without a secret.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/scripted_server.h"
#include "sys/http_client.h"
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

class HttpTroubleTest : public test::HttpFixture {};

// Sends a body in pieces until it is done or nobody takes it.
ScriptedServer::Script sends_many(std::string head, std::string piece, int count) {
  return [=](ServerSide& side) {
    side.send(head);
    for (int i = 0; i < count && side.send(piece); ++i) {
    }
    side.close();
  };
}

TEST_F(HttpTroubleTest, SaysThatNothingListens) {
  const auto url = ScriptedServer({says("")}).url("/api");
  const auto begin = Clock::now();
  settings.first_back_off = milliseconds(10'000);
  const auto message = error_of(url);
  EXPECT_TRUE(contains(message, "'" + url + "': nothing listens there (connection refused)")) << message;
  EXPECT_LT(Clock::now() - begin, milliseconds(2000));
}

TEST_F(HttpTroubleTest, SaysThatAHostIsNotKnown) {
  settings.connect_timeout = milliseconds(5000);
  const auto message = error_of("http://no-such-host.invalid:4040/");
  EXPECT_TRUE(contains(message, "no host of this name is known") || contains(message, "no connection within")) << message;
}

// A listener whose queue is full: Linux leaves all who come after unanswered.
class FullListener {
 public:
  FullListener() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(sockets_[0], generic, size), 0);
    EXPECT_EQ(::listen(sockets_[0], 0), 0);
    EXPECT_EQ(::getsockname(sockets_[0], generic, &size), 0);
    for (std::size_t i = 1; i < sockets_.size(); ++i) {
      ::connect(sockets_[i], generic, size);
    }
    url = fmt::format("http://127.0.0.1:{}/", ntohs(address.sin_port));
  }
  FullListener(const FullListener&) = delete;
  FullListener& operator=(const FullListener&) = delete;
  ~FullListener() {
    for (const int socket : sockets_) {
      ::close(socket);
    }
  }

  std::string url;

 private:
  static int new_socket() { return ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }
  std::array<int, 4> sockets_{new_socket(), new_socket(), new_socket(), new_socket()};
};

TEST_F(HttpTroubleTest, GivesUpWhereNobodyTakesTheConnection) {
  settings.connect_timeout = milliseconds(200);
  const FullListener listener;
  const auto begin = Clock::now();
  const auto message = error_of(listener.url);
  EXPECT_TRUE(contains(message, "no connection within 200 ms")) << message;
  EXPECT_LT(Clock::now() - begin, milliseconds(1500));
}

struct Silence {
  std::string name;
  ScriptedServer::Script script;
};

TEST_F(HttpTroubleTest, GivesUpWhereNothingComes) {
  settings.idle_timeout = milliseconds(200);
  const std::vector<Silence> silences{
      {"no byte", [](ServerSide& side) { side.wait_for_the_end(); }},
      {"half a header",
       [](ServerSide& side) {
         side.send("HTTP/1.1 200 OK\r\nContent-Le");
         side.wait_for_the_end();
       }},
      {"header lines that trickle",
       [](ServerSide& side) {
         side.send("HTTP/1.1 200 OK\r\n");
         for (int i = 0; i < 40 && side.wait(milliseconds(50)) && side.send("X: y\r\n"); ++i) {
         }
         side.close();
       }},
      {"half a body",
       [](ServerSide& side) {
         side.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
         side.wait_for_the_end();
       }},
      {"chunks without a byte",
       [](ServerSide& side) {
         side.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9;");
         for (int i = 0; i < 40 && side.wait(milliseconds(50)) && side.send("x"); ++i) {
         }
         side.close();
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

TEST_F(HttpTroubleTest, WaitsForABodyThatIsSlow) {
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

TEST_F(HttpTroubleTest, SaysThatItIsNoWebServer) {
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

TEST_F(HttpTroubleTest, TakesNoHeadersWithoutEnd) {
  for (const auto& piece : {std::string("X-More: ") + std::string(1000, 'x') + "\r\n", std::string(1000, 'x')}) {
    ScriptedServer server({sends_many("HTTP/1.1 200 OK\r\nX-First: ", piece, 100'000)});
    EXPECT_TRUE(contains(error_of(server.url()), "headers do not end"));
  }
}

TEST_F(HttpTroubleTest, TakesNoMoreThanItsLimit) {
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

TEST_F(HttpTroubleTest, WaitsForNoBodyThatIsAnnouncedAsTooLarge) {
  ScriptedServer server({[](ServerSide& side) {
    side.send("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n");
    side.wait_for_the_end();
  }});
  EXPECT_TRUE(contains(error_of(server.url()), "larger than 256 MiB; --max-answer SIZE"));
}

TEST_F(HttpTroubleTest, TakesExactlyItsLimit) {
  settings.max_body_bytes = 5;
  ScriptedServer server({says(plain("12345")), says(plain("123456"))});
  EXPECT_EQ(get(server.url()).body, "12345");
  EXPECT_TRUE(contains(error_of(server.url()), "larger than 5 B"));
}

TEST_F(HttpTroubleTest, CountsUnpackedBytes) {
  settings.max_body_bytes = std::uint64_t{1} << 20;
  const auto bomb = test::packed(std::string(64U << 20U, '\0'), 31);
  ASSERT_LT(bomb.size(), std::size_t{1} << 20U);
  ScriptedServer server({says(answer("200 OK", {"Content-Encoding: gzip"}, bomb))});
  EXPECT_TRUE(contains(error_of(server.url()), "larger than 1 MiB"));
}

TEST_F(HttpTroubleTest, SendsNothingWhereAHeaderHoldsALineFeed) {
  ScriptedServer server({says(plain("x"))});
  settings.headers = {"X-Secret: hunter22\r\nX-Admin: 1"};
  const auto result = HttpClient(settings).get(server.url());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::usage);
  EXPECT_FALSE(contains(result.error().message, "hunter22"));
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(HttpTroubleTest, SendsNothingToAnAddressThatIsNone) {
  const auto result = HttpClient(settings).get("file:///etc/passwd");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::usage);
}

TEST_F(HttpTroubleTest, AsksTheProxyThatTheVariablesNameAndDoesNotTellItsPassword) {
  ScriptedServer proxy({says(plain("by proxy")), says_and_closes("")});
  ::setenv("http_proxy", fmt::format("http://me:hunter22@127.0.0.1:{}", proxy.port()).c_str(), 1);
  EXPECT_EQ(get("http://history.invalid:18080/x").body, "by proxy");
  EXPECT_TRUE(proxy.requests().at(0).starts_with("GET http://history.invalid:18080/x HTTP/1.1\r\n")) << proxy.requests().at(0);
  EXPECT_FALSE(contains(error_of("http://history.invalid:18080/x"), "hunter22"));
}

TEST_F(HttpTroubleTest, NamesTheVariableOfAProxyThatIsNotThere) {
  const auto gone = ScriptedServer({says("")}).port();
  ::setenv("http_proxy", fmt::format("http://me:hunter22@127.0.0.1:{}", gone).c_str(), 1);
  const auto message = error_of("http://history.invalid:18080/x");
  EXPECT_TRUE(contains(message, "http_proxy names a proxy")) << message;
  EXPECT_FALSE(contains(message, "hunter22")) << message;
}

TEST_F(HttpTroubleTest, SaysThatAProxyMakesNoTunnel) {
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
