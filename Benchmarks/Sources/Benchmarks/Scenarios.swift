/// All that is measured, in the order of the table.
let scenarios =
  [oneEvent]
  + [1, 100, 10_000].map(oneInterested(among:))
  + [chain, producersAndObservers, subscribing, requestWithCallback, requestAwaited]
  + [readingRecords, bindingRecords, comparingRecords, followingRows, concerningNone]
