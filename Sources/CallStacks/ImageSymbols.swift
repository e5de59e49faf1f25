import ProcessMemory
import Symbolication
import Synchronization

/// The symbols and lines of one image, and what has been found out about single functions of it.
final class ImageSymbols: Sendable {
  /// `nil` where the file cannot be had.
  let table: SymbolTable?
  /// `nil` where there is no file to read lines from.
  let lines: SourceLines?
  /// Why there is no table.
  let problem: SymbolError?

  /// What is known of a symbol.
  struct Function: Sendable {
    let name: FunctionName
    /// Part of an asynchronous function.
    let isAsync: Bool
  }
  private let functions = Mutex<[Int: Function]>([:])
  private let asyncFunctions = Mutex<[Int: Bool]>([:])

  private init(table: SymbolTable?, lines: SourceLines?, problem: SymbolError?) {
    (self.table, self.lines, self.problem) = (table, lines, problem)
  }

  /// The function at an address of the file; `nil` between symbols.
  func function(at address: UInt64) -> Function? {
    guard let table, let index = table.index(at: address) else { return nil }
    if let known = functions.withLock({ $0[index] }) { return known }
    let symbol = table.symbol(atIndex: index)
    let function = Function(
      name: FunctionNames.shared.name(of: symbol.name), isAsync: isAsync(symbolAt: index, of: table))
    functions.withLock { $0[index] = function }
    return function
  }

  /// Whether an address of the file is within a symbol.
  func hasSymbol(at address: UInt64) -> Bool { table?.index(at: address) != nil }

  /// Whether an address of the file is in a part of an asynchronous function. No name is demangled for it.
  func isAsync(at address: UInt64) -> Bool {
    guard let table, let index = table.index(at: address) else { return false }
    return isAsync(symbolAt: index, of: table)
  }

  private func isAsync(symbolAt index: Int, of table: SymbolTable) -> Bool {
    if let known = asyncFunctions.withLock({ $0[index] }) { return known }
    let found = table.isAsyncFunction(table.symbol(atIndex: index).name)
    asyncFunctions.withLock { $0[index] = found }
    return found
  }

  // MARK: Where they come from

  /// By build-id, for all processes; an image without one is read anew for each process.
  private static let byBuildID = Mutex<[String: ImageSymbols]>([:])
  /// So many images are kept; a program that looks at other processes all day forgets and reads again.
  private static let limit = 256

  static func find(
    _ image: LoadedImage, of processID: Int32, memory: any MemoryReader, root: ProcRoot
  ) -> ImageSymbols {
    if let buildID = image.buildID, let known = byBuildID.withLock({ $0[buildID] }) { return known }
    let found = image.isVDSO ? ofVDSO(image, memory) : read(image, of: processID, root: root)
    if let buildID = image.buildID, found.table != nil {
      byBuildID.withLock { known in
        if known.count >= limit { known.removeAll() }
        known[buildID] = found
      }
    }
    return found
  }

  /// The symbols of a file of this machine, for an image that is loaded in no process that is known.
  static func find(path: String, buildID: String?) -> ImageSymbols {
    if let buildID, let known = byBuildID.withLock({ $0[buildID] }) { return known }
    return read(paths: [path], loadedAs: path, buildID: buildID, debugFolders: ["/usr/lib/debug"])
  }

  /// The kernel maps the vDSO whole, section headers and all.
  private static func ofVDSO(_ image: LoadedImage, _ memory: any MemoryReader) -> ImageSymbols {
    let size = Int(clamping: min(image.firstMappingEnd &- image.startAddress, 1 << 20))
    do throws(SymbolError) {
      let table = try SymbolTable(ofImage: memory.bytes(image.startAddress, count: size), named: image.path)
      return ImageSymbols(table: table, lines: nil, problem: nil)
    } catch {
      return ImageSymbols(table: nil, lines: nil, problem: error)
    }
  }

  private static func read(_ image: LoadedImage, of processID: Int32, root: ProcRoot) -> ImageSymbols {
    let ownRoot = root.file("root", of: processID)
    // Without a build-id, only a mapping's own link is sure to lead to its file; the others must at least have its inode.
    let paths = image.openablePaths(of: processID, root: root).filter { path in
      image.buildID != nil || path.contains("/map_files/") || FileIdentity.inode(path) == image.inode
    }
    return read(
      paths: paths, loadedAs: ownRoot + image.path, buildID: image.buildID,
      debugFolders: [ownRoot + "/usr/lib/debug", "/usr/lib/debug"])
  }

  private static func read(
    paths: [String], loadedAs name: String, buildID: String?, debugFolders: [String]
  ) -> ImageSymbols {
    var problem: SymbolError?
    for path in paths {
      do throws(SymbolError) {
        let table = try SymbolTable(ofFileAt: path, loadedAs: name, buildID: buildID, debugFolders: debugFolders)
        return ImageSymbols(
          table: table, lines: SourceLines(ofFileAt: table.symbolFile, buildID: buildID), problem: nil)
      } catch {
        // What the last and most ordinary path says is worth more than that a link needs privileges.
        if case .otherFile = error, problem != nil { continue }
        problem = error
        if case .elfutilsMissing = error { break }
      }
    }
    return ImageSymbols(table: nil, lines: nil, problem: problem ?? .unreadable(path: name, code: 2))
  }
}
