#!/usr/bin/env python3
"""What a person at a terminal feels, and how soon one process hears of another.

    Benchmarks/terminal.py PROGRAM [ROUNDS]

The program and, where it can do the same, the sqlite3 shell on a terminal of their own, in turn. All of
it are times, which a busy machine must not fail a build by: they are printed, and judged by the reader.
"""

import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

PROMPT = "todostream ›".encode()
PATIENCE = 60


class Terminal:
    """A program on a terminal of 80 by 24, and all that it has written there."""

    def __init__(self, words, environment):
        self.started = time.perf_counter()
        self.process, self.master = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execve(words[0], words, environment)
        self.written = b""

    def wait(self, wanted, start=0):
        """The time at which a text behind a place has been read; the text is the last that is needed."""
        end = time.perf_counter() + PATIENCE
        while wanted not in self.written[start:]:
            if not self.read(end - time.perf_counter()):
                sys.exit(f"{wanted!r} was not seen; the last was {self.written[-400:]!r}")
        return time.perf_counter()

    def read(self, timeout):
        """Reads what there is; false if nothing comes."""
        if not select.select([self.master], [], [], max(timeout, 0))[0]:
            return False
        self.written += os.read(self.master, 65536)
        return True

    def settle(self):
        """Reads until nothing has come for a while."""
        while self.read(0.05):
            pass

    def type(self, keys):
        """Types, and reads meanwhile: who does not would wait for the program, and it for them."""
        while keys:
            readable, writable, _ = select.select([self.master], [self.master], [], PATIENCE)
            if readable:
                self.written += os.read(self.master, 65536)
            if writable:
                keys = keys[os.write(self.master, keys[:1024]):]

    def end(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.master)


