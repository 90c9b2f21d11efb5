// What can be said of a run as a whole.
#pragma once

#include "model/application.h"
#include "model/plan_facts.h"

namespace stagegate {

// Whether all of the application can be seen: it ended, no job of it failed, and its evidence is whole.
bool ended_well(const Application& application);

// A log does not say when a job group was set or taken away, only which actions ran under it. So a group is said to be left set where all
// of this holds:
//  - the last actions ran under it, two or more, and none before;
//  - an author named it: it is more than a UUID, a number or a date, nor one of those that platforms set for each statement;
//  - the job has other sections: actions before it ran under another such group;
//  - no group was ever taken away: no action without one comes behind one with one;
//  - no other group holds as many actions: where several are usual, the last one may have several, too.
// An action is a SQL execution with all that it starts, or a job outside of any; looking at the footers of files is none.
RunFacts run_facts_of(const Application& application);

}  // namespace stagegate
