extension String {
  /// The form for searching and sorting: without case and without the marks of letters, so that
  /// `apfel` finds `Äpfel`, which comes before `Zoo`.
  ///
  /// Case goes by Unicode's full mappings, so `STRASSE` is `Straße`; the marks are those of Latin,
  /// Greek and Cyrillic (U+0300–036F), and `ø`, `ł`, `æ` and their like are their letters. A text of
  /// marks alone keeps them. Stored in each record that is searched: what changes here changes
  /// ``SearchForm/version``.
  public var searchForm: String {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return lowercased() }
    // Through the upper case, in which ß is SS, and both forms of a final sigma are one.
    let text = composed.uppercased().lowercased()
    var result = UnicodeScalarView()
    for scalar in text.unicodeScalars { SearchForm.append(scalar, to: &result) }
    return result.isEmpty ? text : String(result)
  }

  /// The text with letters and the marks after them composed where Unicode has a character for
  /// both: `e` and U+0301 become `é`.
  ///
  /// The primary composition of Unicode (UAX #15), with Hangul, for texts whose marks are in order,
  /// as keyboards and file systems write them. It is no full normalisation: nothing is decomposed
  /// or reordered, so it always takes time in proportion to the length.
  public var composed: String {
    // Composing marks begin with the byte CC or a greater one; most texts have none.
    guard utf8.contains(where: { $0 >= 0xCC }), unicodeScalars.contains(where: Composition.mayJoin)
    else { return self }
    var result = UnicodeScalarView()
    var composition = Composition()
    for scalar in unicodeScalars { composition.take(scalar, &result) }
    composition.end(&result)
    return String(result)
  }
}

/// The letters that a search takes for others.
package enum SearchForm {
  /// The version of the form; part of the signature of a table whose records store it.
  static let version: UInt8 = 2

  fileprivate static func append(
    _ scalar: Unicode.Scalar,
    to result: inout String.UnicodeScalarView
  ) {
    guard scalar.value >= 0xC0 else { return result.append(scalar) }
    guard !(0x300...0x36F).contains(scalar.value) else { return }
    var letter = scalar
    while let simple = letters[letter] { letter = simple }
    if let several = spelled[letter] {
      result.append(contentsOf: several.unicodeScalars)
    } else {
      result.append(letter)
    }
  }

  /// The letter in each letter with a mark.
  private static let letters: [Unicode.Scalar: Unicode.Scalar] = {
    var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
    for (pair, joined) in Composition.pairs where (0x300...0x36F).contains(pair & 0xFFFF_FFFF) {
      letters[joined] = Unicode.Scalar(UInt32(pair >> 32))
    }
    return letters
  }()

  /// The spelling of letters that Unicode does not decompose.
  package static let spelled: [Unicode.Scalar: String] = [
    "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe",
  ]
}

/// Composes characters, one after the other.
private struct Composition {
  /// The last base character, not yet written, and the marks after it that are not composed with
  /// it.
  private var starter: Unicode.Scalar?
  private var marks: [Unicode.Scalar] = []
  /// The combining class of the last mark that was not composed; marks after one of the same class
  /// are blocked.
  private var blocked: UInt8 = 0

  mutating func take(_ scalar: Unicode.Scalar, _ result: inout String.UnicodeScalarView) {
    let order = scalar.properties.canonicalCombiningClass.rawValue
    let isBlocked = !marks.isEmpty && (order == 0 || blocked >= order)
    if let starter, !isBlocked, let joined = Self.join(starter, scalar) {
      self.starter = joined
    } else if order == 0 {
      end(&result)
      starter = scalar
    } else {
      marks.append(scalar)
      blocked = order
    }
  }

  /// Writes the rest.
  mutating func end(_ result: inout String.UnicodeScalarView) {
    if let starter { result.append(starter) }
    result.append(contentsOf: marks)
    starter = nil
    marks.removeAll(keepingCapacity: true)
    blocked = 0
  }

