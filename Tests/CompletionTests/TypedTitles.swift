/// Titles as people type them, which no word of changes anything else.
enum TypedTitles {
  static let plain = [
    "Call Bob", "Buy milk & bread", "Re: invoice 2026-11", "re: issue", "Fwd: Re: holidays",
    "12:30 lunch with Ann",
    "Meet at 9:00", "Read http://example.org/a?b=c#d", "https://example.org",
    "mail ann@example.org",
    "C++ +1", "+1 for the proposal", "-5 degrees", "Pay 3.50 €", "50% off", "2:1 odds",
    "ratio 16:9", "std::vector",
    "note: bring a pen", "TODO: clean up", "FIXME:", "Title: The Hobbit", "Due: soon", "DUE:fri",
    "Project:Acme",
    "due: friday maybe", "project:", "tags:", "priority: high or low", "what is due:", "a:b",
    "x:y:z", ":-)", ":)", "<3",
    "file:///tmp/a", "C:\\Users\\ann", "~/notes.txt", "key=value", "a+b", "a + b", "1+1",
    "+", "++", "+-", "!", "!!", "!important", "Hurry!", "no!high", "now !", "#42", "#hash tag",
    "issue #12", "@home", "@",
    "me@work", "to do", "to", "or", "and", "not", "to or not to", "(draft)", "(a or b)", "f(x)",
    "[x] done", "{json}",
    "\"quoted\"", "'single'", "Don't forget", "it's", "rock 'n' roll", "5 o'clock", "back\\slash",
    "a|b", "a;b", "a & b",
    "$HOME", "`date`", "*", "what?", "Über alles", "naïve café", "日本 語", "🎉 party", "🎉", "é:è",
    "müll:raus",
    "v1.2.3", "1.", "1)", "- item", "* item", "1,5 kg", "1-3", "10-12 Dec", "2026-12-01",
    "tomorrow", "due tomorrow",
    "every monday", "as if", "id:12", "is:open", "text:milk", "created:today", "completed:none",
    "due-date:fri", "subtask:1", "proj:x", "prio:high", "duedate:fri",
  ]

  /// Those that are text as one word in quotes alone.
  static let quoted = [
    "due:tomorrow is wrong", "project:acme needs a logo", "tags:a b", "+work in progress",
    "rm -- -rf", "./run --fast",
    "a  b", "Call Bob +work due:fri", "buy as @gift",
  ]

  /// Words of which some set fields: the words, the title, and the JSON of what they set.
  static let changes: [(words: [String], title: String, set: String)] = [
    (["Call", "+work"], "Call", #"{"tags":["work"]}"#),
    (["+work", "Call"], "Call", #"{"tags":["work"]}"#),
    (["Call", "+work", "Bob"], "Call Bob", #"{"tags":["work"]}"#),
    (["Call", "+a,b", "+c"], "Call", #"{"tags":["a","b","c"]}"#),
    (["Call", "+b", "tags:a"], "Call", #"{"tags":["b","a"]}"#),
    (["Call", "tags:a,b"], "Call", #"{"tags":["a","b"]}"#),
    (["Call", "+a-b"], "Call", #"{"tags":["a-b"]}"#),
    (["Call", "+日本"], "Call", #"{"tags":["日本"]}"#),
    (["Call", "+C++"], "Call", #"{"tags":["C++"]}"#),
    (["Call", "project:Acme"], "Call", #"{"project":"Acme"}"#),
    (["Call", "project:acme.web"], "Call", #"{"project":"acme.web"}"#),
    (["Call", "project:Big Acme"], "Call", #"{"project":"Big Acme"}"#),
    (["Call", "project:a:b"], "Call", #"{"project":"a:b"}"#),
    (["Call", "project:none"], "Call", #"{"project":null}"#),
    (["project:Acme", "Call", "Bob"], "Call Bob", #"{"project":"Acme"}"#),
    (["Call", "priority:high"], "Call", #"{"priority":"high"}"#),
    (["Call", "!high"], "Call", #"{"priority":"high"}"#),
    (["!high", "Call"], "Call", #"{"priority":"high"}"#),
    (["Call", "priority:normal"], "Call", #"{"priority":"normal"}"#),
    (["Call", "due:2199-12-01"], "Call", #"{"due":"2199-12-01"}"#),
    (["Call", "due:2199-12-01T09:30"], "Call", #"{"due":"2199-12-01T09:30"}"#),
    (["Call", "due:2199-12-01 9am"], "Call", #"{"due":"2199-12-01T09:00"}"#),
    (["due:2199-12-01", "Call"], "Call", #"{"due":"2199-12-01"}"#),
    (["Call", "due:none"], "Call", #"{"due":null}"#),
    (["Call", "subtitle:soon"], "Call", #"{"subtitle":"soon"}"#),
    (["Call", "subtitle:at the office"], "Call", #"{"subtitle":"at the office"}"#),
    (
      ["Call", "+a", "due:2199-12-01", "project:Acme", "!high"], "Call",
      #"{"tags":["a"],"due":"2199-12-01","project":"Acme","priority":"high"}"#
    ),
    (["Call due:fri", "+a"], "Call due:fri", #"{"tags":["a"],"due":null}"#),
    (["+a", "Call", "http://x", "12:30"], "Call http://x 12:30", #"{"tags":["a"]}"#),
    (["Call", "+a", "title:b"], "Call title:b", #"{"tags":["a"]}"#),
    (["Call", "+a", "--", "+b", "due:fri"], "Call +b due:fri", #"{"tags":["a"],"due":null}"#),
    (["Call", "+a", "--project", "P"], "Call", #"{"tags":["a"],"project":"P"}"#),
  ]
}
