// Against `openssl s_server`, with certificates made for the test; without that command these tests are skipped.
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/scripted_server.h"
#include "support/temporary_folder.h"
#include "sys/http_client.h"
#include "sys/process.h"
#include "unit/sys/http_fixture.h"

namespace stagegate {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::answer;
using test::contains;
using test::plain;
using test::says;
using test::ScriptedServer;

class HttpTlsTest : public test::HttpFixture {
 protected:
  void SetUp() override {
    HttpFixture::SetUp();
    if (!find_program("openssl", std::getenv("PATH"))) {
      GTEST_SKIP() << "there is no openssl command";
    }
  }

  // A key and a certificate for the names; the certificate's path.
  std::string make_certificate(const std::string& name, const std::string& alternative_names) {
    const auto made = ask_command(
        {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-keyout",
         folder.at(name + ".key"), "-out", folder.at(name), "-subj", "/CN=stagegate", "-addext", "subjectAltName=" + alternative_names},
        seconds(20));
    EXPECT_TRUE(made && made->state.exit_status == 0) << (made ? made->text : made.error().message);
    return folder.at(name);
  }

  // Serves the files of the folder, which are whole answers, at "https://127.0.0.1:PORT/FILE".
  std::string start(const std::string& certificate) {
    auto started =
        Process::start({{"openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", certificate + ".key", "-HTTP"},
                        {},
                        folder.path(),
                        folder.at("server.out"),
                        folder.at("server.err")});
    EXPECT_TRUE(started) << (started ? "" : started.error().message);
    server.emplace(std::move(started).value());
    const std::string before_port = "ACCEPT 127.0.0.1:";
    for (int i = 0; i < 500; ++i) {
      const auto said = folder.read("server.out");
      const auto begin = said.find(before_port);
      if (begin != std::string::npos && said.find('\n', begin) != std::string::npos) {
        return fmt::format("https://127.0.0.1:{}/", std::atoi(said.c_str() + begin + before_port.size()));
      }
      std::this_thread::sleep_for(milliseconds(10));
    }
    ADD_FAILURE() << folder.read("server.err");
    return "https://127.0.0.1:1/";
  }

  test::TemporaryFolder folder;
  std::optional<Process> server;
};

TEST_F(HttpTlsTest, TrustsTheGivenCertificateAndNoOther) {
  const auto certificate = make_certificate("good", "IP:127.0.0.1");
  folder.write("page", plain("over tls"));
  const auto url = start(certificate);

  const auto untrusted = error_of(url + "page");
  EXPECT_TRUE(contains(untrusted, "its certificate is not trusted (")) << untrusted;
  EXPECT_TRUE(contains(untrusted, "--cacert FILE, or take any certificate with --insecure")) << untrusted;

  settings.ca_file = make_certificate("another", "IP:127.0.0.1");
  EXPECT_TRUE(contains(error_of(url + "page"), "its certificate is not trusted"));

  settings.ca_file = certificate;
  EXPECT_EQ(get(url + "page").body, "over tls");

  settings.ca_file = {};
  settings.insecure = true;
  EXPECT_EQ(get(url + "page").body, "over tls");
}

TEST_F(HttpTlsTest, TakesNoCertificateOfAnotherName) {
  const auto certificate = make_certificate("good", "DNS:history.example");
  folder.write("page", plain("over tls"));
  settings.ca_file = certificate;
  EXPECT_TRUE(contains(error_of(start(certificate) + "page"), "its certificate is not trusted"));
}

TEST_F(HttpTlsTest, IsNotLedFromHttpsToHttp) {
  ScriptedServer open_server({says(plain("in the open"))});
  settings.bearer_token = "hunter22";
  settings.insecure = true;
  folder.write("page", answer("302 Found", {"Location: " + open_server.url()}, ""));
  const auto message = error_of(start(make_certificate("good", "IP:127.0.0.1")) + "page");
  EXPECT_TRUE(contains(message, "leads from https to http")) << message;
  EXPECT_EQ(open_server.connections(), 0);
}

TEST_F(HttpTlsTest, IsLedFromHttpToHttps) {
  settings.insecure = true;
  folder.write("page", plain("over tls"));
  const auto url = start(make_certificate("good", "IP:127.0.0.1")) + "page";
  ScriptedServer open_server({says(answer("302 Found", {"Location: " + url}, ""))});
  const auto got = get(open_server.url());
  EXPECT_EQ(got.body, "over tls");
  EXPECT_EQ(got.url, url);
}

TEST_F(HttpTlsTest, SaysThatHttpIsSpokenToAServerOfHttps) {
  const auto url = start(make_certificate("good", "IP:127.0.0.1"));
  const auto message = error_of("http" + url.substr(5));
  EXPECT_TRUE(contains(message, "it speaks https")) << message;
}

class HttpTlsToOthers : public test::HttpFixture {};

TEST_F(HttpTlsToOthers, SaysThatHttpsIsSpokenToAServerOfHttp) {
  // A web server takes TLS for a bad request as soon as it has seen a line of it; this one does not wait for one.
  ScriptedServer server({says("")}, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
  const auto message = error_of(fmt::format("https://127.0.0.1:{}/", server.port()));
  EXPECT_TRUE(contains(message, "perhaps the server speaks http there")) << message;
}

TEST_F(HttpTlsToOthers, WaitsNoLongerForAHandshakeThanForAConnection) {
  settings.connect_timeout = milliseconds(200);
  ScriptedServer server({says("")});
  const auto message = error_of(fmt::format("https://127.0.0.1:{}/", server.port()));
  EXPECT_TRUE(contains(message, "no connection within 200 ms")) << message;
}

TEST_F(HttpTlsToOthers, SaysThatAFileHoldsNoCertificate) {
  const test::TemporaryFolder folder;
  ScriptedServer server({says("")});
  for (const auto& file : {folder.write("empty.pem", ""), folder.write("text.pem", "no certificate"), folder.at("missing.pem")}) {
    settings.ca_file = file;
    const auto result = HttpClient(settings).get(fmt::format("https://127.0.0.1:{}/", server.port()));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::usage);
    EXPECT_TRUE(contains(result.error().message, "no certificate could be read from --cacert '" + file)) << result.error().message;
  }
}

}  // namespace
}  // namespace stagegate
