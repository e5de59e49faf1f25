// Floor 5: assertions on how many objects of a class there are.
import HeapInspection

/// Expects that there are so many live objects of a class in the whole process, objects of its subclasses among them.
///
/// ```swift
/// expectLiveInstances(of: Session.self, equals: 0)
/// ```
///
/// Found by a walk over the heap, so nothing has to be tracked beforehand; some ms. Objects are looked for again, as long as there are
/// more or fewer, until the time is up. Usable in parallel tests as long as these make no objects of that class. An object that
/// the optimizer has put on the stack is not on the heap. Where the heap cannot be walked, a warning says so. Where there are too
/// many, the failure says who holds one of them.
///
/// - Parameters:
///   - type: a class or an actor; a generic one with its arguments.
///   - count: how many there should be.
///   - limit: how long to wait.
///   - ignored: subclasses that do not count.
/// - Returns: whether there are so many; true as well where it could not be checked, which is a warning.
@discardableResult
public func expectLiveInstances<Object: AnyObject>(
  of type: Object.Type, equals count: Int, within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Bool {
  let rule = InstanceRule(type: type, count: UInt64(clamping: count), ignored: ignored)
  return rule.report(rule.lookUntilRight(within: limit), at: CallSite(fileID, filePath, line, column))
}

/// Expects that there are so many live objects of a class; waits without holding up the thread.
@discardableResult
public nonisolated(nonsending) func expectLiveInstances<Object: AnyObject>(
  of type: Object.Type, equals count: Int, within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async -> Bool {
  let rule = InstanceRule(type: type, count: UInt64(clamping: count), ignored: ignored)
  return rule.report(await rule.lookUntilRight(within: limit), at: CallSite(fileID, filePath, line, column))
}
