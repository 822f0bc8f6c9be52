// cjose and the libcrypto that it stands on, for Swift.
#pragma once
#include "../CJansson/shim.h"
#include <cjose/cjose.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
