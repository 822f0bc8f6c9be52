import Configuration
import OpenIDConnect
import Testing

/// A profile and the command line refuse the same parameters: those that are the protocol's.
@Suite struct ProtocolParameterTests {
    @Test func profileAndCommandLineRefuseTheSame() {
        #expect(Profile.protocolParameters == AuthorizationRequest.protocolParameters)
        #expect(Profile.protocolParameters.isSuperset(of: ["state", "nonce", "redirect_uri", "code_challenge"]))
    }
}
