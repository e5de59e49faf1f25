// Floor 4, walk: the forms of one deconstruction.
import SwiftMetadata

/// Forms by number; 0 is none.
struct FormTable: ~Copyable {
  private(set) var forms = PlainTable<Form>()
  private(set) var steps = PlainTable<Step>()
  /// The plan of each form.
  private(set) var plans: [TypePlan?] = [nil]
  /// How the elements of a known collection are reached.
  private(set) var collections: [(any KnownCollection.Type)?] = [nil]
  private var numbers: [TypeMetadata: UInt32] = [:]
  private let options: DeconstructionOptions

  init(_ options: DeconstructionOptions) {
    self.options = options
    forms.append(Form())
  }

  @inline(__always)
  subscript(_ number: UInt32) -> Form { forms[Int(number)] }

  func plan(_ number: UInt32) -> TypePlan? { plans[Int(number)] }

  /// The types of a program's own that values were met of, in the order in which they were.
  var declaredTypes: [Any.Type] {
    (0..<plans.count).compactMap { number in
      guard let plan = plans[number], !plan.qualifiedName.hasPrefix("Swift."),
        !plan.qualifiedName.hasPrefix("Foundation")
      else { return nil }
      switch forms[number].handling {
      case .fields where forms[number].isTuple: return nil
      case .fields, .enumeration, .object, .custom, .mirrored, .describedObject, .customObject, .mirroredObject,
        .stripped:
        return plan.metadata.type
      default: return nil
      }
    }
  }

  /// The number of a type's form. Its parts are looked at when a value of it is.
  mutating func number(of plan: TypePlan, _ names: inout NameTable) -> UInt32 {
    if let known = numbers[plan.metadata] { return known }
    let number = UInt32(truncatingIfNeeded: forms.count)
    var form = Form()
    form.name = names.number(of: plan.name)
    form.size = plan.metadata.size
    form.stride = plan.metadata.stride
    form.metadata = plan.metadata.pointer
    forms.append(form)
    plans.append(plan)
    collections.append(nil)
    numbers[plan.metadata] = number
    return number
  }

  mutating func number(of metadata: TypeMetadata, _ names: inout NameTable) -> UInt32 {
    numbers[metadata] ?? number(of: TypePlan.of(metadata), &names)
  }

  /// Decides what is done with values of a form.
  @inline(never)
  mutating func decide(_ number: UInt32, _ names: inout NameTable) {
    guard let plan = plans[Int(number)], forms[Int(number)].handling == .undecided else { return }
    var form = forms[Int(number)]
    form.handling = handling(plan, number, &form, &names)
    forms[Int(number)] = form
  }

  private mutating func handling(
    _ plan: TypePlan, _ number: UInt32, _ form: inout Form, _ names: inout NameTable
  ) -> Form.Handling {
    if isRedacted(plan) { return .redacted }
    guard plan.metadata.isCopyable else { return .noncopyable }
    let isRaw = options.view == .raw
    if !isRaw, let own = OwnForm.of(plan) {
      switch own {
      case .custom: return plan.metadata.kind == .class ? .customObject : .custom
      case .mirrored: return plan.metadata.kind == .class ? .mirroredObject : .mirrored
      }
    }
    if plan.metadata == TypeMetadata(AnyHashable.self) { return .anyHashable }
    if let collection = plan.metadata.type as? any KnownCollection.Type {
      collections[Int(number)] = collection
      form.inner = self.number(of: TypePlan.of(collection.elementType), &names)
      return collection.handling
    }
    if let leaf = LeafTypes.handling(of: plan, isRaw: isRaw) { return leaf }
    return shapeHandling(plan, &form, &names)
  }

  private func isRedacted(_ plan: TypePlan) -> Bool {
    !options.redactedTypes.isEmpty
      && (options.redactedTypes.contains(plan.name) || options.redactedTypes.contains(plan.qualifiedName))
  }

