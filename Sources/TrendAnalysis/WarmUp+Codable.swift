// The warm-up in JSON: {"fraction": 0.25} or {"seconds": 300}, and not what the compiler would make of an enumeration.

extension TrendOptions.WarmUp: Codable {
  private enum CodingKeys: String, CodingKey {
    case fraction
    case seconds
  }

  /// Reads `{"fraction": 0.25}` or `{"seconds": 300}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let fraction = try container.decodeIfPresent(Double.self, forKey: .fraction) {
      self = .fraction(fraction)
    } else {
      self = .seconds(try container.decode(Double.self, forKey: .seconds))
    }
  }

  /// Writes `{"fraction": 0.25}` or `{"seconds": 300}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .fraction(let fraction): try container.encode(fraction, forKey: .fraction)
    case .seconds(let seconds): try container.encode(seconds, forKey: .seconds)
    }
  }
}
