// Every row of the corpus, in every dialect it was compiled for.
import Testing
import TypeEncodings

@Suite("The corpus of encodings")
struct CorpusTests {
  @Test("it is complete")
  func isComplete() {
    #expect(CorpusRow.all.count == 876)
    for kind in CorpusRow.Kind.allCases { #expect(CorpusRow.all.contains { $0.kind == kind }) }
  }

  /// Texts that differ by choice: a star is set against the caret of a block that returns it, as against every other
  /// declarator (`char *(^)(const char *)`); the corpus has `NSString * (^)(int)` where a compiler printed it.
  private static let choices = [
    "@?<@\"NSString\"@?i>16@0:8", "@\"NSString\"8@?0", "v24@?0@?<@\"NSString\"@?i>8@\"NSString\"16",
  ]

  @Test("every row reads as it was meant", arguments: CorpusRow.Kind.allCases)
  func rows(_ kind: CorpusRow.Kind) throws {
    var totals: [String: (rows: Int, texts: Int, trees: Int)] = [:]
    for row in CorpusRow.all where row.kind == kind {
      for runtime in row.runtimes {
        let (text, tree) = try row.decoded(CorpusRow.dialect(of: runtime))
        var total = totals[runtime] ?? (0, 0, 0)
        total.rows += 1
        total.texts += text == row.expected ? 1 : 0
        total.trees += tree == row.tree ? 1 : 0
        totals[runtime] = total
        #expect(tree == row.tree, "\(row.encoding) (\(runtime))")
        #expect(text == row.expected || Self.choices.contains(row.encoding), "\(row.encoding) (\(runtime))")
      }
    }
    for (runtime, total) in totals.sorted(by: { $0.key < $1.key }) {
      print("corpus: \(kind) \(runtime): \(total.texts) texts and \(total.trees) trees of \(total.rows)")
      #expect(total.trees * 100 >= total.rows * 99)
    }
  }

  @Test("expanded records show every member")
  func expanded() throws {
    var count = 0
    for row in CorpusRow.all where !row.expanded.isEmpty {
      for runtime in row.runtimes {
        let text = try row.decoded(CorpusRow.dialect(of: runtime), expandedLevels: 100).text
        // A property's cell has the type alone.
        if row.kind == .property {
          let type = try PropertyEncoding(attributes: row.encoding, name: row.name).type
          #expect(type.declaration(style: DeclarationStyle(expandedLevels: 100)) == row.expanded)
        } else {
          #expect(text == row.expanded, "\(row.encoding) (\(runtime))")
        }
        count += 1
      }
    }
    #expect(count > 500)
  }

  @Test("written back, every type is the same string in the dialect it came from")
  func roundTrip() throws {
    for row in CorpusRow.all where row.kind == .type || row.kind == .ivar {
      for runtime in row.runtimes {
        let encoding = try TypeEncoding(row.encoding, dialect: CorpusRow.dialect(of: runtime))
        #expect(encoding.encoded() == row.encoding)
      }
    }
  }

  @Test("the frame of a method or a block is laid out as clang does it")
  func frames() throws {
    var checked = 0
    for row in CorpusRow.all where row.runtimes.contains("apple-arm64") && !row.encoding.isEmpty {
      var frame: ArgumentFrame?
      var said: Int?
      if row.kind == .method {
        let method = try MethodEncoding(types: row.encoding, selector: row.name)
        (frame, said) = (method.frame(in: .lp64Apple), method.frameSize)
        let offsets = [method.receiver, method.command].map { $0?.offset } + method.arguments.map(\.offset)
        if let frame, said != nil { #expect(offsets == frame.offsets.map { Int($0) }, "\(row.encoding)") }
      } else if row.kind == .block {
        let block = try BlockSignature(row.encoding)
        (frame, said) = (block.frame(in: .lp64Apple), block.frameSize)
      }
      guard let frame, let said else { continue }
      #expect(Int(frame.size) == said, "\(row.encoding)")
      checked += 1
    }
    #expect(checked > 90)
  }
}
