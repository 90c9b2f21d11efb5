#include "ingest/core_count.h"

#include <gtest/gtest.h>

namespace stagegate {
namespace {

CoreCount with_master(const std::string& master) {
  CoreCount cores;
  cores.set_properties({{"spark.master", master}});
  return cores;
}

TEST(CoreCount, IsUnknownWhereTheLogSaysNothing) {
  EXPECT_EQ(CoreCount().effective(), std::nullopt);
}

TEST(CoreCount, OfALocalMasterIsTheDrivers) {
  auto cores = with_master("local[*]");
  cores.add_executor("driver", 4);
  EXPECT_EQ(cores.effective(), 4);
}

TEST(CoreCount, OfALocalMasterMayBeOne) {
  auto cores = with_master("local[1]");
  cores.add_executor("driver", 1);
  EXPECT_EQ(cores.effective(), 1);
}

TEST(CoreCount, OfALocalMasterIsInItsNameWhereOldLogsHaveNoExecutor) {
  EXPECT_EQ(with_master("local[4]").effective(), 4);
  EXPECT_EQ(with_master("local[4,2]").effective(), 4);
  EXPECT_EQ(with_master("local").effective(), 1);
  EXPECT_EQ(with_master("local[*]").effective(), std::nullopt);
  EXPECT_EQ(with_master("local[*,2]").effective(), std::nullopt);
}

TEST(CoreCount, OfAClusterIsThatOfTheExecutorsThatAreThere) {
  auto cores = with_master("yarn");
  EXPECT_EQ(cores.effective(), 2);
  cores.add_executor("1", 1);
  EXPECT_EQ(cores.effective(), 2);
  cores.add_executor("2", 8);
  EXPECT_EQ(cores.effective(), 9);
  cores.remove_executor("2");
  cores.remove_executor("none");
  EXPECT_EQ(cores.effective(), 2);
}

TEST(CoreCount, CountsALocalClusterAsACluster) {
  auto cores = with_master("local-cluster[2,1,1024]");
  cores.add_executor("0", 1);
  EXPECT_EQ(cores.effective(), 2);
}

TEST(CoreCount, IsWhatTheApplicationSetsWhateverThereIs) {
  CoreCount cores;
  cores.set_properties({{"spark.master", "yarn"}, {"spark.default.parallelism", "40"}});
  cores.add_executor("1", 8);
  EXPECT_EQ(cores.effective(), 40);
}

TEST(CoreCount, IgnoresASettingThatIsNoNumber) {
  CoreCount cores;
  cores.set_properties({{"spark.master", "yarn"}, {"spark.default.parallelism", "many"}});
  cores.add_executor("1", 8);
  EXPECT_EQ(cores.effective(), 8);
}

}  // namespace
}  // namespace stagegate
