"""What callbacks of models get and return, with the attributes of ADK's requests and responses."""

from types import SimpleNamespace


def request_of(payload):
    """The `llm_request`: its contents and its system text. Of changes, only those of the system text count."""
    contents = [content_of(message['role'], message['parts']) for message in payload['contents']]
    config = SimpleNamespace(system_instruction=payload['system'], tools=[])
    return SimpleNamespace(model=payload.get('model'), contents=contents, config=config)


def response_of(payload):
    """The `llm_response`."""
    from google.adk.models.llm_response import LlmResponse

    return LlmResponse(content=content_of('model', payload['parts']))


def content_of(role, parts):
    from google.genai import types

    return types.Content(role=role, parts=[part_of(types, part) for part in parts])


def part_of(types, part):
    if 'call' in part:
        return types.Part(function_call=types.FunctionCall(name=part['call'], args=part['args']))
    if 'result_of' in part:
        result = part['result']
        response = result if isinstance(result, dict) else {'result': result}
        return types.Part(function_response=types.FunctionResponse(name=part['result_of'], response=response))
    return types.Part(text=part['text'])


def response_parts(response):
    """The parts of an answer that a callback returned."""
    content = getattr(response, 'content', None)
    if content is None:
        raise TypeError(f'a callback must return None or an LlmResponse with content, not {type(response).__name__}')
    parts = []
    for part in content.parts or []:
        call = getattr(part, 'function_call', None)
        if call is not None:
            parts.append({'call': call.name, 'args': dict(call.args or {})})
        elif getattr(part, 'text', None) is not None:
            parts.append({'text': part.text})
    return parts


def text_of(instruction):
    """A system text, which a callback may have replaced by a `Content`."""
    if instruction is None or isinstance(instruction, str):
        return instruction or ''
    return ''.join(part.text or '' for part in getattr(instruction, 'parts', None) or [])
