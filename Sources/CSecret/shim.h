// libsecret for Swift.
#pragma once
#define SECRET_API_SUBJECT_TO_CHANGE
#include "../CGLib/shim.h"
#include <libsecret/secret.h>
