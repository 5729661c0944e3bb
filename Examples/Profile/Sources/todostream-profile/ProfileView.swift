import EventCommands

// The views: they show what they are bound to, and know neither models nor controllers (S88).

extension ProfileDisplay: EncodedResult {
  func show(on page: inout Page) {
    page.write("#\(id) ", .dim)
    page.write(user: name, .bold)
    if isRefreshing { page.write("  refreshing", .dim) }
    page.endLine()
    page.write(friends)
    page.endLine()
    switch avatar.kind {
    case .placeholder: page.write("(no image)", .dim)
    case .image: page.write("image of \(avatar.width ?? 0) × \(avatar.height ?? 0)")
    case .error: page.write("(no image)", .red)
    }
    if let problem = problem {
      page.write("  ")
      page.write(user: problem, .red)
    }
    page.endLine()
  }
}

extension UsersDisplay: EncodedResult {
  func show(on page: inout Page) {
    for row in users {
      page.write("#\(row.id) ", .dim)
      page.write(user: row.name)
      page.endLine()
    }
  }
}
