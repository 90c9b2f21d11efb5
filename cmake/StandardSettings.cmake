# What all of our own targets share: standard_settings() is called for each of them, never for third-party code.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

# g++ 12 sees overlapping copies in std::string that are not there (GCC bug 105651): no -Wrestrict.
function(standard_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(
    ${target}
    PRIVATE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wsign-conversion
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wimplicit-fallthrough
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(STAGEGATE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(STAGEGATE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
                           # GCC's manual: the sanitizers' own code gives false alarms of this one.
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
  if(STAGEGATE_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# Of a target that has little to compute: with sanitizers, to optimize it takes longer than it ever runs.
function(quick_to_compile target)
  if(STAGEGATE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()
