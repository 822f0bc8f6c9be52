/// A key, and a token that was signed with it once. Its private half is gone.
enum SignedExample {
    static let modulus =
        "2t3Xih4FApFIna5pSj_xSTRTjbUIYFr6Nwzuu64bZxxB5-hbVWbYoe-uEk0Lzn4PuQtq5G4dmagPJNciPxH0OzONHnTGQR4Nd8Rd"
        + "2gorSk9B-OcX9hAhM_mt7glO_GFypwp5JAt9via1C-eHTbKtb5hoUxZbgj8qU-v1r7_09eDmpVETu42yri6K87r_Agf-uh6ATemt"
        + "VRecn7Bam7kpclji175zCLxrpMJ8uHF2VlTwlLIZanxv5MOE4YNOIoci0VyKKfp5TnsAZZJ-CXk5TCYePjY6p6YABt4rekonu9uD"
        + "qKQg97H8fKKITtQGb9dNuWRL_g4Vlhil8w99bc81lw"
    static let keySet = #"{"keys":[{"kty":"RSA","kid":"k1","use":"sig","e":"AQAB","n":""# + modulus + #""}]}"#
    /// Of subject alice, for client fuzz, from https://issuer.example, with nonce n, for the access token `access`.
    static let token =
        "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIiwidHlwIjoiSldUIn0.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwic3Vi"
        + "IjoiYWxpY2UiLCJhdWQiOiJmdXp6IiwiZXhwIjoxNzAwMDAzNjAwLCJpYXQiOjE3MDAwMDAwMDAsIm5vbmNlIjoibiIsImF0X2hh"
        + "c2giOiJvRllmMWtuTnRycW5oQVZmQlJ1dGVRIn0.wPkxaYpNIUFATHoix7t5xfZpqSzYlMgfUgKXHKEg-lQfARmqbi95-OZFBN-1"
        + "OYNm_HgrlYI9zUEg6Ft3WuX-mxWh4-MZ1f2vebbgseS23gS9-PIagrtO0gGKbcPQlU4iOi7bQkgFqgP7yV_8fEcWs09wZYlwu1Gr"
        + "B5Yfar8331GQA3tFxQ-9mr1v2Y7mtZUXSg2N6Y9bP0xMkS4p2fCyrsTSXo1i_9XKK5-VX8_F0JOyJZ3BOmVIFUoPcJX3rCFnG5um"
        + "w04n2CyKXm-YQ-5KkwSBsn963vgT8N7RSY_NsBm-1PEHCLCo_kaa_5ski6lNR_uvsGsYNMHvGk3bVDgqow"
}
