/// Returns the days from 1970-01-01 to a date of the proleptic Gregorian calendar.
///
/// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`. Years start in
/// March there, so that the leap day is their last; an era is 400 years, which have 146 097 days.
func daysFromCivil(year: Int, month: Int, day: Int) -> Int {
  let shifted = month > 2 ? year : year - 1
  let era = (shifted >= 0 ? shifted : shifted - 399) / 400
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
  let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/// Returns the date that many days after 1970-01-01; the inverse of `daysFromCivil`.
///
/// Howard Hinnant, the same source, `civil_from_days`. Good for every day an `Instant` can be in.
func civilFromDays(_ days: Int) -> (year: Int, month: Int, day: Int) {
  let shifted = days + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
}

/// Returns the number of days in a month 1…12 of a year.
func daysInMonth(_ month: Int, ofYear year: Int) -> Int {
  switch month {
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

extension Int64 {
  /// Divides rounding down, so that the remainder is never negative; the divisor is positive.
  func quotientAndRemainder(
    flooringBy divisor: Int64
  ) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
