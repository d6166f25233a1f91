"""Callbacks of agents, by the names under which they are registered or by dotted names."""

import sys

from _pravah.context import CallContext
from _pravah.functions import find
from _pravah.project_files import contains, import_file, python_files

_searched = set()


def call(requests, request):
    """Calls a callback. One that is not registered is `{"skipped": true}`; content that it returns is `{"text": [...]}`."""
    callback = lookup(requests.project, request['name'])
    if callback is None:
        return {'skipped': True}, None
    context = CallContext(request)
    returned = requests.settle(callback(**{request.get('parameter', 'callback_context'): context, **request['kwargs']}))
    return texts(returned), context.state.written


def lookup(project, name):
    registered = registry().get(name)
    if registered is None and project not in _searched:
        _searched.add(project)
        for file in python_files(project):
            if contains(file, 'register_callback') and not file.endswith('callbacks/__init__.py'):
                try:
                    import_file(project, file)
                except BaseException as error:
                    print(f'{file} cannot be imported: {type(error).__name__}: {error}', file=sys.stderr)
        registered = registry().get(name)
    if registered is None and '.' in name:
        return find(name)
    return registered


def registry():
    from pyflow.platform import callbacks

    return callbacks.CALLBACK_REGISTRY if hasattr(callbacks, 'CALLBACK_REGISTRY') else getattr(callbacks, '_registry', {})


def texts(content):
    """The texts of a `Content`, which takes the agent's place."""
    if content is None:
        return None
    parts = getattr(content, 'parts', None)
    if parts is None and not hasattr(content, 'role'):
        raise TypeError(f'a callback must return None or types.Content, not {type(content).__name__}')
    return {'text': [part.text for part in parts or [] if getattr(part, 'text', None) is not None]}
