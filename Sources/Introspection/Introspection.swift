// What an application imports: every library module of this package, and what wires one to another.

@_exported import CallStacks
@_exported import Deconstructor
@_exported import HeapInspection
@_exported import MeasurementText
@_exported import MemoryRecording
@_exported import PerformanceTiming
@_exported import ProcessMemory
@_exported import Symbolication
@_exported import TrendAnalysis
@_exported import TrendReporting
@_exported import TypeEncodings
@_exported import TypeInterfaces