  /// Whether a character may compose with one before it; true for few that don't.
  static func mayJoin(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300, 0x346..<0x653, 0x656..<0x93C, 0x11C3..<0x1B35, 0x1B36..<0x3099,
      0x309B..<0x110BA:
      false
    default: scalar.value < 0x11931
    }
  }

  private static func join(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    joinHangul(first.value, second.value)
      ?? (mayJoin(second) ? pairs[UInt64(first.value) << 32 | UInt64(second.value)] : nil)
  }

  /// Joins the parts of a Korean syllable (The Unicode Standard, §3.12).
  private static func joinHangul(_ first: UInt32, _ second: UInt32) -> Unicode.Scalar? {
    switch (first, second) {
    case (0x1100...0x1112, 0x1161...0x1175):
      Unicode.Scalar(0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28)
    case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (first - 0xAC00) % 28 == 0:
      Unicode.Scalar(first + second - 0x11A7)
    default: nil
    }
  }

  fileprivate static let pairs: [UInt64: Unicode.Scalar] = {
    var pairs: [UInt64: Unicode.Scalar] = [:]
    for (mark, letters) in table {
      let letters = Array(letters.unicodeScalars)
      for index in stride(from: 0, to: letters.count - 1, by: 2) {
        pairs[UInt64(letters[index].value) << 32 | mark] = letters[index + 1]
      }
    }
    return pairs
  }()

  /// The letters with which each mark composes, each with the result (UnicodeData.txt, without
  /// the exclusions of CompositionExclusions.txt).
  private static let table: [(mark: UInt64, letters: String)] = [
    (
      0x300,
      "AÀEÈIÌNǸOÒUÙWẀYỲaàeèiìnǹoòuùwẁyỳ¨῭ÂẦÊỀÔỒÜǛâầêềôồüǜĂẰăằĒḔēḕŌṐōṑƠỜơờƯỪưừΑᾺΕῈΗῊ"
        + "ΙῚΟῸΥῪΩῺαὰεὲηὴιὶοὸυὺωὼϊῒϋῢЕЀИЍеѐиѝἀἂἁἃἈἊἉἋἐἒἑἓἘἚἙἛἠἢἡἣἨἪἩἫἰἲἱἳἸἺἹἻὀὂὁὃὈὊὉὋὐὒ"
        + "ὑὓὙὛὠὢὡὣὨὪὩὫ᾿῍῾῝"
    ),
    (
      0x301,
      "AÁCĆEÉGǴIÍKḰLĹMḾNŃOÓPṔRŔSŚUÚWẂYÝZŹaácćeégǵiíkḱlĺmḿnńoópṕrŕsśuúwẃyýzź¨΅ÂẤÅǺÆǼ"
        + "ÇḈÊẾÏḮÔỐÕṌØǾÜǗâấåǻæǽçḉêếïḯôốõṍøǿüǘĂẮăắĒḖēḗŌṒōṓŨṸũṹƠỚơớƯỨưứΑΆΕΈΗΉΙΊΟΌΥΎΩΏαάεέ"
        + "ηήιίοόυύωώϊΐϋΰϒϓГЃКЌгѓкќἀἄἁἅἈἌἉἍἐἔἑἕἘἜἙἝἠἤἡἥἨἬἩἭἰἴἱἵἸἼἹἽὀὄὁὅὈὌὉὍὐὔὑὕὙὝὠὤὡὥὨὬ"
        + "ὩὭ᾿῎῾῞"
    ),
    (0x302, "AÂCĈEÊGĜHĤIÎJĴOÔSŜUÛWŴYŶZẐaâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷzẑẠẬạậẸỆẹệỌỘọộ"),
    (0x303, "AÃEẼIĨNÑOÕUŨVṼYỸaãeẽiĩnñoõuũvṽyỹÂẪÊỄÔỖâẫêễôỗĂẴăẵƠỠơỡƯỮưữ"),
    (
      0x304,
      "AĀEĒGḠIĪOŌUŪYȲaāeēgḡiīoōuūyȳÄǞÆǢÕȬÖȪÜǕäǟæǣõȭöȫüǖǪǬǫǭȦǠȧǡȮȰȯȱΑᾹΙῙΥῩαᾱιῑυῡИӢУӮ"
        + "иӣуӯḶḸḷḹṚṜṛṝ"
    ),
    (0x306, "AĂEĔGĞIĬOŎUŬaăeĕgğiĭoŏuŭȨḜȩḝΑᾸΙῘΥῨαᾰιῐυῠАӐЕӖЖӁИЙУЎаӑеӗжӂийуўẠẶạặ"),
    (
      0x307,
      "AȦBḂCĊDḊEĖFḞGĠHḢIİMṀNṄOȮPṖRṘSṠTṪWẆXẊYẎZŻaȧbḃcċdḋeėfḟgġhḣmṁnṅoȯpṗrṙsṡtṫwẇxẋyẏ"
        + "zżŚṤśṥŠṦšṧſẛṢṨṣṩ"
    ),
    (
      0x308,
      "AÄEËHḦIÏOÖUÜWẄXẌYŸaäeëhḧiïoötẗuüwẅxẍyÿÕṎõṏŪṺūṻΙΪΥΫιϊυϋϒϔІЇАӒЕЁЖӜЗӞИӤОӦУӰЧӴЫӸ"
        + "ЭӬаӓеёжӝзӟиӥоӧуӱчӵыӹэӭіїӘӚәӛӨӪөӫ"
    ),
    (0x309, "AẢEẺIỈOỎUỦYỶaảeẻiỉoỏuủyỷÂẨÊỂÔỔâẩêểôổĂẲăẳƠỞơởƯỬưử"),
    (0x30A, "AÅUŮaåuůwẘyẙ"),
    (0x30B, "OŐUŰoőuűУӲуӳ"),
    (0x30C, "AǍCČDĎEĚGǦHȞIǏKǨLĽNŇOǑRŘSŠTŤUǓZŽaǎcčdďeěgǧhȟiǐjǰkǩlľnňoǒrřsštťuǔzžÜǙüǚƷǮʒǯ"),
    (0x30F, "AȀEȄIȈOȌRȐUȔaȁeȅiȉoȍrȑuȕѴѶѵѷ"),
    (0x311, "AȂEȆIȊOȎRȒUȖaȃeȇiȋoȏrȓuȗ"),
    (0x313, "ΑἈΕἘΗἨΙἸΟὈΩὨαἀεἐηἠιἰοὀρῤυὐωὠ"),
    (0x314, "ΑἉΕἙΗἩΙἹΟὉΡῬΥὙΩὩαἁεἑηἡιἱοὁρῥυὑωὡ"),
    (0x31B, "OƠUƯoơuư"),
    (
      0x323,
      "AẠBḄDḌEẸHḤIỊKḲLḶMṂNṆOỌRṚSṢTṬUỤVṾWẈYỴZẒaạbḅdḍeẹhḥiịkḳlḷmṃnṇoọrṛsṣtṭuụvṿwẉyỵzẓ"
        + "ƠỢơợƯỰưự"
    ),
    (0x324, "UṲuṳ"),
    (0x325, "AḀaḁ"),
    (0x326, "SȘTȚsștț"),
    (0x327, "CÇDḐEȨGĢHḨKĶLĻNŅRŖSŞTŢcçdḑeȩgģhḩkķlļnņrŗsştţ"),
    (0x328, "AĄEĘIĮOǪUŲaąeęiįoǫuų"),
    (0x32D, "DḒEḘLḼNṊTṰUṶdḓeḙlḽnṋtṱuṷ"),
    (0x32E, "HḪhḫ"),
    (0x330, "EḚIḬUṴeḛiḭuṵ"),
    (0x331, "BḆDḎKḴLḺNṈRṞTṮZẔbḇdḏhẖkḵlḻnṉrṟtṯzẕ"),
    (
      0x338,
      "\u{3C}≮\u{3D}≠\u{3E}≯←↚→↛↔↮⇐⇍⇒⇏⇔⇎∃∄∈∉∋∌∣∤∥∦∼≁≃≄≅≇≈≉≍≭≡≢≤≰≥≱≲≴≳≵≶≸≷≹≺⊀≻⊁≼⋠≽⋡"
        + "⊂⊄⊃⊅⊆⊈⊇⊉⊑⋢⊒⋣⊢⊬⊨⊭⊩⊮⊫⊯⊲⋪⊳⋫⊴⋬⊵⋭"
    ),
    (0x342, "¨῁αᾶηῆιῖυῦωῶϊῗϋῧἀἆἁἇἈἎἉἏἠἦἡἧἨἮἩἯἰἶἱἷἸἾἹἿὐὖὑὗὙὟὠὦὡὧὨὮὩὯ᾿῏῾῟"),
    (
      0x345,
      "ΑᾼΗῌΩῼάᾴήῄαᾳηῃωῳώῴἀᾀἁᾁἂᾂἃᾃἄᾄἅᾅἆᾆἇᾇἈᾈἉᾉἊᾊἋᾋἌᾌἍᾍἎᾎἏᾏἠᾐἡᾑἢᾒἣᾓἤᾔἥᾕἦᾖἧᾗἨᾘἩᾙἪᾚἫᾛἬᾜ"
        + "ἭᾝἮᾞἯᾟὠᾠὡᾡὢᾢὣᾣὤᾤὥᾥὦᾦὧᾧὨᾨὩᾩὪᾪὫᾫὬᾬὭᾭὮᾮὯᾯὰᾲὴῂὼῲᾶᾷῆῇῶῷ"
    ),
    (0x653, "\u{627}\u{622}"),
    (
      0x654,
      "\u{627}\u{623}\u{648}\u{624}\u{64A}\u{626}\u{6C1}\u{6C2}\u{6D2}\u{6D3}"
        + "\u{6D5}\u{6C0}"
    ),
    (0x655, "\u{627}\u{625}"),
    (0x93C, "\u{928}\u{929}\u{930}\u{931}\u{933}\u{934}"),
    (0x9BE, "\u{9C7}\u{9CB}"),
    (0x9D7, "\u{9C7}\u{9CC}"),
    (0xB3E, "\u{B47}\u{B4B}"),
    (0xB56, "\u{B47}\u{B48}"),
    (0xB57, "\u{B47}\u{B4C}"),
    (0xBBE, "\u{BC6}\u{BCA}\u{BC7}\u{BCB}"),
    (0xBD7, "\u{B92}\u{B94}\u{BC6}\u{BCC}"),
    (0xC56, "\u{C46}\u{C48}"),
    (0xCC2, "\u{CC6}\u{CCA}"),
    (0xCD5, "\u{CBF}\u{CC0}\u{CC6}\u{CC7}\u{CCA}\u{CCB}"),
    (0xCD6, "\u{CC6}\u{CC8}"),
    (0xD3E, "\u{D46}\u{D4A}\u{D47}\u{D4B}"),
    (0xD57, "\u{D46}\u{D4C}"),
    (0xDCA, "\u{DD9}\u{DDA}\u{DDC}\u{DDD}"),
    (0xDCF, "\u{DD9}\u{DDC}"),
    (0xDDF, "\u{DD9}\u{DDE}"),
    (0x102E, "\u{1025}\u{1026}"),
    (
      0x1B35,
      "\u{1B05}\u{1B06}\u{1B07}\u{1B08}\u{1B09}\u{1B0A}\u{1B0B}\u{1B0C}"
        + "\u{1B0D}\u{1B0E}\u{1B11}\u{1B12}\u{1B3A}\u{1B3B}\u{1B3C}\u{1B3D}"
        + "\u{1B3E}\u{1B40}\u{1B3F}\u{1B41}\u{1B42}\u{1B43}"
    ),
    (
      0x3099,
      "うゔかがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼゝゞウヴカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデトド"
        + "ハバヒビフブヘベホボワヷヰヸヱヹヲヺヽヾ"
    ),
    (0x309A, "はぱひぴふぷへぺほぽハパヒピフプヘペホポ"),
    (0x110BA, "\u{11099}\u{1109A}\u{1109B}\u{1109C}\u{110A5}\u{110AB}"),
    (0x11127, "\u{11131}\u{1112E}\u{11132}\u{1112F}"),
    (0x1133E, "\u{11347}\u{1134B}"),
    (0x11357, "\u{11347}\u{1134C}"),
    (0x114B0, "\u{114B9}\u{114BC}"),
    (0x114BA, "\u{114B9}\u{114BB}"),
    (0x114BD, "\u{114B9}\u{114BE}"),
    (0x115AF, "\u{115B8}\u{115BA}\u{115B9}\u{115BB}"),
    (0x11930, "\u{11935}\u{11938}"),
  ]
}
