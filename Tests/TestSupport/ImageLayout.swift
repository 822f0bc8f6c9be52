/// A container image in a folder: made by hand, since no engine is there to build one.
package struct ImageLayout {
    /// For skopeo: `oci:FOLDER:latest`.
    package let reference: String

    /// The smallest image there is: a configuration and no layer.
    package init(in world: World) throws {
        let folder = try world.scratch.folder("image")
        self.reference = "oci:\(folder):latest"
        let configuration =
            #"{"architecture":"amd64","os":"linux","config":{},"rootfs":{"type":"layers","diff_ids":[]}}"#
        let manifest = """
            {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":\
            \(try Self.add(configuration, "application/vnd.oci.image.config.v1+json", in: world)),"layers":[]}
            """
        let descriptor = try Self.add(
            manifest, "application/vnd.oci.image.manifest.v1+json", in: world,
            more: #","annotations":{"org.opencontainers.image.ref.name":"latest"}"#)
        try world.scratch.write(#"{"schemaVersion":2,"manifests":[\#(descriptor)]}"#, to: "image/index.json")
        try world.scratch.write(#"{"imageLayoutVersion":"1.0.0"}"#, to: "image/oci-layout")
    }

    /// Writes a blob under its digest.
    ///
    /// - Returns: the JSON that describes it.
    private static func add(_ blob: String, _ type: String, in world: World, more: String = "") throws -> String {
        let digest = try world.run("sha256sum", input: blob).text.prefix(64)
        try world.scratch.write(blob, to: "image/blobs/sha256/\(digest)")
        return #"{"mediaType":"\#(type)","digest":"sha256:\#(digest)","size":\#(blob.utf8.count)\#(more)}"#
    }
}
