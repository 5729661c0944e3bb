/// Plots as SVG, in the colours of the page around them.
enum Plot {
  private static let (width, height) = (720.0, 200.0)
  private static let (left, right, top, bottom) = (36.0, 8.0, 10.0, 22.0)

  /// Returns a plot of a level over time.
  static func curve(title: String, _ numbers: [Int], _ names: [String]) -> String {
    let scale = Scale(numbers.max() ?? 0)
    let step = (width - left - right) / Double(max(1, numbers.count - 1))
    let points = numbers.enumerated()
      .map { index, number in "\(text(left + Double(index) * step)),\(text(scale.y(number)))" }
    let end = text(left + Double(max(0, numbers.count - 1)) * step)
    let floor = text(height - bottom)
    let area = "\(text(left)),\(floor) " + points.joined(separator: " ") + " \(end),\(floor)"
    return figure(
      title,
      scale,
      names,
      "<g class=\"k0\"><polygon class=\"area\" points=\"\(area)\"/>"
        + "<polyline class=\"curve\" points=\"\(points.joined(separator: " "))\"/></g>"
    )
  }

  /// Returns a plot of several counts next to each other, for each period.
  static func bars(
    title: String,
    _ series: [(name: String, numbers: [Int])],
    _ names: [String]
  )
    -> String
  {
    let scale = Scale(series.flatMap(\.numbers).max() ?? 0)
    let room = (width - left - right) / Double(max(1, names.count))
    let bar = room * 0.8 / Double(max(1, series.count))
    var shapes = ""
    for (place, one) in series.enumerated() {
      for (index, number) in one.numbers.enumerated() where number > 0 {
        let x = left + Double(index) * room + room * 0.1 + Double(place) * bar
        let y = scale.y(number)
        shapes +=
          "<rect class=\"k\(place % 4) bar\" x=\"\(text(x))\" y=\"\(text(y))\" "
          + "width=\"\(text(max(0.5, bar - 0.5)))\" height=\"\(text(height - bottom - y))\">"
          + "<title>\(names[index]) \(one.name.escapedForHTML): \(number)</title></rect>"
      }
    }
    let legend = series.enumerated()
      .map { "<span class=\"k\($0 % 4)\"><b>■</b> \($1.name.escapedForHTML)</span>" }
      .joined(separator: " &nbsp; ")
    return figure(title, scale, names, shapes) + "<p class=\"legend\">\(legend)</p>"
  }

  /// Returns a plot with a bar from zero to each of two values, in milliseconds.
  static func ranges(title: String, _ rows: [(name: String, near: Double, far: Double)]) -> String {
    let most = max(0.001, rows.map(\.far).max() ?? 1)
    let line = 20.0
    let room = width - 100 - 80
    var shapes = ""
    for (index, row) in rows.enumerated() {
      let y = Double(index) * line
      let far = text(max(1, row.far / most * room))
      let near = text(max(1, row.near / most * room))
      shapes +=
        "<text x=\"92\" y=\"\(text(y + 14))\" text-anchor=\"end\">\(row.name.escapedForHTML)</text>"
        + "<g class=\"k0\"><rect class=\"area\" x=\"100\" y=\"\(text(y + 3))\" width=\"\(far)\" "
        + "height=\"14\"/><rect class=\"bar\" x=\"100\" y=\"\(text(y + 3))\" width=\"\(near)\" "
        + "height=\"14\"/></g>"
        + "<text x=\"\(text(106 + max(1, row.far / most * room)))\" y=\"\(text(y + 14))\">"
        + "\(Report.milliseconds(row.far))</text>"
    }
    let total = text(Double(rows.count) * line)
    return
      "<h2>\(title.escapedForHTML)</h2><svg viewBox=\"0 0 \(text(width)) \(total)\" role=\"img\" "
      + "aria-label=\"\(title.escapedForHTML)\">\(shapes)</svg>"
  }

  /// Returns a plot with its grid, and the names of the first, the middle and the last period.
  private static func figure(
    _ title: String,
    _ scale: Scale,
    _ names: [String],
    _ shapes: String
  ) -> String {
    var grid = ""
    for mark in scale.marks {
      let y = text(scale.y(mark))
      grid +=
        "<line class=\"grid\" x1=\"\(text(left))\" x2=\"\(text(width - right))\" y1=\"\(y)\" y2=\"\(y)\"/>"
        + "<text x=\"\(text(left - 6))\" y=\"\(y)\" dy=\"4\" text-anchor=\"end\">\(mark)</text>"
    }
    for (index, anchor) in [(0, "start"), (names.count / 2, "middle"), (names.count - 1, "end")]
    where names.indices.contains(index) && (names.count > 2 || index == 0) {
      let share = Double(index) / Double(max(1, names.count - 1))
      let x = text(left + share * (width - left - right))
      grid +=
        "<text x=\"\(x)\" y=\"\(text(height - 6))\" text-anchor=\"\(anchor)\">\(names[index])</text>"
    }
    return "<h2>\(title.escapedForHTML)</h2><svg viewBox=\"0 0 \(text(width)) \(text(height))\" "
      + "role=\"img\" aria-label=\"\(title.escapedForHTML)\">\(grid)\(shapes)</svg>"
  }

  /// Converts numbers to heights, with round marks.
  private struct Scale {
    let most: Int
    let marks: [Int]

    init(_ highest: Int) {
      var step = 1
      while highest / step > 5 { step = "\(step)".first == "2" ? step / 2 * 5 : step * 2 }
      let count = max(1, (highest + step - 1) / step)
      most = count * step
      marks = (0...count).map { $0 * step }
    }

    func y(_ number: Int) -> Double {
      height - bottom - Double(max(0, number)) / Double(most) * (height - bottom - top)
    }
  }

  /// Returns a number with one digit after the point.
  private static func text(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}
