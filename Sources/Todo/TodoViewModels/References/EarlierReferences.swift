import JSONText

// The references of earlier versions of requests, which recordings have.

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
