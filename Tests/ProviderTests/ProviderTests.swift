import Testing

/// Two OpenID providers that nobody here wrote, a real browser, and our programs between them.
@Suite(.table) struct ProviderTests {}
