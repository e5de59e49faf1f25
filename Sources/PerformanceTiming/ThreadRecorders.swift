import CTimingSupport

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The recorders of one thread, one for each timer it has used; the thread's own, and gone when it ends.
final class ThreadRecorders {
  private var recorders: [ThreadRecorder] = []

  /// Hands the recordings of an ending thread over.
  private static let atThreadEnd: pthread_key_t? = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { pointer in
      guard let pointer else { return }
      // What destructors that run later measure gets a new list, and a new call of this one.
      cts_set_recorders(nil)
      cts_set_recorder(0, nil)
      Unmanaged<ThreadRecorders>.fromOpaque(pointer).takeRetainedValue().retire()
    }
    return code == 0 ? key : nil
  }()

  /// Those of this thread.
  static var current: ThreadRecorders {
    if let known = cts_recorders() { return Unmanaged<ThreadRecorders>.fromOpaque(known).takeUnretainedValue() }
    let made = Unmanaged.passRetained(ThreadRecorders())
    cts_set_recorders(made.toOpaque())
    if let key = atThreadEnd { pthread_setspecific(key, made.toOpaque()) }
    return made.takeUnretainedValue()
  }

  @inline(never)
  func recorder(of core: TimerCore) -> ThreadRecorder {
    let recorder = recorders.first { $0.core === core } ?? make(core)
    cts_set_recorder(core.number, recorder.local.opaque)
    return recorder
  }

  private func make(_ core: TimerCore) -> ThreadRecorder {
    // Timers that are gone are let go here, so that making timers again and again does not add up.
    recorders.removeAll { $0.core.isClosed }
    let recorder = ThreadRecorder(core)
    recorders.append(recorder)
    core.add(recorder)
    return recorder
  }

  private func retire() { for recorder in recorders { recorder.core.retire(recorder) } }
}
