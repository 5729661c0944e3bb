#!/usr/bin/env python3
"""The inspector with a recording of a million events: Benchmarks/inspector.py TODOSTREAM INSPECTOR [chromedriver]

Prints how long it takes to the first page, to the first fifty hits of each filter and to the end of each search, how
much memory the program has had, and how long the browser's frames are while it scrolls from end to end. Of three searches
the fastest counts, as other programs take their time, too. Fails over a limit.
"""
import atexit, http.client, json, os, re, subprocess, sys, tempfile, time, urllib.parse, urllib.request

EVENTS = 1_000_000
MOST_MILLISECONDS = 100
LEAST_RATE = 200
MOST_MEMORY = 300
MOST_FRAME = 50
FILTERS = ["", "type:Request*", "layer:model", "is:input", "root:80", "seq:500000-500100", '"Todo number 1999"',
           'title="Todo number 1998"', "number=77", "-milk", "nothing like that", "/number 19[0-9]{2}\"/",
           "/NUMBER 1999\"/i", "type:ResponseTodoViewModel t3", "-success", "zq", "origin:nobody", "is:failed",
           "seq:900000-1000000 \"number 1999\"", "kind:request -title /nothing [a-z]+/",
           # No text is in all that these match, or it is in every body: each is searched by the expression.
           "/[xyz]{3}/", "/[a-z]+@[a-z]+/", "/title.*zq/"]


def record(program, folder):
    """Records a script of 2000 additions, and repeats it with other numbers and roots."""
    path = os.path.join(folder, "one.jsonl")
    script = "".join(f'add "Todo number {n}" --tag t{n % 7}\n' for n in range(2000))
    subprocess.run([program, "--store", os.path.join(folder, "s"), "--record", path], input=script, text=True,
                   stdout=subprocess.DEVNULL, check=True)
    head, events = [], []
    envelope = re.compile(r'\{"seq":(\d+)(?:,"cause":(\d+))?,"root":1(,"origin":\d+,"time":)(\d+)')
    for line in open(path):
        found = envelope.match(line)
        if found:
            events.append((found.groups(), line[found.end():]))
        elif '"complete"' not in line and '"id"' not in line[:6]:
            head.append(line)
    path, count, root = os.path.join(folder, "million.jsonl"), 0, 0
    with open(path, "w") as out:
        out.writelines(head)
        while count < EVENTS:
            base, root = root * len(events), root + 1
            for (seq, cause, between, at), rest in events:
                caused = f',"cause":{int(cause) + base}' if cause else ""
                out.write(f'{{"seq":{int(seq) + base}{caused},"root":{root}{between}{int(at) + root * 1000}{rest}')
            count += len(events)
        out.write(f'{{"complete":true,"events":{count},"check":"00000000"}}\n')
    return path


class Page:
    """The program, asked as its page asks it."""

    def __init__(self, program, path):
        self.began = time.time()
        self.process = subprocess.Popen([program, path], stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.terminate)
        self.address = self.process.stdout.readline().strip()
        where = urllib.parse.urlsplit(self.address)
        self.connection = http.client.HTTPConnection(where.hostname, where.port)
        self.secret = {"Authorization": "Bearer " + where.fragment.removeprefix("token=")}

    def get(self, path):
        began = time.time()
        self.connection.request("GET", path, headers=self.secret)
        answer = json.loads(self.connection.getresponse().read())
        return answer, (time.time() - began) * 1000

    def search(self, words):
        """The seconds until fifty hits are there, the seconds until all are, and the last answer."""
        address = "/api/events?limit=50&q=" + urllib.parse.quote(words)
        began, fifty = time.time(), None
        while True:
            answer, _ = self.get(address)
            if fifty is None and (len(answer["rows"]) == 50 or answer["done"]):
                fifty = time.time() - began
            if answer["done"]:
                return fifty, time.time() - began, answer
            time.sleep(0.005)

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))


