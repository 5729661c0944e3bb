/// What the feature needs of Combine, by its names; publishers here never fail.
///
/// An enum stands for the module, which is not to be had on all systems.
enum Combine {
  protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
    /// In the place of the subscribers that Combine has.
    func receive(_ receiveValue: @escaping (Output) -> Void) -> AnyCancellable
  }

  final class AnyCancellable {
    private let end: () -> Void

    init(_ cancel: @escaping () -> Void) {
      end = cancel
    }

    deinit { end() }
  }

  /// Those who listen to one value after another.
  fileprivate final class Line<Output> {
    private var bodies: [Int: (Output) -> Void] = [:]
    private var next = 0

    func send(_ value: Output) {
      for number in bodies.keys.sorted() { bodies[number]?(value) }
    }

    func receive(_ body: @escaping (Output) -> Void) -> AnyCancellable {
      let number = next
      next += 1
      bodies[number] = body
      return AnyCancellable { [weak self] in self?.bodies[number] = nil }
    }
  }

  struct PassthroughSubject<Output, Failure: Error>: Publisher {
    private let line = Line<Output>()

    func send(_ value: Output) {
      line.send(value)
    }

    func receive(_ body: @escaping (Output) -> Void) -> AnyCancellable {
      line.receive(body)
    }
  }

  @propertyWrapper
  struct Published<Value> {
    struct Publisher: Combine.Publisher {
      typealias Failure = Never
      fileprivate let cell: Cell

      func receive(_ body: @escaping (Value) -> Void) -> AnyCancellable {
        body(cell.value)
        return cell.line.receive(body)
      }
    }

    fileprivate final class Cell {
      var value: Value
      let line = Line<Value>()
      var assigned: [AnyCancellable] = []

      init(_ value: Value) {
        self.value = value
      }
    }

    var projectedValue: Publisher

    init(wrappedValue: Value) {
      projectedValue = Publisher(cell: Cell(wrappedValue))
    }

    /// Those who listen are told before the value is there, as in Combine.
    var wrappedValue: Value {
      get { projectedValue.cell.value }
      nonmutating set {
        projectedValue.cell.line.send(newValue)
        projectedValue.cell.value = newValue
      }
    }
  }

  /// What operators make.
  enum Publishers {
    struct Made<Output, Failure: Error>: Publisher {
      let listen: (@escaping (Output) -> Void) -> AnyCancellable

      func receive(_ body: @escaping (Output) -> Void) -> AnyCancellable { listen(body) }
    }
  }
}

extension Combine.Publisher {
  func sink(receiveValue: @escaping (Output) -> Void) -> Combine.AnyCancellable {
    receive(receiveValue)
  }

  func map<T>(
    _ transform: @escaping (Output) -> T
  ) -> Combine.Publishers.Made<T, Failure> {
    .init { body in receive { body(transform($0)) } }
  }

  func combineLatest<P: Combine.Publisher>(
    _ other: P
  ) -> Combine.Publishers.Made<(Output, P.Output), Failure> {
    .init { body in
      var (first, second): (Output?, P.Output?) = (nil, nil)
      func tell() {
        if let first, let second { body((first, second)) }
      }
      let ends = [
        receive {
          first = $0
          tell()
        },
        other.receive {
          second = $0
          tell()
        },
      ]
      return Combine.AnyCancellable { _ = ends }
    }
  }

  func assign(to published: inout Combine.Published<Output>.Publisher) where Failure == Never {
    let cell = published.cell
    let end = receive { [weak cell] value in
      cell?.line.send(value)
      cell?.value = value
    }
    cell.assigned.append(end)
  }
}

extension Combine.Publisher where Output: Equatable {
  func removeDuplicates() -> Combine.Publishers.Made<Output, Failure> {
    .init { body in
      var last: Output?
      return receive { value in
        guard value != last else { return }
        last = value
        body(value)
      }
    }
  }
}
