#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/scripted_server.h"
#include "support/temporary_folder.h"
#include "sys/http_client.h"
#include "unit/sys/http_fixture.h"

namespace stagegate {
namespace {

using test::answer;
using test::contains;
using test::plain;
using test::says;
using test::ScriptedServer;

class HttpRedirectTest : public test::HttpFixture {
 protected:
  static ScriptedServer::Script leads_to(const std::string& location, const std::string& status = "302 Found") {
    return says(answer(status, {"Location: " + location}, "moved"));
  }

  void give_all_credentials() {
    settings.headers = {"X-Api-Key: hunter22-key", "Cookie: session=hunter22-cookie"};
    settings.user = "me:hunter22-password";
  }
};

TEST_F(HttpRedirectTest, IsFollowed) {
  for (const std::string status : {"301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"}) {
    ScriptedServer server({leads_to("/there?x=1", status), says(plain("here"))});
    const auto got = get(server.url("/from"));
    EXPECT_EQ(got.body, "here") << status;
    EXPECT_EQ(got.url, server.url("/there?x=1"));
    EXPECT_EQ(server.connections(), 1);
  }
}

TEST_F(HttpRedirectTest, WithoutALocationIsAnAnswer) {
  ScriptedServer server({says(answer("302 Found", {}, "where?"))});
  const auto got = get(server.url());
  EXPECT_EQ(got.status, 302);
  EXPECT_EQ(got.body, "where?");
}

TEST_F(HttpRedirectTest, OfAnotherAnswerIsNone) {
  ScriptedServer server({says(answer("201 Created", {"Location: /there"}, "made"))});
  EXPECT_EQ(get(server.url()).status, 201);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(HttpRedirectTest, KeepsCredentialsAtTheSameOrigin) {
  give_all_credentials();
  ScriptedServer server({leads_to("/there"), says(plain("here"))});
  get(server.url());
  for (const auto& request : server.requests()) {
    EXPECT_TRUE(contains(request, "\r\nX-Api-Key: hunter22-key\r\n")) << request;
    EXPECT_TRUE(contains(request, "\r\nCookie: session=hunter22-cookie\r\n")) << request;
    // base64 of "me:hunter22-password"
    EXPECT_TRUE(contains(request, "\r\nAuthorization: Basic bWU6aHVudGVyMjItcGFzc3dvcmQ=\r\n")) << request;
  }
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(HttpRedirectTest, TellsAnotherPortNothing) {
  give_all_credentials();
  ScriptedServer other({says(plain("other"))});
  ScriptedServer server({leads_to(other.url("/there"))});
  HttpClient client(settings);
  EXPECT_EQ(client.get(server.url())->body, "other");
  EXPECT_EQ(client.get(server.url())->body, "other");
  ASSERT_EQ(other.requests().size(), 2U);
  for (const auto& request : other.requests()) {
    for (const auto* word : {"hunter22", "Authorization", "Cookie", "X-Api-Key", "Basic", "Referer"}) {
      EXPECT_FALSE(contains(request, word)) << request;
    }
  }
}

TEST_F(HttpRedirectTest, TellsAnotherHostNoToken) {
  settings.bearer_token = "hunter22";
  ScriptedServer server({says(plain("unused"))});
  // One server under two names.
  ScriptedServer both({leads_to(fmt::format("http://localhost:{}/x", server.port()))});
  get(both.url());
  EXPECT_TRUE(contains(both.requests().at(0), "\r\nAuthorization: Bearer hunter22\r\n"));
  EXPECT_FALSE(contains(server.requests().at(0), "hunter22")) << server.requests().at(0);
}

TEST_F(HttpRedirectTest, TellsTheFirstHostAgainWhoWeAre) {
  settings.bearer_token = "hunter22";
  std::string home;
  ScriptedServer other({[&home](test::ServerSide& side) { side.send(answer("302 Found", {"Location: " + home}, "")); }});
  ScriptedServer server({leads_to(other.url()), says(plain("back"))});
  home = server.url("/back");
  EXPECT_EQ(get(server.url()).body, "back");
  EXPECT_TRUE(contains(server.requests().at(1), "hunter22"));
  EXPECT_FALSE(contains(other.requests().at(0), "hunter22"));
}

TEST_F(HttpRedirectTest, UsesNetrcForTheFirstHostOnly) {
  const test::TemporaryFolder folder;
  ::setenv("NETRC",
           folder.write("netrc", "machine 127.0.0.1 login me password hunter22\nmachine localhost login me password hunter22\n").c_str(),
           1);
  settings.netrc = true;
  ScriptedServer other({says(plain("other"))});
  ScriptedServer server({leads_to(fmt::format("http://localhost:{}/x", other.port()))});
  EXPECT_EQ(get(server.url()).body, "other");
  // base64 of "me:hunter22"
  EXPECT_TRUE(contains(server.requests().at(0), "\r\nAuthorization: Basic bWU6aHVudGVyMjI=\r\n")) << server.requests().at(0);
  EXPECT_FALSE(contains(other.requests().at(0), "Authorization")) << other.requests().at(0);
}

TEST_F(HttpRedirectTest, WithoutNetrcAskedForReadsNone) {
  const test::TemporaryFolder folder;
  ::setenv("NETRC", folder.write("netrc", "machine 127.0.0.1 login me password hunter22\n").c_str(), 1);
  ::setenv("HOME", folder.path().c_str(), 1);
  folder.write(".netrc", "machine 127.0.0.1 login me password hunter22\n");
  ScriptedServer server({says(plain("x"))});
  get(server.url());
  EXPECT_FALSE(contains(server.requests().at(0), "Authorization"));
}

TEST_F(HttpRedirectTest, TakesNoUserFromTheServer) {
  ScriptedServer other({says(plain("other"))});
  ScriptedServer server({leads_to(fmt::format("http://me:pw@127.0.0.1:{}/x", other.port()))});
  const auto got = get(server.url());
  EXPECT_EQ(got.url, other.url("/x"));
  EXPECT_FALSE(contains(other.requests().at(0), "Authorization"));
}

TEST_F(HttpRedirectTest, ToAnythingButTheWebIsRefused) {
  for (const std::string location : {"file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "jdbc://x", "javascript://x"}) {
    ScriptedServer server({leads_to(location)});
    EXPECT_TRUE(contains(error_of(server.url()), "not one of http or https")) << location;
    EXPECT_EQ(server.requests().size(), 1U);
  }
}

TEST_F(HttpRedirectTest, InACircleIsToldAsSuch) {
  ScriptedServer to_itself({leads_to("/a")});
  EXPECT_TRUE(contains(error_of(to_itself.url("/a")), "lead in a circle"));
  EXPECT_EQ(to_itself.requests().size(), 1U);
  ScriptedServer by_another({leads_to("/b"), leads_to("/c"), leads_to("/a")});
  EXPECT_TRUE(contains(error_of(by_another.url("/a")), "lead in a circle"));
  EXPECT_EQ(by_another.requests().size(), 3U);
}

std::vector<ScriptedServer::Script> many_redirects(int count) {
  std::vector<ScriptedServer::Script> scripts;
  for (int i = 0; i < count; ++i) {
    scripts.push_back(says(answer("302 Found", {fmt::format("Location: /{}", i)}, "")));
  }
  scripts.push_back(says(plain("the end")));
  return scripts;
}

TEST_F(HttpRedirectTest, IsFollowedTenTimes) {
  ScriptedServer ten(many_redirects(10));
  EXPECT_EQ(get(ten.url()).body, "the end");
  ScriptedServer eleven(many_redirects(11));
  EXPECT_TRUE(contains(error_of(eleven.url()), "10 times"));
  EXPECT_EQ(eleven.requests().size(), 11U);
}

TEST_F(HttpRedirectTest, IsAskedAgainLikeAnyAnswer) {
  ScriptedServer server({leads_to("/there"), says(answer("503 Later", {}, "")), says(plain("here"))});
  EXPECT_EQ(get(server.url()).body, "here");
}

TEST_F(HttpRedirectTest, WithAnEndlessBodyIsFollowedAtOnce) {
  ScriptedServer server({[](test::ServerSide& side) {
                           side.send("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 99999999999\r\n\r\nx");
                           side.wait_for_the_end();
                         },
                         says(plain("here"))});
  EXPECT_EQ(get(server.url()).body, "here");
}

TEST_F(HttpRedirectTest, ThatRepeatsOurSecretsBringsThemIntoNoError) {
  give_all_credentials();
  const auto gone = ScriptedServer({says("")}).port();
  for (const std::string& location :
       {fmt::format("http://127.0.0.1:{}/hunter22-key?x=hunter22-password#hunter22-cookie", gone), std::string("file:///hunter22-password"),
        std::string("http://hunter22-password.invalid/"), fmt::format("http://hunter22-key:hunter22-password@127.0.0.1:{}/", gone)}) {
    ScriptedServer server({leads_to(location)});
    EXPECT_FALSE(contains(error_of(server.url()), "hunter22")) << location;
  }
}

TEST_F(HttpRedirectTest, ThatFailsIsToldWithBothPlaces) {
  const auto gone = ScriptedServer({says("")}).url();
  ScriptedServer server({leads_to(gone)});
  const auto message = error_of(server.url("/from"));
  EXPECT_TRUE(contains(message, server.url("/from"))) << message;
  EXPECT_TRUE(contains(message, "(which leads to " + gone.substr(0, gone.size() - 1) + ")")) << message;
}

TEST_F(HttpRedirectTest, SecretsInOurOwnAddressAreNotShown) {
  settings.bearer_token = "Hunter22";
  const auto gone = ScriptedServer({says("")}).url("/a/hunter22?token=abc123&x=1");
  const auto message = error_of(gone);
  EXPECT_FALSE(contains(message, "unter22")) << message;
  EXPECT_FALSE(contains(message, "abc123")) << message;
}

}  // namespace
}  // namespace stagegate
