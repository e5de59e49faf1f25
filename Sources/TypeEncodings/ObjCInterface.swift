/// An Objective-C class, put together from what the runtime or a binary says of it, to be written as its header.
///
/// Nothing here throws: what cannot be read is written as far as it goes, with a comment, and listed in ``problems``.
public struct ObjCInterface: Sendable {
  /// An instance variable.
  public struct InstanceVariable: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// Its type encoding.
    public var encoding: String

    /// An instance variable.
    public init(name: String, encoding: String) {
      self.name = name
      self.encoding = encoding
    }
  }

  /// A property.
  public struct Property: Sendable, Equatable {
    /// Its name; with `+` before it for a class property.
    public var name: String
    /// Its attributes: `T@"NSString",C,N,V_title`.
    public var attributes: String

    /// A property.
    public init(name: String, attributes: String) {
      self.name = name
      self.attributes = attributes
    }
  }

  /// A method.
  public struct Method: Sendable, Equatable {
    /// Its selector with `-` or `+` before it.
    public var selector: String
    /// Its types.
    public var types: String

    /// A method.
    public init(selector: String, types: String) {
      self.selector = selector
      self.types = types
    }
  }

  /// A protocol the class adopts.
  public struct AdoptedProtocol: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// The selectors it asks for, with `-` or `+` before them. Those of Foundation's everyday protocols are known.
    public var selectors: [String]

    /// A protocol the class adopts.
    public init(name: String, selectors: [String] = []) {
      self.name = name
      self.selectors = selectors
    }
  }

  /// A part of the class that could not be read.
  public struct Problem: Sendable, Equatable {
    /// The variable, property or method.
    public var item: String
    /// What is wrong with its encoding.
    public var error: TypeEncodingError
  }

  /// The class.
  public var className: String
  /// Its superclass; `nil` for a root class.
  public var superclassName: String?
  /// The protocols it adopts.
  public var protocols: [AdoptedProtocol]
  /// Its own instance variables.
  public var instanceVariables: [InstanceVariable]
  /// Its own properties.
  public var properties: [Property]
  /// Its own methods.
  public var methods: [Method]

  /// A class.
  public init(
    className: String, superclassName: String? = nil, protocols: [AdoptedProtocol] = [],
    instanceVariables: [InstanceVariable] = [], properties: [Property] = [], methods: [Method] = []
  ) {
    self.className = className
    self.superclassName = superclassName
    self.protocols = protocols
    self.instanceVariables = instanceVariables
    self.properties = properties
    self.methods = methods
  }
}
