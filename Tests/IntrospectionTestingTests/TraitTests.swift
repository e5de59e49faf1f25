import FixtureSupport
import IntrospectionTesting
import Testing

@Suite struct TraitTests {
  @Test(.memoryLimit(.gib(2))) func aLimitThatIsKept() {}

  @Test(.noGrowth(rounds: 2)) func aTestThatDoesNotGrow() { _ = Event() }

  @Test func aLimitThatIsNotKept() async throws {
    let test = try #require(Test.current)
    let trait = MemoryLimitTrait.memoryLimit(.mib(1))
    let found = try await findings {
      try await trait.provideScope(for: test, testCase: nil) { takeAndGiveBack(64 << 20) }
    }
    // How much exactly depends on what other tests free and allocate meanwhile.
    let message = found.first?.message ?? ""
    #expect(message.hasPrefix("Live memory peaked ") && message.contains("takeAndGiveBack"), "\(found)")
  }

  @Test func aTestThatGrows() async throws {
    let test = try #require(Test.current)
    let trait = NoGrowthTrait.noGrowth(rounds: 3)
    let found = try await findings {
      try await trait.provideScope(for: test, testCase: nil) { Vault.shared.keep(TraitCard()) }
    }
    #expect(found.first?.message.contains("TraitCard") == true, "\(found)")
    #expect(trait.rounds == 3 && trait.warmup == 2)
  }

  @Test func theSkipPassesWhereMemoryCanBeLookedAt() throws { try requireMemoryAssertions() }

  @Test func everyIgnoredPatternHasAReason() {
    for entry in IgnoredTypes.standard.entries + IgnoredFunctions.standard.entries {
      #expect(!entry.pattern.isEmpty && entry.reason.count > 20)
    }
    #expect(IgnoredTypes.none.entries.isEmpty)
    let own: IgnoredTypes = ["Shop.Cache", ""]
    #expect(own.matches("Shop.Cache") && !own.matches("Shop.Session") && own.matches("Testing.Event"))
  }
}

final class TraitCard: Sendable {}
