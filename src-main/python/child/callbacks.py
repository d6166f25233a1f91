"""Callbacks of agents, by the names under which they are registered or by dotted names."""

import sys

from _pravah.context import CallContext
from _pravah.functions import find
from _pravah.messages import request_of, response_of, response_parts, text_of
from _pravah.project_files import contains, import_file, python_files

_searched = set()


def call(requests, request):
    """Calls a callback. One that is not registered is `{"skipped": true}`. What it decided depends on its hook."""
    callback = lookup(requests.project, request['name'])
    if callback is None:
        return {'skipped': True}, None
    context = CallContext(request)
    result = hooks[request.get('hook', 'before_agent')](callback, context, request.get('payload') or {}, requests.settle)
    return result, context.state.written


def around_agent(callback, context, payload, settle):
    return texts(settle(callback(callback_context=context)))


def before_model(callback, context, payload, settle):
    """The answer that takes the model's place, or the system text if the callback changed it."""
    asked = request_of(payload)
    returned = settle(callback(callback_context=context, llm_request=asked))
    if returned is not None:
        return {'parts': response_parts(returned)}
    system = text_of(asked.config.system_instruction)
    return None if system == payload['system'] else {'system': system}


def after_model(callback, context, payload, settle):
    returned = settle(callback(callback_context=context, llm_response=response_of(payload)))
    return None if returned is None else {'parts': response_parts(returned)}


def before_tool(callback, context, payload, settle):
    """The result that takes the tool's place, or the arguments if the callback changed them."""
    arguments = payload['args']
    before = repr(arguments)
    returned = settle(callback(tool=ToolFacts(payload), args=arguments, tool_context=context))
    if returned is not None:
        return {'result': returned}
    return None if repr(arguments) == before else {'args': arguments}


def after_tool(callback, context, payload, settle):
    facts = {'tool': ToolFacts(payload), 'args': payload['args'], 'tool_context': context}
    returned = settle(callback(**facts, tool_response=payload['result']))
    return None if returned is None else {'result': returned}


hooks = {
    'before_agent': around_agent,
    'after_agent': around_agent,
    'before_model': before_model,
    'after_model': after_model,
    'before_tool': before_tool,
    'after_tool': after_tool,
}


class ToolFacts:
    """The `tool` that callbacks of tools get."""

    def __init__(self, payload):
        self.name = payload['tool']
        self.description = payload.get('description', '')


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
