// The file, or the images of a process, that introspect interface looks for types in.

import ProcessMemory
import Symbolication
import ToolSupport
import TypeInterfaces

/// Opens files as they are needed: the program first, its libraries only for what is not in it.
final class InterfaceTarget {
  enum Place {
    case file(String)
    case process(Int32)
  }

  private let place: Place
  private var opened: [InterfaceSource] = []
  private var unopened: [LoadedImage] = []

  init(_ place: Place) { self.place = place }

  /// The file, or the program of the process.
  func main() throws(ToolFailure) -> InterfaceSource {
    if let first = opened.first { return first }
    do throws(TypeInterfaceError) {
      let source = try openMain()
      opened.append(source)
      return source
    } catch {
      throw Self.failure(error)
    }
  }

  private func openMain() throws(TypeInterfaceError) -> InterfaceSource {
    switch place {
    case .file(let path): return try InterfaceSource(ofFileAt: path)
    case .process(let processID):
      let images: ImageMap
      do throws(ProcessMemoryError) { images = try .of(processID) } catch { throw .process(error) }
      unopened = images.images.filter { !$0.isVDSO }
      // The program is where the process starts; of a program without Swift, the first library that has some.
      var problem: TypeInterfaceError?
      while !unopened.isEmpty {
        let image = unopened.removeFirst()
        do throws(TypeInterfaceError) { return try InterfaceSource(image, of: processID) } catch {
          problem = problem ?? error
        }
      }
      throw problem ?? .process(.processEnded(processID: processID))
    }
  }

  /// The types of a name, in the first image that has some.
  func types(
    named name: String, _ isSelected: (ListedType) -> Bool
  ) throws(ToolFailure) -> ([ListedType], InterfaceSource)? {
    _ = try main()
    var index = 0
    while index < opened.count || openNext() {
      let found = opened[index].types(named: name).filter(isSelected)
      if !found.isEmpty { return (found, opened[index]) }
      index += 1
    }
    return nil
  }

  private func openNext() -> Bool {
    guard case .process(let processID) = place else { return false }
    while !unopened.isEmpty {
      // Libraries without Swift, and those that cannot be read, have nothing to look for.
      guard let source = try? InterfaceSource(unopened.removeFirst(), of: processID) else { continue }
      opened.append(source)
      return true
    }
    return false
  }

  /// Names that are like one that is not there, the likest first.
  func nearest(to name: String) -> [String] {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    let limit = max(2, last.count / 3)
    let near = opened.flatMap(\.types).map { type in
      let own = type.name.split(separator: ".").last.map(String.init) ?? type.name
      // What is a slip of the finger away comes before what has the letters somewhere within.
      let distance = editDistance(own.lowercased(), last.lowercased())
      let contains = last.count >= 3 && own.lowercased().contains(last.lowercased())
      return (type.qualifiedName, contains ? min(distance, limit) : distance)
    }
    return near.filter { $0.1 <= limit }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(5).map(\.0)
  }

  private static func failure(_ error: TypeInterfaceError) -> ToolFailure {
    let code: ExitCode =
      switch error {
      case .file(.unreadable): .noInput
      case .process(let error): processMemoryExitCode(error)
      default: .failure
      }
    return ToolFailure(code, error.description)
  }
}
