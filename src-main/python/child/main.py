"""The process that runs a user's Python functions: started by `PythonChild`, ends with its parent.

Reads requests from standard input and writes one JSON message a line to what was standard output. Both are put aside before any other code is
loaded: the user's code reads nothing, and what it prints goes to standard error.
"""

import json
import os
import sys

SOURCE = os.dup(0)
ANSWERS = os.dup(1)
_nothing = os.open(os.devnull, os.O_RDONLY)
os.dup2(_nothing, 0)
os.close(_nothing)
os.dup2(2, 1)

import importlib.abc
import importlib.machinery
import importlib.util
import threading


class OwnModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds our modules by their files, after everything else: an installed package of the same name wins."""

    def __init__(self, files):
        self.files = files
        self.packages = {'.'.join(parts[:end]) for parts in (name.split('.') for name in files) for end in range(1, len(parts))}

    def find_spec(self, name, path=None, target=None):
        if name not in self.files and name not in self.packages:
            return None
        return importlib.machinery.ModuleSpec(name, self, origin=self.files.get(name), is_package=name in self.packages)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        file = self.files.get(module.__name__)
        if file is None:
            return
        with open(file, encoding='utf-8') as source:
            text = source.read()
        module.__file__ = file
        exec(compile(text, file, 'exec'), module.__dict__)


def end_with_parent():
    """Ends this process and those that it started when the parent closes the connection, even during an endless loop."""
    import select
    import signal

    if not hasattr(select, 'poll'):
        return
    poll = select.poll()
    poll.register(SOURCE, 0)

    def watch():
        poll.poll()
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def main():
    options = json.loads(sys.argv[1])
    sys.argv[1:] = []
    end_with_parent()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors='backslashreplace')
    sys.path[0:1] = options['paths']
    sys.meta_path.append(OwnModules(options['modules']))
    from _pravah.requests import Requests

    answers = os.fdopen(ANSWERS, 'wb', buffering=0)

    def send(message):
        line = (json.dumps(message, separators=(',', ':')) + '\n').encode()
        while line:
            line = line[answers.write(line):]

    send({'hello': '.'.join(map(str, sys.version_info[:3])), 'executable': sys.executable})
    requests = Requests(options['project'])
    with os.fdopen(SOURCE, 'rb') as source:
        for line in source:
            answer = requests.answer(json.loads(line))
            for stream in (sys.stdout, sys.stderr):
                try:
                    stream.flush()
                except Exception:
                    pass  # Closed or replaced by the user's code.
            send(answer)


if __name__ == '__main__':
    main()
