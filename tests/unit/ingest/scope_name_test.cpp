#include "ingest/scope_name.h"

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(ScopeName, IsTheOutermostScopesOwn) {
  EXPECT_EQ(scope_name(R"({"id":"5","name":"Exchange","parent":{"id":"2","name":"AdaptiveSparkPlan"}})"), "Exchange");
  EXPECT_EQ(scope_name(R"-({"id":"1","name":"WholeStageCodegen (1)"})-"), "WholeStageCodegen (1)");
}

TEST(ScopeName, KeepsQuotesAndBackslashes) {
  EXPECT_EQ(scope_name(R"({"id":"1","name":"Scan \"a\\b\" x"})"), R"(Scan "a\b" x)");
}

TEST(ScopeName, IsEmptyWhereThereIsNone) {
  for (const auto* scope : {"", "{}", R"({"id":"1"})", "not JSON", R"({"name":)", R"-({"name":")-"}) {
    EXPECT_EQ(scope_name(scope), "") << scope;
  }
}

}  // namespace
}  // namespace stagegate
