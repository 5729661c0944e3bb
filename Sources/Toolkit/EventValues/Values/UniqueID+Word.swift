package import EventMVVM

extension UniqueID {
  /// Returns the UUID in a word, or the beginning of one, with or without its hyphens.
  ///
  /// - Parameter word: The typed word.
  /// - Returns: Its digits in lower case, with the hyphens at the positions of a UUID; nil if it
  ///   has none, other characters, or more than 32.
  /// - Throws: A value error if there are fewer than four digits.
  package static func beginning(_ word: String) throws(ValueError) -> String? {
    let hex = word.mayBeName ? word.lowercased().filter { $0 != "-" } : ""
    let isHex = hex.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isHex, !hex.isEmpty, hex.utf8.count <= 32 else { return nil }
    guard hex.utf8.count >= 4 else {
      throw ValueError("'\(word)' is too short; give at least four characters of a UUID")
    }
    var text = ""
    for (index, character) in hex.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(character)
    }
    return text
  }
}