class Place:
    """A folder with a store, and what a program finds in its environment there."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp()
        self.store = f"{self.folder}/todos.sqlite"
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": self.folder,
            "XDG_STATE_HOME": f"{self.folder}/state",
            "TODOSTREAM_STORE": self.store,
            "TERM": "xterm",
            "LANG": "C.UTF-8",
        }
        script = "".join(f"add Todo number {n} --tag home\n" for n in range(1000))
        subprocess.run([program, "--quiet"], input=script.encode(), env=self.environment, check=True)

    def repl(self):
        """A REPL past its first prompt, and the milliseconds until that."""
        terminal = Terminal([self.program], self.environment)
        return terminal, (terminal.wait(PROMPT) - terminal.started) * 1000

    def shell(self):
        """The same of the sqlite3 shell."""
        terminal = Terminal([shutil.which("sqlite3"), self.store], self.environment)
        return terminal, (terminal.wait(b"sqlite> ") - terminal.started) * 1000

    def make_history(self, lines):
        os.makedirs(f"{self.folder}/state/todostream", exist_ok=True)
        with open(f"{self.folder}/state/todostream/history", "w") as file:
            file.writelines(f"add Something entered before, number {n}\n" for n in range(lines))


def prompts(place, rounds):
    ours, theirs = [], []
    for _ in range(rounds):
        for times, start in ((ours, place.repl), (theirs, place.shell)):
            terminal, milliseconds = start()
            times.append(milliseconds)
            terminal.end()
    ratio = statistics.median(a / b for a, b in zip(ours, theirs))
    return ours, theirs, ratio


def echoes(terminal, word):
    """The milliseconds until each letter of a word that is no command is seen behind those before it."""
    times = []
    for end in range(1, len(word) + 1):
        seen = len(terminal.written)
        begin = time.perf_counter()
        terminal.type(word[end - 1:end])
        times.append((terminal.wait(word[:end], seen) - begin) * 1000)
    terminal.type(b"\x15")
    terminal.settle()
    return times


def pasting(terminal, size):
    """The milliseconds until the end of a text that is pasted is seen."""
    terminal.settle()
    text = b"words " * (size // 6) + b"the-end"
    seen = len(terminal.written)
    begin = time.perf_counter()
    terminal.type(b"\x1b[200~" + text + b"\x1b[201~")
    milliseconds = (terminal.wait(b"the-end", seen) - begin) * 1000
    terminal.type(b"\x03")
    terminal.settle()
    return milliseconds


def bells(place, terminal, rounds):
    """The milliseconds from when one process has answered that something is stored, which it does as
    soon as it has rung, until another shows it: its screen may be first. And those from the request."""
    writer = subprocess.Popen(
        [place.program, "run", "--keep-going", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=place.environment,
        bufsize=0,
    )
    from_answer, from_request = [], []
    for number in range(rounds):
        title = f"Ring-{number:05}".encode()
        seen = len(terminal.written)
        begin = time.perf_counter()
        writer.stdin.write(b"add " + title + b"\n")
        answered = shown = None
        while answered is None or shown is None:
            ready = select.select([writer.stdout, terminal.master], [], [], PATIENCE)[0]
            now = time.perf_counter()
            if not ready:
                sys.exit(f"{title!r} was not shown")
            if writer.stdout in ready and os.read(writer.stdout.fileno(), 4096):
                answered = now
            if terminal.master in ready:
                terminal.read(0)
                if shown is None and title in terminal.written[seen:]:
                    shown = now
        from_answer.append((shown - answered) * 1000)
        from_request.append((shown - begin) * 1000)
        terminal.settle()
    writer.stdin.close()
    writer.wait()
    return from_answer, from_request


def processor_time(process):
    """The milliseconds that all threads of a process have run, those that are over included."""
    # What clock_getcpuclockid(3) gives, which Python has not: CPUCLOCK_SCHED of a process.
    return time.clock_gettime((~process << 3) | 2) * 1000


def idling(terminal, seconds):
    """The milliseconds of processor time that a minute of doing nothing takes."""
    terminal.settle()
    begin = processor_time(terminal.process)
    time.sleep(seconds)
    return (processor_time(terminal.process) - begin) * 60 / seconds


def p99(times):
    return sorted(times)[int(0.99 * (len(times) - 1))]


def row(name, value, most=None):
    verdict = "" if most is None else f"{most:9g}   {'kept' if value <= most else 'MISSED'}"
    print(f"{name:<66} {value:9.2f} {verdict}".rstrip(), flush=True)


def main():
    program = os.path.realpath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    if not shutil.which("sqlite3"):
        sys.exit("sqlite3 is missing; install the package sqlite3")
    place = Place(program)
    print(f"\n{'At a terminal, milliseconds':<66} {'is':>9} {'at most':>9}")
    ours, theirs, ratio = prompts(place, max(rounds // 10, 5))
    row("from the start to the prompt, median", statistics.median(ours))
    row("  of sqlite3", statistics.median(theirs))
    row("  times sqlite3, median of the rounds", ratio, 3)

    terminal, _ = place.repl()
    terminal.settle()
    times = [t for _ in range(0, rounds, 20) for t in echoes(terminal, b"qwertzuiopasdfghjkly")]
    row("from a key to its echo, median", statistics.median(times), 5)
    row("  p99", p99(times))
    row("from a paste of 20 kB to its end on the screen", pasting(terminal, 20_000), 1000)

    from_answer, from_request = bells(place, terminal, rounds)
    row("from a commit's answer to its news in another process, median", statistics.median(from_answer), 10)
    row("  p99", p99(from_answer))
    row("  from the request, its commit included, median", statistics.median(from_request))
    row("  p99", p99(from_request))
    if sys.platform == "linux":
        row("processor time of an idle minute at the prompt", idling(terminal, 10))
    terminal.end()

    place.make_history(100_000)
    starts, firsts = [], []
    for _ in range(5):
        terminal, milliseconds = place.repl()
        starts.append(milliseconds)
        begin = time.perf_counter()
        seen = len(terminal.written)
        terminal.type(b"qqq")
        firsts.append((terminal.wait(b"qqq", seen) - begin) * 1000)
        terminal.end()
    row("with a history of 100 000 lines: to the prompt, median", statistics.median(starts))
    row("  from the first keys, as soon as there is a prompt, to their echo", statistics.median(firsts))
    shutil.rmtree(place.folder)


main()
