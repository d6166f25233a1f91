"""Tools that a project defines as classes."""

import inspect
import os

from _pravah.context import CallContext
from _pravah.functions import find
from _pravah.project_files import import_file

_tools = {}


def call(requests, request):
    """Runs a tool."""
    found, problems = find_tools(requests.project)
    tool = found.get(request['name'])
    if tool is None and '.' in request['name']:
        return call_function(requests, request)
    if tool is None:
        why = ''.join(f' {problem}' for problem in problems)
        raise LookupError(f"The project has no tool '{request['name']}'.{why}")
    context = CallContext(request)
    result = requests.settle(tool().execute(context, **request['kwargs']))
    return result, context.state.written


def call_function(requests, request):
    """Runs a function that is a tool by its dotted name."""
    function = find(request['name'])
    context = CallContext(request)
    asks = 'tool_context' in inspect.signature(function).parameters
    result = requests.settle(function(**request['kwargs'], **({'tool_context': context} if asks else {})))
    return result, context.state.written


def find_tools(project):
    """Returns the tool classes of `pyflow/tools` and `tools` below a project by name, and why files cannot be imported."""
    if project not in _tools:
        found = {}
        problems = []
        for folder in ('pyflow/tools', 'tools'):
            for file in tool_files(os.path.join(project, folder)):
                try:
                    module = import_file(project, file)
                except BaseException as error:
                    problems.append(f'{os.path.relpath(file, project)} cannot be imported: {type(error).__name__}: {error}.')
                    continue
                for value in vars(module).values():
                    if is_tool(value) and value.__module__ == module.__name__:
                        found[value.name] = value
        _tools[project] = (found, problems)
    return _tools[project]


def tool_files(folder):
    if not os.path.isdir(folder):
        return []
    names = sorted(name for name in os.listdir(folder) if name.endswith('.py') and not name.startswith('__'))
    return [os.path.join(folder, name) for name in names]


def is_tool(value):
    return inspect.isclass(value) and isinstance(getattr(value, 'name', None), str) and callable(getattr(value, 'execute', None))
