#include "ingest/web_signs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "base/text.h"

namespace stagegate {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} * 1024;

// The same answer in the ways in which it is looked at.
struct PageSample {
  int status = 0;
  std::string host;  // in lower case, as is all that follows
  std::string path;
  std::string body;
};

bool is_html(const PageSample& sample) {
  return starts_with_any(sample.body, {"<!doctype html", "<html", "<head", "<body", "<!--"});
}

bool is_json(const PageSample& sample) {
  return starts_with_any(sample.body, {"{", "["});
}

// "/login", "/auth/realms/...", but not "/loginsight".
bool has_login_path(const PageSample& sample) {
  const auto parts = split(sample.path, '/');
  return std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
    constexpr std::array<std::string_view, 12> words{"login", "login.html", "signin", "sign-in", "sso",  "saml",
                                                     "saml2", "oauth",      "oauth2", "auth",    "adfs", "authorize"};
    return std::find(words.begin(), words.end(), part) != words.end();
  });
}

struct Sign {
  bool (*is)(const PageSample&);
  std::string_view says;
};

constexpr std::string_view kCredentials = "give it your credentials with --user, --netrc, --token-env, --token-file or --header";

// The first that fits.
constexpr std::array kSigns{
    Sign{[](const PageSample& sample) { return sample.status == 407; },
         "a proxy that wants to know who you are; put user and password into "
         "https_proxy or http_proxy"},
    Sign{[](const PageSample& sample) { return sample.status == 401; }, "a server that wants to know who you are; @CREDENTIALS"},
    Sign{[](const PageSample& sample) {
           return is_html(sample) &&
                  (has_login_path(sample) ||
                   contains_any(sample.body, {"type=\"password\"", "type='password'", "type=password", "<title>log in", "<title>login",
                                              "<title>sign in", "single sign-on", "samlrequest", "/oauth2/"}));
         },
         "a log-in page; @CREDENTIALS"},

    // Spark's own.
    Sign{[](const PageSample& sample) { return contains_any(sample.body, {"spark master at"}); },
         "a standalone Spark master's own page, which knows no stages; open the application there and give the address of its UI, or give "
         "that of the history server"},
    Sign{[](const PageSample& sample) { return contains_any(sample.body, {"spark worker at"}); },
         "a standalone Spark worker's own page, which knows no stages; give the address of the application's UI or of the history server"},
    Sign{[](const PageSample& sample) { return sample.status == 403 && contains_any(sample.body, {"is not authorized"}); },
         "a Spark UI that does not show this application to you; ask for its spark.ui.view.acls, or @CREDENTIALS"},
    Sign{[](const PageSample& sample) {
           return is_html(sample) && contains_any(sample.body, {"/static/webui.css", "spark-logo", "<title>history server"});
         },
         "a page of Spark's whose REST API does not answer below this address; a gateway in front of it may let its pages through only: "
         "give the address of the driver or of the history server itself, or an event log"},

    // Other services that people reach where they look for Spark.
    Sign{[](const PageSample& sample) {
           return contains_any(sample.host, {"databricks", "azuredatabricks"}) ||
                  contains_any(sample.body, {"<title>databricks", "databricks.com"}) ||
                  (is_json(sample) && contains_any(sample.body, {"\"error_code\""}));
         },
         "a Databricks workspace, which serves no REST API of Spark's; turn on log delivery for the cluster and give its eventlog folder "
         "(serverless compute writes none: run the job on a classic cluster)"},
    Sign{[](const PageSample& sample) {
           return contains_any(sample.body, {"<title>all applications", "resourcemanager", "/cluster/apps", "/static/yarn.css"});
         },
         "YARN's own page; give http://host:8088/proxy/APPLICATION for one that runs, or the address of the history server"},
    Sign{[](const PageSample& sample) {
           return contains_any(sample.body, {"namenode information", "/dfshealth"});
         },
         "an HDFS NameNode's page; give the address of the history server, or copy the event log from HDFS and give its path"},
    Sign{
        [](const PageSample& sample) {
          return is_json(sample) && contains_any(sample.body, {"\"apiversion\""}) && contains_any(sample.body, {"\"kind\""});
        },
        "a Kubernetes API server; make the driver's UI reachable with kubectl port-forward DRIVER_POD 4040 and give http://localhost:4040"},
    Sign{[](const PageSample& sample) {
           return contains_any(sample.body, {"<title>jupyter", "jupyterlab", "jupyter server"});
         },
         "a Jupyter server; give the address that spark.sparkContext.uiWebUrl has in the notebook"},
    Sign{[](const PageSample& sample) {
           return contains_any(sample.body, {"<title>livy", "\"sessions\""}) && contains_any(sample.body, {"livy", "\"total\""});
         },
         "a Livy server; give the sparkUiUrl that it names for the session"},

    // Object stores.
    Sign{[](const PageSample& sample) {
           return contains_any(sample.body, {"<listbucketresult", "<enumerationresults"});
         },
         "the listing of an object store; copy the event log from it and give its path"},
    Sign{[](const PageSample& sample) { return contains_any(sample.body, {"<error>"}) && contains_any(sample.body, {"<code>"}); },
         "an object store, which answered with an error; copy the event log from it and give its path"},

    // Nothing that is known.
    Sign{[](const PageSample& sample) { return sample.status == 403; }, "a server that forbids it; @CREDENTIALS"},
    Sign{is_html, "a web page that is not Spark's; give the address of a Spark UI or history server as the browser shows it"},
    Sign{is_json, "a server that answers with JSON, but not with Spark's; give the address of a Spark UI or history server"},
};

// The parts of "scheme://host:port/path?query".
PageSample sample_of(const WebAnswer& answer) {
  PageSample sample{.status = answer.status, .host = {}, .path = {}, .body = {}};
  const auto url = to_lower_ascii(answer.url);
  const auto scheme = url.find("://");
  const auto begin = scheme == std::string::npos ? 0 : scheme + 3;
  const auto slash = std::min(url.find('/', begin), url.size());
  sample.host = url.substr(begin, slash - begin);
  sample.path = url.substr(slash, url.find_first_of("?#", slash) - slash);
  sample.body = to_lower_ascii(trim(std::string_view(answer.body).substr(0, kMostBytes)));
  return sample;
}

std::string with_credentials(std::string says) {
  constexpr std::string_view place = "@CREDENTIALS";
  const auto at = says.find(place);
  return at == std::string::npos ? says : says.replace(at, place.size(), kCredentials);
}

}  // namespace

std::string web_signs(const WebAnswer& answer) {
  const auto sample = sample_of(answer);
  const auto found = std::find_if(kSigns.begin(), kSigns.end(), [&](const Sign& sign) { return sign.is(sample); });
  return found == kSigns.end() ? std::string() : with_credentials(std::string(found->says));
}

}  // namespace stagegate
