# log_forms: the libraries that decode event logs, as one target.
#
# They are linked into the program where the system has all of them as archives: to start with ten shared libraries more takes longer
# than to read a small log. Elsewhere the shared ones are used.

option(STAGEGATE_STATIC_FORMS "Link the libraries for the forms of logs into the program where the system allows it" ON)

include(CheckCXXSourceCompiles)

find_package(zstd REQUIRED)
find_package(Snappy REQUIRED)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(LibArchive REQUIRED)
pkg_check_modules(libxxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(liblzf REQUIRED IMPORTED_TARGET liblzf)
pkg_check_modules(liblz4 REQUIRED IMPORTED_TARGET liblz4>=1.9.4)

# LIBARCHIVE comes first, for it uses the others; nettle is what Debian's has for the ciphers of zip.
set(form_archives "")
foreach(name archive zstd lz4 xxhash snappy z bz2 lzma nettle)
  find_library(STAGEGATE_ARCHIVE_OF_${name} NAMES lib${name}.a)
  mark_as_advanced(STAGEGATE_ARCHIVE_OF_${name})
  list(APPEND form_archives ${STAGEGATE_ARCHIVE_OF_${name}})
endforeach()

if(STAGEGATE_STATIC_FORMS AND NOT form_archives MATCHES NOTFOUND)
  set(CMAKE_REQUIRED_LIBRARIES ${form_archives})
  check_cxx_source_compiles(
    "#include <archive.h>
     int main() {
       archive* reader = archive_read_new();
       return archive_read_support_format_zip_streamable(reader) + archive_read_support_format_tar(reader);
     }"
    STAGEGATE_FORMS_LINK_STATICALLY)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

add_library(log_forms INTERFACE)
target_link_libraries(log_forms INTERFACE PkgConfig::liblzf)
if(STAGEGATE_STATIC_FORMS AND STAGEGATE_FORMS_LINK_STATICALLY)
  target_link_libraries(log_forms INTERFACE ${form_archives})
else()
  target_link_libraries(log_forms INTERFACE LibArchive::LibArchive zstd::libzstd_shared PkgConfig::liblz4 PkgConfig::libxxhash
                                            Snappy::snappy ZLIB::ZLIB BZip2::BZip2 LibLZMA::LibLZMA)
endif()
