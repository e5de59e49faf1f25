import MeasurementText
import Testing

@Suite struct MeasurementTextTests {
  @Test(
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (688, "688 bytes"), (1023, "1023 bytes"), (1024, "1.0 KiB"), (-2048, "-2.0 KiB"),
      (1_048_575, "1.0 MiB"), (43_201_331, "41.2 MiB"), (Int64.max, "8388608.0 TiB"), (Int64.min, "-8388608.0 TiB"),
    ] as [(Int64, String)])
  func bytesAsText(bytes: Int64, text: String) {
    #expect(ByteText.format(bytes) == text)
  }

  @Test func signsAreShownWhereAskedFor() {
    #expect(ByteText.format(2048, sign: .always) == "+2.0 KiB")
    #expect(ByteText.format(0, sign: .always) == "+0 bytes")
    #expect(ByteText.format(-2048, sign: .always) == "-2.0 KiB")
    #expect(ByteText.formatRate(bytesPerHour: 110 * 1_048_576) == "+110.0 MiB/h")
    #expect(ByteText.formatRate(bytesPerHour: 1800 * 1_048_576) == "+30.0 MiB/min")
    #expect(ByteText.formatRate(bytesPerHour: -3600 * 1_073_741_824) == "-1.0 GiB/s")
    let mebibyte = 1_048_576.0
    #expect(
      ByteText.formatRate(bytesPerHour: 110 * mebibyte, between: 101.23 * mebibyte, and: 1118 * mebibyte)
        == ("+110.0 MiB/h", "101.2 to 1118.0"))
    #expect(
      ByteText.formatRate(bytesPerHour: 7200 * mebibyte, between: -3600 * mebibyte, and: 10_800 * mebibyte)
        == ("+120.0 MiB/min", "-60.0 to 180.0"))
    #expect(ByteText.formatRate(bytesPerHour: 12, between: -3, and: 20) == ("+12 bytes/h", "-3 to 20"))
  }

  @Test(
    arguments: [
      ("4096", 4096), ("1MiB", 1_048_576), ("1.5 GiB", 1_610_612_736), ("500kB", 500_000), ("64k", 65_536),
      ("0", 0), ("2mib", 2_097_152), ("12 bytes", 12),
    ] as [(String, UInt64)])
  func amountsAsTyped(text: String, bytes: UInt64) throws {
    #expect(try ByteText.parse(text) == bytes)
  }

  @Test(arguments: ["", "MiB", "-1MiB", "1 parsec", "1e5", "1..5MiB", "99999999999999999TiB", "nan", "∞", "١MiB"])
  func amountsThatAreNone(text: String) {
    let error = #expect(throws: QuantityParseError.self) { try ByteText.parse(text) }
    #expect(error?.description.contains("512KiB") == true)
  }

  @Test func ratesAsTyped() throws {
    #expect(try ByteText.parseRate("1MiB/min") == 1_048_576 / 60)
    #expect(try ByteText.parseRate("300kB/s") == 300_000)
    #expect(try ByteText.parseRate("36 KiB/h") == 10.24)
    #expect(throws: QuantityParseError.self) { try ByteText.parseRate("1MiB") }
    #expect(throws: QuantityParseError.self) { try ByteText.parseRate("1MiB/fortnight") }
  }

  @Test(arguments: [
    (0, "0 s"), (388e-6, "388 µs"), (1.2e-3, "1.2 ms"), (24e-9, "24 ns"), (1.2, "1.2 s"), (59.96, "1 min"),
    (90, "1 min 30 s"), (1350, "22 min 30 s"), (7200, "2 h"), (5400, "1 h 30 min"), (93_600, "1 d 2 h"),
    (-2.5, "-2.5 s"), (0.99996, "1 s"), (3599.9, "1 h"),
  ])
  func spansAsText(seconds: Double, text: String) {
    #expect(DurationText.format(seconds: seconds) == text)
  }

  @Test(
    arguments: [
      ("90s", .seconds(90)), ("2h", .seconds(7200)), ("1h30m", .seconds(5400)), ("250ms", .milliseconds(250)),
      ("1.5d", .seconds(129_600)), ("30", .seconds(30)), ("1 min 30 s", .seconds(90)), ("0.1s", .milliseconds(100)),
    ] as [(String, Duration)])
  func spansAsTyped(text: String, duration: Duration) throws {
    #expect(try DurationText.parse(text) == duration)
  }

  @Test(arguments: ["", "s", "-1s", "1 fortnight", "1h m", "200000000000h", "..", "1s2"])
  func spansThatAreNone(text: String) {
    // "1s2" is one second and two: a bare number is seconds wherever it stands, so only the others are refused.
    if text == "1s2" {
      #expect((try? DurationText.parse(text)) == .seconds(3))
    } else {
      #expect(throws: QuantityParseError.self) { try DurationText.parse(text) }
    }
  }

  @Test func numbers() {
    #expect(NumberText.fixed(2.25, decimals: 1) == "2.3")
    #expect(NumberText.fixed(-0.04, decimals: 1) == "0.0")
    #expect(NumberText.fixed(1.005, decimals: 0) == "1")
    #expect(NumberText.fixed(9.999, decimals: 2) == "10.00")
    #expect(NumberText.fixed(.nan, decimals: 2) == "nan")
    #expect(NumberText.grouped(1_018_200) == "1 018 200")
    #expect(NumberText.grouped(-999) == "-999")
    #expect(NumberText.grouped(Int64.min) == "-9 223 372 036 854 775 808")
  }

  @Test func linesAreBoundedAndPlain() {
    #expect(LineText.bounded("a\nb\u{7F}c\u{1B}[31m") == "a?b?c?[31m")
    #expect(LineText.bounded("abcdef", limit: 4) == "abc…")
    #expect(LineText.bounded("abcd", limit: 4) == "abcd")
    #expect(LineText.bounded("abcd", limit: 0) == "…")
  }
}
