"""The Python files of a project."""

import importlib
import importlib.util
import os
import sys

MOST_FILES = 5000


def python_files(folder):
    """Yields the paths of a project's own files: no hidden folders, no virtual environments, no links to folders."""
    found = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(('.', '__'))
            and name not in ('node_modules', 'site-packages')
            and not os.path.exists(os.path.join(parent, name, 'pyvenv.cfg'))
        )
        for name in sorted(names):
            if name.endswith('.py'):
                found += 1
                if found > MOST_FILES:
                    return
                yield os.path.join(parent, name)


def contains(file, text):
    try:
        with open(file, encoding='utf-8') as source:
            return text in source.read()
    except (OSError, UnicodeDecodeError):
        return False


def import_file(folder, file):
    """Imports a file below a folder under its dotted name, or under its path where another module has that name."""
    parts = os.path.relpath(file, folder)[: -len('.py')].split(os.sep)
    if parts[-1] == '__init__' and len(parts) > 1:
        parts.pop()
    name = '.'.join(parts)
    try:
        module = importlib.import_module(name)
        if os.path.realpath(getattr(module, '__file__', None) or '') == os.path.realpath(file):
            return module
    except ModuleNotFoundError as error:
        if error.name is None or not (name == error.name or name.startswith(error.name + '.')):
            raise
    own_name = '_project.' + name
    if own_name in sys.modules:
        return sys.modules[own_name]
    spec = importlib.util.spec_from_file_location(own_name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[own_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[own_name]
        raise
    return module
