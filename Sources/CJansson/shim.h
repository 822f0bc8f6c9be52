// jansson for Swift: json_decref and json_incref are macros or inlines that Swift does not import.
#pragma once
#include <jansson.h>

static inline void mojoauth_json_release(json_t *value) {
    json_decref(value);
}

static inline json_t *mojoauth_json_retain(json_t *value) {
    return json_incref(value);
}
