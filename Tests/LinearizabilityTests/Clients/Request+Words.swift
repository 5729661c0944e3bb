import JSONText

extension Request {
  /// The words of a command.
  var words: [String] {
    switch self {
    case .add(let title): ["add", title]
    case .edit(let number, let field, let value, let seen):
      ["edit", "\(number)", field == .tags ? "--tag" : "--\(field)", value]
        + (seen.map { ["--expected-revision", "\($0)"] } ?? [])
    case .complete(let number, let isComplete): [isComplete ? "done" : "reopen", "\(number)"]
    case .delete(let number, let isDeleted): [isDeleted ? "delete" : "restore", "\(number)"]
    case .script: ["run", "-"]
    case .undo: ["undo"]
    case .redo: ["redo"]
    case .list: ["list", "--all"]
    case .show(let number): ["show", "\(number)"]
    }
  }

  /// What a script reads.
  var input: [String] {
    guard case .script(let lines, let isDoomed) = self else { return [] }
    return lines.map { $0.words.joined(separator: " ") } + (isDoomed ? ["done 999999"] : [])
  }

  /// A method of the server and its parameters.
  var call: (method: String, params: String) {
    switch self {
    case .add(let title): ("todo/add", #"{"title":"\#(title)"}"#)
    case .edit(let number, let field, let value, let seen):
      (
        "todo/edit",
        #"{"id":\#(number),"\#(field)":"\#(value)""#
          + (seen.map { #","expectedRevision":\#($0)}"# } ?? "}")
      )
    case .complete(let number, let isComplete):
      (isComplete ? "todo/done" : "todo/reopen", #"{"id":\#(number)}"#)
    case .delete(let number, let isDeleted):
      (isDeleted ? "todo/delete" : "todo/restore", #"{"ids":[\#(number)]}"#)
    case .undo, .redo: ("history/\(words[0])", "{}")
    case .show(let number): ("todo/show", #"{"id":\#(number)}"#)
    case .list, .script: ("todo/list", #"{"all":true}"#)
    }
  }
}

extension Operation.Answer {
  /// Reads the results of one request.
  init(results: [JSON]) {
    if let step = results.first?["step"]?.number {
      self = .reverted(step)
      return
    }
    let todos = results.flatMap { result in
      guard case .array(let elements) = result else { return [Todo(result)] }
      return elements.map(Todo.init).sorted { $0.number < $1.number }
    }
    self = .todos(todos)
  }

  /// Reads an error: the object with `kind` and `message`.
  init(error: JSON) {
    let message = error["message"]?.text ?? "\(error)"
    let field = error["field"]?.text.flatMap(Request.Field.init)
    switch (error["kind"]?.text, error["id"]?.number, field) {
    case ("conflict", let number?, let field?):
      self = .refused(.conflict(number, field, actual: error["actual"]?.text ?? ""))
    case ("notFound", let number?, _): self = .refused(.notFound(number))
    case ("notFound", nil, _) where message.hasPrefix("There is nothing to "):
      self = .refused(.nothingToRevert)
    case ("store", _, _) where message.contains("is locked by another process"):
      self = .refused(.locked)
    default: self = .refused(.other(message))
    }
  }
}

extension Todo {
  /// Reads what the program prints of a todo.
  init(_ json: JSON) {
    self.init(number: json["id"]?.number ?? -1, revision: json["revision"]?.number ?? -1)
    title = json["title"]?.text ?? ""
    subtitle = json["subtitle"]?.text ?? ""
    isComplete = json["complete"] == .bool(true)
    isDeleted = json["deleted"] == .bool(true)
    if case .array(let names) = json["tags"] { tags = Set(names.compactMap(\.text)) }
  }
}
