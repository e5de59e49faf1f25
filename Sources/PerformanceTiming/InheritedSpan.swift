/// The span that encloses a task from outside: the one its parent was in when the task was made.
@usableFromInline
struct InheritedSpan: Sendable {
  private let timer: UInt64
  private let path: Int32
  private let depth: Int32
  /// What encloses the task for other timers; nil where there is one timer only, and so no allocation.
  private let others: Others?

  /// One for all timers: a task-local of each timer's own would be an object whose references all threads count.
  @usableFromInline
  static let current = TaskLocal<InheritedSpan?>(wrappedValue: nil)

  fileprivate final class Others: Sendable {
    let span: InheritedSpan
    init(_ span: InheritedSpan) { self.span = span }
  }

  /// A span of a timer, inside of whatever encloses the running task.
  init(timer: UInt64, path: Int32, depth: Int32) {
    self.timer = timer
    self.path = path
    self.depth = depth
    guard let outer = InheritedSpan.current.get() else {
      others = nil
      return
    }
    // Of each timer the innermost span is enough; so the chain is as long as there are timers, not spans.
    others = outer.without(timer)
  }

  private init(_ span: InheritedSpan, others: Others?) {
    timer = span.timer
    path = span.path
    depth = span.depth
    self.others = others
  }

  private func without(_ timer: UInt64) -> Others? {
    guard self.timer != timer else { return others }
    guard let others, others.contains(timer) else { return Others(self) }
    return Others(InheritedSpan(self, others: others.span.without(timer)))
  }

  /// The span of a timer.
  func enclosing(_ timer: UInt64) -> Enclosing? {
    if self.timer == timer { return Enclosing(path: path, depth: depth) }
    return others?.span.enclosing(timer)
  }
}

extension InheritedSpan.Others {
  fileprivate func contains(_ timer: UInt64) -> Bool { span.enclosing(timer) != nil }
}
