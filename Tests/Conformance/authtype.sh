#!/bin/sh
# To be run in the folder `t` of git's source, which has these cases in its library and calls them for its own cache.

test_description='credentials with an authtype, kept by an external helper'

. ./test-lib.sh
. "$TEST_DIRECTORY"/lib-credential.sh

helper_test_clean "$GIT_TEST_CREDENTIAL_HELPER"
helper_test_authtype "$GIT_TEST_CREDENTIAL_HELPER"
helper_test_clean "$GIT_TEST_CREDENTIAL_HELPER"
test_done
