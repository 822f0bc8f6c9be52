import Configuration

extension SessionKey {
    package init(_ profile: Profile) {
        self.init(profile: profile.name, issuer: profile.issuer, clientID: profile.clientID)
    }
}
