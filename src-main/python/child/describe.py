"""What the project offers, without calling it."""

import inspect
import re
import typing

from _pravah.functions import find
from _pravah.tools import find_tools

_types = {str: 'string', int: 'integer', float: 'number', bool: 'boolean', dict: 'object', list: 'array', tuple: 'array'}


def describe_project(requests, request):
    """Returns the tools of the project with the schemas of their parameters."""
    found, problems = find_tools(requests.project)
    tools = []
    for name, tool in found.items():
        try:
            tools.append(describe_tool(name, tool))
        except Exception as error:
            problems.append(f"The tool '{name}' cannot be described: {type(error).__name__}: {error}.")
    for name in request['kwargs'].get('names', []):
        try:
            tools.append(describe_function(name, find(name)))
        except BaseException as error:
            problems.append(f"The function '{name}' cannot be used as a tool: {type(error).__name__}: {error}.")
    return {'tools': tools, 'problems': problems}, None


def describe_tool(name, tool):
    text = inspect.getdoc(tool.execute) or ''
    parameters = list(inspect.signature(tool.execute).parameters.values())[2:]
    return {'name': name, 'description': description_of(tool, text), 'input_schema': schema_of_parameters(tool.execute, parameters)}


def describe_function(name, function):
    """A function that is a tool by its dotted name. ADK hands it the context if it asks for one."""
    text = inspect.getdoc(function) or ''
    parameters = [each for each in inspect.signature(function).parameters.values() if each.name != 'tool_context']
    return {'name': name, 'description': text, 'input_schema': schema_of_parameters(function, parameters)}


def schema_of_parameters(function, parameters):
    notes = arguments_of(inspect.getdoc(function) or '')
    hints = hints_of(function)
    properties = {}
    required = []
    more = False
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            more = more or parameter.kind is parameter.VAR_KEYWORD
            continue
        own = schema_of(hints.get(parameter.name, parameter.annotation))
        if parameter.name in notes:
            own['description'] = notes[parameter.name]
        if parameter.default is parameter.empty:
            required.append(parameter.name)
        elif parameter.default is None or isinstance(parameter.default, (str, int, float, bool)):
            own['default'] = parameter.default
        properties[parameter.name] = own
    schema = {'type': 'object', 'properties': properties, 'required': required}
    if more:
        schema['additionalProperties'] = True
    return schema


def description_of(tool, text):
    own = getattr(tool, 'description', None)
    return own if isinstance(own, str) and own else re.split(r'\n\s*Args:\s*\n', text)[0].strip()


def hints_of(function):
    try:
        return typing.get_type_hints(function)
    except Exception:
        return {}


def schema_of(hint):
    """The JSON Schema of a type hint; one that is not known takes any value."""
    if isinstance(hint, str):
        hint = {'str': str, 'int': int, 'float': float, 'bool': bool, 'dict': dict, 'list': list}.get(hint)
    if hint in _types:
        return {'type': _types[hint]}
    origin = typing.get_origin(hint)
    inner = typing.get_args(hint)
    if origin is typing.Literal:
        return {'enum': [value for value in inner if isinstance(value, (str, int, bool)) or value is None]}
    if origin is typing.Annotated:
        return schema_of(inner[0])
    if origin in (list, tuple, set):
        return {'type': 'array', **({'items': schema_of(inner[0])} if origin is list and inner else {})}
    if origin is dict:
        return {'type': 'object'}
    if origin is typing.Union or type(hint).__name__ == 'UnionType':
        forms = [schema_of(part) if part is not type(None) else {'type': 'null'} for part in inner]
        if any(not form for form in forms):
            return {}
        return {'anyOf': forms}
    return {}


def arguments_of(text):
    """The descriptions in the section `Args:` of a docstring."""
    section = re.search(r'^\s*Args:\s*\n((?:[ \t]+.*\n?|\s*\n)*)', text, re.MULTILINE)
    if not section:
        return {}
    notes = {}
    name = None
    lines = [line for line in section[1].splitlines() if line.strip()]
    depth = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    for line in lines:
        head = re.match(r'(\*{0,2}\w+)\s*(?:\([^)]*\))?:\s*(.*)', line[depth:])
        if head:
            name = head[1].lstrip('*')
            notes[name] = head[2].strip()
        elif name:
            notes[name] = f'{notes[name]} {line.strip()}'.strip()
    return notes


def check_function(requests, request):
    """Why a function cannot be called with these keyword arguments; None if it can. Importing its module runs that."""
    function = find(request['name'])
    try:
        inspect.signature(function).bind(**request['kwargs'])
    except TypeError as error:
        return str(error), None
    except ValueError:
        pass  # Some built-in functions have no signature.
    return None, None
