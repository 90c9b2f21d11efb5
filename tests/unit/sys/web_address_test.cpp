#include "sys/web_address.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

WebAddress parsed(const std::string& text) {
  const auto address = parse_web_address(text);
  EXPECT_TRUE(address) << (address ? "" : address.error().message);
  return address.value_or(WebAddress{});
}

std::string refused(const std::string& text) {
  const auto address = parse_web_address(text);
  EXPECT_FALSE(address) << text;
  EXPECT_TRUE(address || address.error().kind == ErrorKind::usage);
  return address ? "" : address.error().message;
}

TEST(WebAddress, IsTakenApart) {
  const auto address = parsed("HTTP://Host.Example:4040/api/v1?status=running#top");
  EXPECT_EQ(address.scheme, "http");
  EXPECT_EQ(address.host, "host.example");
  EXPECT_EQ(address.port, 4040);
  EXPECT_EQ(address.url.find('#'), std::string::npos) << address.url;
  EXPECT_TRUE(address.url.ends_with(":4040/api/v1?status=running")) << address.url;
}

TEST(WebAddress, HasThePortOfItsScheme) {
  EXPECT_EQ(parsed("http://host/").port, 80);
  EXPECT_EQ(parsed("https://host/").port, 443);
  EXPECT_EQ(origin_of(parsed("https://[::1]/x")), "https://[::1]:443");
}

TEST(WebAddress, OfAnythingButTheWebIsRefused) {
  for (const std::string text : {"file:///etc/passwd", "ftp://host/x", "gopher://host", "host:4040", "", "http://", "http://host:0/",
                                 "http://host:70000/", "http://ho st/", "http://host/\r\nX: y", "jdbc://host"}) {
    EXPECT_NE(refused(text).find("is not an address"), std::string::npos) << text;
  }
  EXPECT_NE(refused(std::string("http://host/\0x", 14)), "");
}

TEST(WebAddress, WithAUserIsRefusedAndThePasswordIsNotShown) {
  for (const std::string text :
       {"http://me:hunter22@host/", "http://me:hunt/er22@host/", "http://me:hunt er22@host/", "http://:hunter22@host/",
        "http://hunter22@host/", "https://me:p@hunter22@host/", "ftp://me:hunter22@host/", "me:hunter22@host:4040"}) {
    const auto message = refused(text);
    EXPECT_EQ(message.find("er22"), std::string::npos) << message;
  }
}

TEST(WebAddress, RefusedOnesAreShownOnOneLineWithoutControlCharacters) {
  const auto message = refused("http://host/\x1B[31m\r\nSet-Cookie: x");
  EXPECT_EQ(message.find_first_of("\x1B\r\n"), std::string::npos) << message;
}

TEST(WebAddress, IsShownWithoutValuesThatLookSecret) {
  const auto shown = shown_address(parsed("http://host/a;jsessionid=CAFE1/b?status=running&access_token=CAFE2&X-Amz-Signature=CAFE3&q=1"));
  EXPECT_EQ(shown.find("CAFE"), std::string::npos) << shown;
  EXPECT_NE(shown.find("?status=running&access_token="), std::string::npos) << shown;
  EXPECT_TRUE(shown.ends_with("&q=1")) << shown;
}

TEST(WebAddress, IsShownUpToALength) {
  EXPECT_LT(shown_address(parsed("http://host/" + std::string(100'000, 'x'))).size(), 500U);
}

struct Location {
  std::string text;
  std::string url;  // "": refused
};

TEST(WebAddress, LocationsAreRelativeToWhoAnswered) {
  const auto base = parsed("http://host:18080/history/app-1/jobs?x=1");
  const std::vector<Location> cases{
      {"/login", "http://host:18080/login"},
      {"stages", "http://host:18080/history/app-1/stages"},
      {"//other/x", "http://other/x"},
      {"https://me:pw@other/x#y", "https://other/x"},
      {"/with blank", "http://host:18080/with%20blank"},
      {"file:///etc/passwd", ""},
      {"FILE:///etc/passwd", ""},
      {"ldap://host/x", ""},
      {"jdbc://host/x", ""},
  };
  for (const auto& location : cases) {
    const auto resolved = resolve_location(base, location.text);
    EXPECT_EQ(resolved ? resolved->url : "", location.url) << location.text;
  }
}

}  // namespace
}  // namespace stagegate
