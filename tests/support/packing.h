// Text, packed as the codecs of Spark and those of people pack it. How small it gets does not matter here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stagegate {

struct Packing {
  std::string_view name;
  std::string (*pack)(std::string_view plain);
};

// All of them, and "plain" first.
std::span<const Packing> packings();

// The one of this name.
std::string pack(std::string_view name, std::string_view plain);

// Paths and contents.
using ArchiveFiles = std::vector<std::pair<std::string, std::string>>;

std::string zip_of(const ArchiveFiles& files);
std::string tar_of(const ArchiveFiles& files);

}  // namespace stagegate
