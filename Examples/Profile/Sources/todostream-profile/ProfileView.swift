import EventCommands

// The views: they show the states that they are bound to, and depend on neither models nor
// controllers (S88).

extension ProfileDisplay: EncodedResult {
  func show(on page: inout Page) {
    page.write("#\(id) ", .secondary)
    page.write(user: name, .prominent)
    if isRefreshing { page.write("  refreshing", .secondary) }
    page.endLine()
    page.write(friends)
    page.endLine()
    switch avatar.kind {
    case .placeholder: page.write("(no image)", .secondary)
    case .image: page.write("image of \(avatar.width ?? 0) × \(avatar.height ?? 0)")
    case .error: page.write("(no image)", .urgent)
    }
    if let problem = problem {
      page.write("  ")
      page.write(user: problem, .urgent)
    }
    page.endLine()
  }
}

extension UsersDisplay: EncodedResult {
  func show(on page: inout Page) {
    for row in users {
      page.write("#\(row.id) ", .secondary)
      page.write(user: row.name)
      page.endLine()
    }
  }
}
