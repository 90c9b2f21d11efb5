#include "sys/redirect_rules.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

WebAddress at(const std::string& url) {
  return parse_web_address(url).value();
}

TEST(RedirectRules, KnowTheStatusesThatLeadElsewhere) {
  for (const int status : {301, 302, 303, 307, 308}) {
    EXPECT_TRUE(is_redirect(status)) << status;
  }
  for (const int status : {200, 201, 300, 304, 305, 306, 309, 401, 404, 500}) {
    EXPECT_FALSE(is_redirect(status)) << status;
  }
}

TEST(RedirectRules, NeverLeadFromHttpsToHttp) {
  EXPECT_TRUE(may_follow(at("http://a/"), at("http://b/")));
  EXPECT_TRUE(may_follow(at("http://a/"), at("https://b/")));
  EXPECT_TRUE(may_follow(at("https://a/"), at("https://b/")));
  EXPECT_FALSE(may_follow(at("https://a/"), at("http://a/")));
  EXPECT_FALSE(may_follow(at("https://a:8443/"), at("http://a:8443/")));
}

struct Hop {
  std::string first;
  std::string to;
  bool keeps;
};

TEST(RedirectRules, SendCredentialsToTheFirstOriginOnly) {
  const std::vector<Hop> hops{
      {"http://a:4040/x", "http://a:4040/y", true},
      {"http://a/", "http://A:80/", true},
      {"https://a/", "https://a:443/", true},
      {"http://a:4040/", "http://a:4041/", false},
      {"http://a:4040/", "http://b:4040/", false},
      {"http://a/", "http://a.evil/", false},
      {"http://a/", "http://a./", false},
      // To https of the same host, where Spark or the web has it.
      {"http://a/", "https://a/", true},
      {"http://a:4040/", "https://a:4440/", true},
      {"http://a:18080/", "https://a:18480/", true},
      {"http://a:18080/", "https://b:18480/", false},
      {"http://a:18080/", "https://a/", false},
      {"http://a:18080/", "https://a:18080/", false},
      {"http://a/", "https://a:480/", true},
      {"https://a:4040/", "https://a:4440/", false},
      {"https://a/", "http://a/", false},
  };
  for (const auto& hop : hops) {
    EXPECT_EQ(keeps_credentials(at(hop.first), at(hop.to)), hop.keeps) << hop.first << " -> " << hop.to;
  }
}

}  // namespace
}  // namespace stagegate
