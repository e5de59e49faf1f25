// Floor 4, text: a deconstruction as JSON.
import MeasurementText

extension Deconstruction {
  /// The nodes, cycles and figures as JSON, the same that an encoder writes; each node on a line of its own.
  ///
  /// Nodes stand in a list, each with its `depth`, and not inside each other: readers of JSON end at some hundred levels.
  public var json: String {
    var json = JSONText()
    json.object { json in
      json.key("nodes")
      json.array { json in
        for node in nodes {
          json.newLine()
          json.object { node.write(to: &$0) }
        }
      }
      json.newLine()
      json.key("cycles")
      json.array { json in
        for cycle in cycles {
          json.newLine()
          json.object {
            $0.field("path", cycle.path)
            $0.field("closedBy", cycle.closedBy.rawValue)
            $0.field("count", cycle.count)
          }
        }
      }
      json.newLine()
      json.key("summary")
      json.object { summary.write(to: &$0) }
    }
    return json.text + "\n"
  }
}

extension Deconstruction.Summary {
  fileprivate func write(to json: inout JSONText) {
    json.field("nodeCount", nodeCount)
    json.field("objectCount", objectCount)
    json.field("allocationCount", allocationCount)
    json.field("allocatedBytes", allocatedBytes)
    json.key("isTruncated")
    json.value(verbatim: isTruncated ? "true" : "false")
    json.field("unlistedRetainCycles", unlistedRetainCycles)
    json.field("unlistedCycles", unlistedCycles)
  }
}

extension Deconstruction.Node: Codable {
  private enum CodingKeys: String, CodingKey {
    case depth, kind, label, index, key, type, dynamicType, value, reference, isConstant, isLazy, isCapture
    case isSharedVariable, isCut, wrapper, object, storage, sighting, count, allocatedBytes, address, offset, size
    case padding
  }

  private var texts: [(CodingKeys, String?)] {
    [
      (.label, label), (.key, key), (.type, type), (.dynamicType, dynamicType), (.value, value),
      (.reference, reference == .strong ? nil : reference.rawValue), (.wrapper, wrapper),
      (.sighting, sighting?.rawValue),
    ]
  }

  private var numbers: [(CodingKeys, Int?)] {
    [
      (.index, index), (.object, object), (.storage, storage), (.count, count), (.allocatedBytes, allocatedBytes),
      (.offset, offset), (.size, size), (.padding, padding),
    ]
  }

  private var marks: [(CodingKeys, Bool)] {
    [
      (.isConstant, isConstant), (.isLazy, isLazy), (.isCapture, isCapture),
      (.isSharedVariable, isSharedVariable), (.isCut, isCut),
    ]
  }

  /// What is not there, and marks that are not set, are left out.
  fileprivate func write(to json: inout JSONText) {
    json.field(CodingKeys.depth.rawValue, depth)
    json.field(CodingKeys.kind.rawValue, kind.name)
    for (key, text) in texts { if let text { json.field(key.rawValue, text) } }
    for (key, number) in numbers { if let number { json.field(key.rawValue, number) } }
    if let address { json.field(CodingKeys.address.rawValue, address) }
    for (key, isSet) in marks where isSet {
      json.key(key.rawValue)
      json.value(verbatim: "true")
    }
  }

  /// Writes what is there.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(depth, forKey: .depth)
    try values.encode(kind.name, forKey: .kind)
    for (key, text) in texts { try values.encodeIfPresent(text, forKey: key) }
    for (key, number) in numbers { try values.encodeIfPresent(number, forKey: key) }
    try values.encodeIfPresent(address, forKey: .address)
    for (key, isSet) in marks where isSet { try values.encode(true, forKey: key) }
  }

  /// Reads a node.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let name = try values.decode(String.self, forKey: .kind)
    guard let kind = Deconstruction.Kind.allNames[name] else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: values, debugDescription: "'\(name)' is no kind of node that this version knows")
    }
    self.init(depth: try values.decode(Int.self, forKey: .depth), kind: kind)
    func text(_ key: CodingKeys) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }
    func number(_ key: CodingKeys) throws -> Int? { try values.decodeIfPresent(Int.self, forKey: key) }
    func mark(_ key: CodingKeys) throws -> Bool { try values.decodeIfPresent(Bool.self, forKey: key) ?? false }
    (label, key, type) = (try text(.label), try text(.key), try text(.type))
    (dynamicType, value, wrapper) = (try text(.dynamicType), try text(.value), try text(.wrapper))
    (index, object, storage) = (try number(.index), try number(.object), try number(.storage))
    (count, allocatedBytes) = (try number(.count), try number(.allocatedBytes))
    (offset, size, padding) = (try number(.offset), try number(.size), try number(.padding))
    address = try values.decodeIfPresent(UInt.self, forKey: .address)
    reference = try values.decodeIfPresent(Deconstruction.Reference.self, forKey: .reference) ?? .strong
    sighting = try values.decodeIfPresent(Deconstruction.Sighting.self, forKey: .sighting)
    (isConstant, isLazy) = (try mark(.isConstant), try mark(.isLazy))
    (isCapture, isSharedVariable, isCut) = (try mark(.isCapture), try mark(.isSharedVariable), try mark(.isCut))
  }
}
