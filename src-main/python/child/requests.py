"""Answers requests: one call at a time, whatever the user's code raises."""

import inspect
import sys
import traceback

from _pravah import callbacks, describe, functions, tools
from _pravah.values import NotJson, to_json


class Requests:
    """The functions, callbacks and tools of a project. Modules are imported once, and one event loop serves all calls."""

    def __init__(self, project):
        self.project = project
        self.loop = None
        self.perform = {
            'code': functions.call,
            'tool': tools.call,
            'callback': callbacks.call,
            'describe': describe.describe_project,
            'check': describe.check_function,
        }

    def answer(self, request):
        try:
            return {'id': request['id'], **self._answer(request)}
        except NotJson as failure:
            return {'id': request['id'], 'not_json': str(failure)}
        except BaseException as error:  # SystemExit and KeyboardInterrupt end the call, not this process.
            return {'id': request['id'], 'error': described(error)}

    def _answer(self, request):
        result, writes = self.perform[request['kind']](self, request)
        value, floats = to_json(result)
        answer = {'value': value}
        if floats:
            answer['floats'] = floats
        if writes:
            answer['writes'] = {}
            for key, written in writes.items():
                value, floats = to_json(written)
                answer['writes'][key] = {'value': value, 'floats': floats}
        return answer

    def settle(self, result):
        """The result of a function, awaited if it is a coroutine."""
        if not inspect.isawaitable(result):
            return result
        if self.loop is None:
            import asyncio

            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        return self.loop.run_until_complete(_wait(result))


async def _wait(result):
    return await result


def described(error):
    """An exception as a message, with the traceback from the user's code on."""
    try:
        message = str(error)
    except Exception:
        message = ''
    own = sys.modules[__name__].__file__.rsplit('requests', 1)[0]
    frames = traceback.extract_tb(error.__traceback__)
    while frames and (frames[0].filename.startswith(own) or frames[0].filename.startswith('<frozen importlib')):
        del frames[0]
    try:
        last = traceback.format_exception_only(type(error), error)
    except Exception:
        last = [type(error).__name__]
    text = ''.join(traceback.format_list(frames)[-50:] + last)
    return {'type': type(error).__name__, 'message': message, 'traceback': text}
