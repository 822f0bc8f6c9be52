// libsoup 3 for Swift.
#pragma once
#include "../CGLib/shim.h"
#include <libsoup/soup.h>