class Driver:
    """A browser, by its own driver."""

    def __init__(self, address):
        self.process = subprocess.Popen(["chromedriver", "--port=9515"], stdout=subprocess.PIPE, text=True)
        # A signal would leave the browser.
        atexit.register(urllib.request.urlopen, "http://127.0.0.1:9515/shutdown")
        while "successfully" not in self.process.stdout.readline():
            pass
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1440,900"]
        traced = {"traceCategories": "blink.user_timing,disabled-by-default-devtools.timeline,"
                                     "disabled-by-default-devtools.timeline.frame"}
        options = {"alwaysMatch": {"goog:chromeOptions": {"args": arguments, "perfLoggingPrefs": traced},
                                   "goog:loggingPrefs": {"performance": "ALL"}}}
        self.session = self.ask("", {"capabilities": options})["sessionId"]
        self.ask(f"/{self.session}/url", {"url": address})

    def ask(self, path, body):
        connection = http.client.HTTPConnection("127.0.0.1", 9515, timeout=120)
        connection.request("POST", f"/session{path}", json.dumps(body))
        return json.loads(connection.getresponse().read())["value"]

    def run(self, script):
        return self.ask(f"/{self.session}/execute/async", {"script": script, "args": []})

    def trace(self):
        """What the browser has traced, in microseconds of its clock. It gives that once."""
        entries = self.ask(f"/{self.session}/se/log", {"type": "performance"})
        messages = [json.loads(entry["message"])["message"] for entry in entries]
        return [message["params"] for message in messages if message["method"] == "Tracing.dataCollected"]


SCROLL = """
const done = arguments[0], grid = document.getElementById("grid"), frames = [];
let last = performance.now(), step = 0;
performance.mark("the first frame");
requestAnimationFrame(function frame(now) {
  frames.push(now - last); last = now;
  grid.scrollTop = grid.scrollHeight * step++ / 600;
  if (step <= 600) requestAnimationFrame(frame);
  else performance.mark("the last frame"), done(frames.slice(1));
});
"""


def tell(how, frames):
    print(f"{how}: {len(frames)} frames, median {frames[len(frames) // 2]:.0f} ms, "
          f"99 % {frames[len(frames) * 99 // 100]:.0f} ms, longest {frames[-1]:.0f} ms, "
          f"{sum(frame > MOST_FRAME for frame in frames)} over {MOST_FRAME} ms")


def main():
    program, inspector = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        path = record(program, folder)
        size = os.path.getsize(path) / 1e6
        page = Page(inspector, path)
        first, _ = page.get("/api/events?limit=100")
        print(f"a recording of {size:.0f} MB: first page after {(time.time() - page.began) * 1000:.0f} ms, "
              f"with {first['events']} events indexed")
        while not page.get("/api/recording")[0]["isWhole"]:
            time.sleep(0.02)
        print(f"all indexed after {time.time() - page.began:.2f} s")
        # The program keeps the results of the last eight filters: none is asked for twice in a row.
        rounds = [[page.search(words) for words in FILTERS] for _ in range(3)]
        slow = []
        for words, *results in zip(FILTERS, *rounds):
            fifty, whole = (min(times) * 1000 for times in list(zip(*results))[:2])
            answer = results[0][2]
            rate = size / max(whole, 1) * 1000
            if fifty > MOST_MILLISECONDS or rate < LEAST_RATE:
                slow.append(words)
            print(f"{words or '(all)':37} fifty hits {fifty:5.0f} ms, all {whole:5.0f} ms "
                  f"({rate:6.0f} MB/s), {answer['total']} of {answer['events']}")
        for question in ["tree?root=50", "events/600123", "changes/600124", "state/900000?limit=50", "figures"]:
            print(f"{question:37} {page.get('/api/' + question)[1]:5.0f} ms")
        memory = page.memory()
        print(f"memory of the program at most {memory} MB")
        if len(sys.argv) > 3:
            browser = Driver(page.address)
            time.sleep(3)
            frames = sorted(browser.run(SCROLL))
            tell("scrolled from end to end, by the page", frames)
            trace = browser.trace()
            begin, end = (next(event["ts"] for event in trace if event["name"] == f"the {which} frame")
                          for which in ["first", "last"])
            trace = [event for event in trace if begin <= event["ts"] <= end]
            drawn = sorted(event["ts"] / 1000 for event in trace if event["name"] == "DrawFrame")
            frames = sorted(after - before for before, after in zip(drawn, drawn[1:]))
            tell("by the browser's own trace", frames)
            tasks = [event["dur"] / 1000 for event in trace if event["name"] == "RunTask" and "dur" in event]
            print(f"{len(tasks)} tasks of the browser, the longest {max(tasks):.0f} ms")
            if frames[-1] > MOST_FRAME:
                slow.append("a frame")
        if slow or memory > MOST_MEMORY:
            sys.exit(f"over a limit: {', '.join(slow) or 'memory'}")


main()
