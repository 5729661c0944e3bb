public import EventMVVM
import EventValues

extension EventStream {
  /// Reports all records of a type after each change of them, in any process; several changes at
  /// once are reported together.
  ///
  /// ```swift
  /// stream.follow(User.self, owner: shown) { shown, users, turn in shown.follow(users, turn) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - owner: The object with which the subscription ends.
  ///   - show: Called on the home thread with all records.
  public func follow<Kind: Record, Owner: AnyObject>(
    _ type: Kind.Type,
    owner: Owner,
    _ show: @escaping (Owner, [Kept<Kind>], borrowing Turn) -> Void
  ) {
    let asking = Locked((isOn: false, isStale: false))
    func ask(_ owner: Owner, _ turn: borrowing Turn) {
      turn.request(RequestRecords<Kind>.inOrder) { [weak owner] result, turn in
        let isStale = asking.withLock { asking in
          defer { asking = (asking.isStale, false) }
          return asking.isStale
        }
        guard let owner else { return }
        if let records = try? result.get().result.get() { show(owner, records, turn) }
        if isStale { ask(owner, turn) }
      }
    }
    on(ResponseRecordChanges<Kind>.self, owner: owner) { owner, event, turn in
      let isFree = asking.withLock { asking in
        defer { asking.isOn = true }
        // This process's changes before the answer's turn are in the answer; those of others may
        // have been read meanwhile.
        if asking.isOn, event.externalOrigin != nil { asking.isStale = true }
        return !asking.isOn
      }
      if isFree { ask(owner, turn) }
    }
  }
}
