#include "identity/identify.h"