  private mutating func shapeHandling(
    _ plan: TypePlan, _ form: inout Form, _ names: inout NameTable
  ) -> Form.Handling {
    switch plan.shape {
    case .structure(let fields):
      // An inline array is a struct around the one type that has elements in a row.
      if plan.qualifiedName.hasPrefix("Swift.InlineArray<"), let storage = fields.first?.type,
        case .fixedArray = storage.shape
      {
        return shapeHandling(storage, &form, &names)
      }
      addSteps(fields, size: form.size, &form, &names)
      return .fields
    case .tuple(let fields):
      form.isTuple = true
      addSteps(fields, size: form.size, &form, &names)
      return .fields
    case .object(let fields):
      form.isStripped = !plan.strippedModules.isEmpty
      addSteps(fields, size: plan.metadata.instanceSize, &form, &names)
      return .object
    case .enumeration(let cases):
      addSteps(cases, &form, &names)
      return .enumeration
    case .optional(let wrapped):
      form.inner = number(of: wrapped, &names)
      return .optional
    case .fixedArray(let count, let element):
      form.inner = number(of: element, &names)
      form.stepCount = UInt32(clamping: count)
      return .fixedArray
    case .existential(.opaque): return .opaqueExistential
    case .existential(.object): return .objectExistential
    case .existential(.error): return .errorExistential
    case .metatype(let instance):
      if let instance { form.inner = number(of: instance, &names) }
      return .metatype
    case .existentialMetatype: return .existentialMetatype
    case .function: return .function
    case .foreign: return .foreign
    case .stripped: return .stripped
    case .opaque: return plan.qualifiedName == "Builtin.NativeObject" ? .heapReference : .opaque
    }
  }

  private mutating func addSteps(
    _ fields: [FieldPlan], size: Int, _ form: inout Form, _ names: inout NameTable
  ) {
    let steps = fields.filter { options.view == .raw || $0.storage != .hidden }
      .map { step($0, &names) }
    // Padding goes by place, not by the order in which fields are shown.
    let starts = fields.map(\.offset).filter { $0 >= 0 }.sorted()
    form.firstStep = UInt32(truncatingIfNeeded: self.steps.count)
    form.stepCount = UInt32(truncatingIfNeeded: steps.count)
    for var step in steps {
      let end = step.offset &+ forms[Int(step.form)].size
      let next = starts.first { $0 >= end && $0 > step.offset } ?? (size > 0 ? size : end)
      step.padding = UInt32(clamping: max(0, next &- end))
      self.steps.append(step)
    }
  }

  private mutating func step(_ field: FieldPlan, _ names: inout NameTable) -> Step {
    let isRaw = options.view == .raw
    var step = Step(isLet: !field.isVariable, offset: field.offset)
    let name = isRaw ? field.storageName : field.name
    step.name = names.number(of: name)
    if let owner = field.owner { step.owner = names.number(of: owner.name) }
    guard let type = field.type else {
      step.access = field.isNoncopyable ? .noncopyable : .unresolved
      return step
    }
    step.form = number(of: type, &names)
    switch field.ownership {
    case .weak: step.access = .weak
    case .unowned: step.access = .unowned
    case .unmanaged: step.access = .unmanaged
    case .strong: if field.storage == .lazy, !isRaw { step.access = .lazy }
    }
    if options.redactedNames.contains(field.name) || options.redactedNames.contains(field.storageName) {
      step.access = .redacted
    }
    // A wrapper that holds the value and nothing else is read through; one with more to it is shown whole.
    if field.storage == .wrapper, !isRaw {
      step.wrapper = names.number(of: type.name.prefix { $0 != "<" }.description)
      if case .structure(let inner) = type.shape, inner.count == 1, let value = type.wrappedField?.type {
        step.form = number(of: value, &names)
        step.offset += inner[0].offset
      }
    }
    return step
  }

  private mutating func addSteps(_ cases: [CasePlan], _ form: inout Form, _ names: inout NameTable) {
    form.firstStep = UInt32(truncatingIfNeeded: steps.count)
    form.stepCount = UInt32(truncatingIfNeeded: cases.count)
    form.needsProjection = cases.filter { if case .none = $0.payload { false } else { true } }.count > 1
    for plan in cases {
      var step = Step(isIndirect: plan.isIndirect, name: names.number(of: plan.name))
      switch plan.payload {
      case .none: break
      case .value(let type):
        step.hasPayload = true
        step.form = number(of: type, &names)
      case .unresolved:
        step.hasPayload = true
        step.access = .unresolved
      }
      steps.append(step)
    }
  }
}
