#include "sys/request_headers.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/secret.h"

namespace stagegate {
namespace {

HttpSettings with_header(const std::string& header) {
  HttpSettings settings;
  settings.headers = {header};
  return settings;
}

std::string refused(const HttpSettings& settings) {
  const auto lines = private_headers(settings);
  EXPECT_FALSE(lines);
  EXPECT_TRUE(lines || lines.error().kind == ErrorKind::usage);
  return lines ? "" : lines.error().message;
}

TEST(RequestHeaders, AreTheGivenOnesAndTheToken) {
  auto settings = with_header("X-Requested-By:  spark ");
  settings.headers.emplace_back("X-Empty:");
  settings.bearer_token = "abc";
  const std::vector<std::string> expected{"X-Requested-By: spark", "X-Empty;", "Authorization: Bearer abc"};
  EXPECT_EQ(private_headers(settings).value(), expected);
}

TEST(RequestHeaders, ThatAreNoneAreRefusedAndNotShown) {
  for (const std::string header : {"hunter22", "", ": hunter22", "hunter22 x: y", "hunter\r\n22: y"}) {
    const auto message = refused(with_header(header));
    EXPECT_EQ(message.find("hunter"), std::string::npos) << message;
  }
}

TEST(RequestHeaders, WithLineFeedsAreRefusedAndNotShown) {
  for (const std::string value : {"hunter22\r\nX-Admin: 1", "hunter22\nX: y", "hunter22\r", "hunter22\x01"}) {
    const auto message = refused(with_header("X-Secret: " + value));
    EXPECT_NE(message.find("'X-Secret'"), std::string::npos) << message;
    EXPECT_EQ(message.find("hunter22"), std::string::npos) << message;
  }
  EXPECT_NE(refused(with_header(std::string("X-Secret: hunter22\0x", 20))), "");
}

TEST(RequestHeaders, TokensAndUsersWithLineFeedsAreRefusedAndNotShown) {
  HttpSettings token;
  token.bearer_token = "hunter22\r\nX: y";
  EXPECT_EQ(refused(token).find("hunter22"), std::string::npos);
  token.bearer_token = "";
  EXPECT_NE(refused(token), "");
  HttpSettings user;
  user.user = "me:hunter22\n";
  EXPECT_EQ(refused(user).find("hunter22"), std::string::npos);
}

TEST(RequestHeaders, HoldOneAuthorization) {
  auto settings = with_header("authorization: Basic abc");
  EXPECT_TRUE(private_headers(settings));
  settings.bearer_token = "abc";
  EXPECT_NE(refused(settings).find("one authorization"), std::string::npos);
  settings = {};
  settings.bearer_token = "abc";
  settings.user = "me:abc";
  EXPECT_NE(refused(settings).find("one authorization"), std::string::npos);
}

TEST(SecretMask, HidesWhatWasGivenAndItsPartsInAnyCase) {
  HttpSettings settings;
  settings.headers = {"Authorization: Basic bWU6cHc=", "Cookie: sid=c00kie; b=other", "X-Trace: 0123456789"};
  settings.bearer_token = "TokenOne";
  settings.user = "me:pass";
  const SecretMask mask(settings);
  for (const std::string secret : {"bWU6cHc=", "c00kie", "other", "0123456789", "tokenone", "TOKENONE", "pass"}) {
    const auto shown = mask.hide("<" + secret + "|" + secret + ">");
    EXPECT_EQ(shown, "<" + std::string(kRedacted) + "|" + std::string(kRedacted) + ">") << secret;
  }
}

TEST(SecretMask, LeavesWordsAlone) {
  const SecretMask mask(with_header("X-Requested-By: spark"));
  EXPECT_EQ(mask.hide("http://spark-history:18080/"), "http://spark-history:18080/");
  EXPECT_EQ(SecretMask({}).hide("http://host/"), "http://host/");
}

// "ann:sesame" and "ann:sesame1" as the command base64 gives them.
TEST(SecretMask, HidesUserAndPasswordAsBasicAuthenticationSendsThem) {
  HttpSettings settings;
  settings.user = "ann:sesame";
  EXPECT_EQ(SecretMask(settings).hide("Basic YW5uOnNlc2FtZQ=="), "Basic *********(redacted)==");
  settings.user = "ann:sesame1";
  EXPECT_EQ(SecretMask(settings).hide("Basic YW5uOnNlc2FtZTE="), "Basic *********(redacted)=");
}

}  // namespace
}  // namespace stagegate
