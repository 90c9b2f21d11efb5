// What stands on our command line can be read by everybody on the machine (`ps`) as long as we run: secrets in it are overwritten.
#pragma once

namespace stagegate {

// Overwrites, in place, the password of --user NAME:PASSWORD, the value of --header, and a password in an address. It is for the moment
// after the options have been read; between the start and that moment they can be seen, which is why variables and files are better.
void hide_secrets(int argc, char** argv);

}  // namespace stagegate
