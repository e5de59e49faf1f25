import Symbolication
import Testing

@Suite("function names")
struct FunctionNameTests {
  @Test(
    "as one would say them",
    arguments: [
      ("$s7a_debug4BankC5inneryS2iYaFTY2_", "Bank.inner(_:)", FunctionName.Role.function),
      ("$s4main7CounterC3incSiyF", "Counter.inc()", .function),
      ("$s4main7ProgramV5$mainyyYaFZTQ0_", "static Program.$main()", .function),
      (
        "_ZN5swift34runJobInEstablishedExecutorContextEPNS_3JobE", "swift::runJobInEstablishedExecutorContext", .runtime
      ),
      ("_ZN1a1b1SclEif", "a::b::S::operator()", .function), ("_ZNK1a1fEv", "a::f", .function),
      ("__libc_start_main@@GLIBC_2.34", "__libc_start_main", .runtime), ("__GI___clone3", "__clone3", .runtime),
      ("epoll_wait", "epoll_wait", .function), ("_dispatch_worker_thread", "_dispatch_worker_thread", .runtime),
      ("async_MainTQ0_", "async_Main", .runtime), ("swift_retain", "swift_retain", .runtime),
      (
        // A closure that was propagated into a specialization: the demangler leaves a bracket of it open.
        "$s4main3BoxV3mapyACyqd__Gqd__xXElFSi_SiTg547$s4main009Gre_GkaIiV8berechne3mitS2i_tFS2iXEfU_Tf1cn_n",
        "Box.map(_:)", .function
      ),
      ("@", "@", .function), ("", "", .function), ("$s", "$s", .function),
    ])
  func short(symbol: String, short: String, role: FunctionName.Role) {
    let name = FunctionName(symbol)
    #expect(name.short == short)
    #expect(name.role == role)
    #expect(name.symbol == symbol)
    #expect(FunctionNames.shared.name(of: symbol) == name)
  }

  @Test("what the compiler made is told apart")
  func thunks() {
    for symbol in ["$sIeg_ytIegr_TR", "$s4main1fyyFyycfU_TA"] {
      #expect(FunctionName(symbol).role == .thunk, "\(FunctionName(symbol).full)")
    }
  }
}
