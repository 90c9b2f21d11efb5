// What a file is in which no event was found: people name the wrong one of two files, or save an error page in place of a log.
#pragma once

#include <string>
#include <string_view>

namespace stagegate {

// BEGIN: the first bytes of a source, unpacked (decoder.h); 4 KiB are enough, and more are not looked at.
//
// A noun with its article and what to do, for the end of a sentence: "an HTML page; name the event log itself". "" where it looks like
// nothing known, and where it looks like an event log after all.
std::string looks_like(std::string_view begin);

}  // namespace stagegate
