/// One part of the machine that the doctor looks at. Each has its limits: none waits for a person, none unlocks, asks
/// or changes anything.
protocol Examination {
    /// The heading of its lines.
    static var title: String { get }

    /// Empty when there is nothing to look at.
    static func findings(on patient: Patient) -> [Finding]
}
