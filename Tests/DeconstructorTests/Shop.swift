import Foundation

// A small shop: the values that the golden files show.

class Record {
  let createdAt = Date(timeIntervalSinceReferenceDate: 817_636_364)
  var revision = 3
}

struct Line {
  var sku: String
  var quantity: Int
}

enum Status {
  case open
  case shipped(at: Date)
  case returned(Int, reason: String)
  indirect case disputed(Status)
}

struct Money {
  var cents: Int
  var currency: String
}

final class Customer {
  let name: String
  var email: String?
  var orders: [Order] = []
  weak var latest: Order?
  unowned let shop: Shop

  init(_ name: String, _ shop: Shop) {
    self.name = name
    self.shop = shop
  }
}

final class Shop {
  let title = "Corner"
  var stock: [String: Int] = [:]
}

final class Order: Record {
  let id: Int
  var customer: Customer
  var lines: [Line] = []
  var status = Status.open
  var discount: Double?
  lazy var total: Int = lines.reduce(0) { $0 + $1.quantity }
  var onChange: ((Order) -> Void)?
  var payment: any Payment
  var tags: Set<String> = []
  var previous: Order?

  init(_ id: Int, _ customer: Customer) {
    self.id = id
    self.customer = customer
    payment = Card(number: "4111111111111111", holder: customer.name)
  }
}

protocol Payment {}

struct Card: Payment {
  var number: String
  var holder: String
}

extension Shop {
  /// A graph of thirty fields with one retain cycle in it: the closure of an order that captures the order.
  static func example() -> (shop: Shop, order: Order) {
    let shop = Shop()
    // Made at run time, so that no build keeps them as constants: their memory is part of what is shown.
    for (index, name) in ["apple", "pear", "plum"].enumerated() { shop.stock[name] = (index + 1) * 4 }
    let customer = Customer("A. Customer", shop)
    let order = Order(42, customer)
    for (index, sku) in ["A-1", "B-7", "B-7"].enumerated() { order.lines.append(Line(sku: sku, quantity: index + 1)) }
    order.status = .shipped(at: Date(timeIntervalSinceReferenceDate: 817_812_000))
    for tag in ["new", "gift"] { order.tags.insert(tag) }
    customer.latest = order
    order.onChange = { changed in
      order.revision += 1
      changed.discount = nil
    }
    let previous = Order(41, customer)
    previous.lines = order.lines
    previous.status = .disputed(.returned(2, reason: "too \"small\""))
    previous.discount = 0.25
    order.previous = previous
    return (shop, order)
  }
}
