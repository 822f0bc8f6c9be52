import Foundation
import TestSupport
import Testing

/// kubectl, which runs our helper as an exec plugin.
@Suite(.serialized, .clients) struct KubectlTests {
    private static let question = ["get", "--raw", "/version"]

    /// Debian's kubectl is older than the first version of the group that is final.
    private static func versions() throws -> [String] {
        let text = String(
            decoding: try World(.noBus).run(.kubectl, ["version", "--client", "--output=json"]).output, as: UTF8.self)
        let minor = text.firstMatch(of: /"minor": "(\d+)/).flatMap { Int($0.1) }
        return try #require(minor) >= 22 ? ["v1", "v1beta1"] : ["v1beta1"]
    }

    private static func use(_ packages: PackageWorld, version: String, clusterInfo: Bool = true) throws {
        let file = try packages.world.scratch.write(
            """
            apiVersion: v1
            kind: Config
            current-context: test
            contexts: [{name: test, context: {cluster: test, user: test}}]
            clusters:
            - name: test
              cluster:
                server: \(packages.server.origin)/kubernetes
                certificate-authority: \(packages.server.authorityFile)
            users:
            - name: test
              user:
                exec:
                  apiVersion: client.authentication.k8s.io/\(version)
                  command: mojoauth-helper
                  args: [kubernetes]
                  interactiveMode: IfAvailable
                  provideClusterInfo: \(clusterInfo)

            """, to: "kubeconfig")
        packages.world.set(["KUBECONFIG": file])
    }

    @Test(arguments: Situation.allCases) func asksACluster(_ situation: Situation) throws {
        for version in try Self.versions() {
            let packages = try situation.make()
            try Self.use(packages, version: version)
            let outcome = try packages.world.run(.kubectl, Self.question)
            #expect((outcome.exitCode == 0) == situation.succeeds, "\(version): \(outcome)\n\(packages.server.log)")
            #expect(outcome.text.contains("v1.0.0-hello") == situation.succeeds, "\(version): \(outcome)")
            #expect(packages.server.served.isEmpty != situation.succeeds, "\(packages.server.log)")
            #expect(try packages.sandbox.refreshes() == (situation == .staleToken ? 1 : 0))
            switch situation {
            case .noLogin: #expect(outcome.errors.contains("mojoauth-helper: error: not logged in"), "\(outcome)")
            case .noEntry: #expect(outcome.errors.contains("no host entry names https://localhost"), "\(outcome)")
            default: break
            }
        }
    }

    /// Without it a kubeconfig could send the token anywhere.
    @Test func wantsToKnowTheCluster() throws {
        let packages = try PackageWorld()
        try Self.use(packages, version: "v1beta1", clusterInfo: false)
        let outcome = try packages.world.run(.kubectl, Self.question)
        #expect(outcome.exitCode != 0 && outcome.errors.contains("provideClusterInfo: true"), "\(outcome)")
        #expect(packages.server.served.isEmpty)
    }

    /// With a person at its terminal it waits for a login.
    @Test func opensALoginAtATerminal() throws {
        let packages = try PackageWorld(logsIn: false)
        try Self.use(packages, version: "v1beta1")
        packages.world.set(["DISPLAY": ":0"])
        let terminal = try PseudoTerminal()
        try terminal.start(packages.world, try Tool.kubectl.path(), Self.question)
        let status = try terminal.finish()
        #expect(status == 0 && terminal.text.contains("v1.0.0-hello"), "\(terminal.text)\n\(packages.server.log)")
        #expect(try packages.sandbox.tokenRequests("authorization_code") == 1)
    }
}
