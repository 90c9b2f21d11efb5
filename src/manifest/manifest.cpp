#include "manifest/manifest.h"
