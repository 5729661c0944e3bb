// Apple's SDKs do not have this part of the standard library's interface.
#if !canImport(Darwin)
  @_spi(Reflection) import Swift
#endif

extension Record {
  /// A stored property that no field names, and so would be lost; nil if there is none, and on Apple's systems.
  package static var unnamedProperty: String? {
    #if canImport(Darwin)
      nil
    #else
      unnamedProperty(of: Self.self, at: 0)
    #endif
  }
}

#if !canImport(Darwin)
  extension Record {
    /// Returns such a property of a type whose values are stored in the record at an offset.
    private static func unnamedProperty(of type: Any.Type, at start: Int) -> String? {
      var unnamed: String?
      _ = _forEachField(of: type) { name, offset, type, _ in
        let range = (start + offset)..<(start + offset + size(of: type))
        let inside = _table.fields.filter { range.overlaps($0.offset..<$0.offset + $0.type._size) }
        if range.isEmpty
          || inside.contains(where: { $0.offset == range.lowerBound && $0.type == type })
        {
          return true
        }
        // Either no field at all, or fields that are parts of it.
        unnamed =
          inside.isEmpty
          ? String(cString: name)
          : unnamedProperty(of: type, at: range.lowerBound).map { "\(String(cString: name)).\($0)" }
        return unnamed == nil
      }
      return unnamed
    }

    private static func size(of type: Any.Type) -> Int {
      func size<T>(_ type: T.Type) -> Int { MemoryLayout<T>.size }
      return _openExistential(type, do: size)
    }
  }
#endif
