import JSON
import Program

/// What commands print: JSON, or rows for people.
enum Report {
    static func text(_ value: JSONValue) throws(Complaint) -> String {
        do throws(JSONError) {
            return String(decoding: try value.serialized(.indented), as: UTF8.self) + "\n"
        } catch {
            throw Complaint("cannot write the report: \(error.description)", exitCode: .protocolFailure)
        }
    }

    /// Rows of a name and a text, in two columns.
    static func columns(_ rows: [(name: String, text: String)]) -> String {
        let width = rows.map { $0.name.count }.max() ?? 0
        return rows.map { row in
            let padding = String(repeating: " ", count: width - row.name.count + 1)
            return "\(row.name):\(padding)\(DisplayText.clean(row.text))\n"
        }.joined()
    }
}
