# embed_rules(TARGET FILE...): adds a generated source to TARGET that defines stagegate::builtin_rule_files() (src/rules/rule.h) with the
# text of the FILEs, in this order. Paths are relative to the root of the project, and so are the names of the embedded files.
#
# The file is its own generator, too: `cmake -DROOT=... -DOUTPUT=... -DFILES=a|b -P EmbedRules.cmake`.

function(embed_rules target)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/builtin_rules.cpp")
  list(TRANSFORM ARGN PREPEND "${CMAKE_SOURCE_DIR}/" OUTPUT_VARIABLE dependencies)
  string(REPLACE ";" "|" files "${ARGN}")
  set(generator "${CMAKE_SOURCE_DIR}/cmake/EmbedRules.cmake")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${CMAKE_SOURCE_DIR}" "-DOUTPUT=${output}" "-DFILES=${files}" -P "${generator}"
    DEPENDS ${dependencies} "${generator}"
    COMMENT "Embedding the built-in rules"
    VERBATIM)
  # The target may belong to another folder, which does not see this folder's commands.
  add_custom_target(${target}_rules DEPENDS "${output}")
  add_dependencies(${target} ${target}_rules)
  target_sources(${target} PRIVATE "${output}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND DEFINED OUTPUT)
  string(REPLACE "|" ";" files "${FILES}")
  set(entries "")
  foreach(file IN LISTS files)
    file(READ "${ROOT}/${file}" text)
    string(APPEND entries "      {\"${file}\", R\"stagegate(${text})stagegate\"},\n")
  endforeach()
  file(
    WRITE "${OUTPUT}"
    "// Generated from the .toml files of rules/.\n"
    "#include <vector>\n\n"
    "#include \"rules/rule.h\"\n\n"
    "namespace stagegate {\n\n"
    "std::span<const RuleFile> builtin_rule_files() {\n"
    "  static const std::vector<RuleFile> files{\n"
    "${entries}"
    "  };\n"
    "  return files;\n"
    "}\n\n"
    "}  // namespace stagegate\n")
endif()
