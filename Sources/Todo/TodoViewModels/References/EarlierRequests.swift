import JSONText

// Parts of earlier versions of requests, which recordings have.

extension JSON {
  /// The request with its references, the revision that the caller had read and the shown todo in one value, `id`.
  var withTarget: JSON {
    guard case .object(let members) = self else { return self }
    var target = [JSON.Member("references", self["id"]?["list"]?.plainReferences ?? .array([]))]
    if self["id"]?["isList"] == true { target.append(JSON.Member("isList", true)) }
    for (name, former) in [("seen", "expectedRevision"), ("shown", "shown")] {
      if let value = self[former], value != .null { target.append(JSON.Member(name, value)) }
    }
    let others = members.filter { !["id", "expectedRevision", "shown"].contains($0.name) }
    return .object([JSON.Member("id", .object(target))] + others)
  }

  /// The request with the references in `id` and `other` as numbers and texts.
  var withPlainReferences: JSON {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { member in
        ["id", "other"].contains(member.name)
          ? JSON.Member(member.name, member.value.plainReference) : member
      }
    )
  }

  /// The request for a list with all that it asks for in one value, `filter`.
  var withFilter: JSON {
    let conditions = ["done", "open", "overdue", "today"].filter { self[$0] == true }
    var asked = conditions.map { Self.asked($0, "meets", true) }
    func ask(_ name: String, _ field: String, _ test: String, _ value: (JSON) -> JSON? = { $0 }) {
      if let given = self[name], given != .null, given != false, let value = value(given) {
        asked.append(Self.asked(field, test, value))
      }
    }
    ask("priority", "priority", "equals")
    ask("project", "project", "equals") { $0["text"] }
    if case .array(let tags)? = self["tags"] {
      asked += tags.compactMap { $0["text"] }.map { Self.asked("tags", "has", $0) }
    }
    ask("dueBefore", "due", "isBefore")
    ask("dueAfter", "due", "isAfter")
    ask("due", "due", "isOn")
    ask("noDue", "due", "isNil")
    ask("noProject", "project", "isNil")
    ask("doneSince", "doneSince", "isSince")
    // What a person got who asked for nothing: what is open, by its date.
    let sort = self["sort"] ?? .null
    let words = self["words"] ?? .array([])
    let isBare =
      words == .array([]) && asked == [Self.asked("open", "meets", true)]
      && self["all"] != true && self["deleted"] != true
      && sort["key"] == "due" && sort["isReversed"] == false
    let filter: [JSON.Member] = [
      JSON.Member("words", words), JSON.Member("all", self["all"] ?? false),
      JSON.Member("deleted", self["deleted"] ?? false), JSON.Member("hides", .bool(isBare)),
      JSON.Member("asked", .array(isBare ? [] : asked)),
    ]
    var members = [JSON.Member("filter", .object(filter))]
    if sort != .null, !isBare { members.append(JSON.Member("sort", sort.order)) }
    for name in ["limit", "extent"] {
      if let value = self[name] { members.append(JSON.Member(name, value)) }
    }
    return .object(members)
  }

  /// The request for the rows of an open list with the order of all lists.
  var withOrder: JSON {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { $0.name == "sort" ? JSON.Member("sort", $0.value.order) : $0 }
    )
  }

  /// An order by its name.
  private var order: JSON {
    guard let key = self["key"] else { return self }
    return .object([
      JSON.Member("field", key), JSON.Member("isDescending", self["isReversed"] ?? false),
    ])
  }

  private static func asked(_ field: String, _ test: String, _ value: JSON) -> JSON {
    .object([
      JSON.Member("field", .string(field)), JSON.Member("test", .string(test)),
      // A value in a value is coded as its text.
      JSON.Member("value", .string(value.description)),
    ])
  }

  private var plainReferences: JSON {
    guard case .array(let list) = self else { return self }
    return .array(list.map(\.plainReference))
  }

  private var plainReference: JSON {
    if self["last"] != nil { return "@last" }
    if case .string(let name)? = self["named"]?["_0"] { return .string("@" + name) }
    return self["todo"]?["_0"] ?? self
  }
}
