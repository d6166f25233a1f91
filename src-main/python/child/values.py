"""Makes JSON of a function's result."""

LARGEST = 2**53 - 1


class NotJson(Exception):
    """A value that a state cannot hold."""


def to_json(value):
    """Returns the value as JSON and JSON Pointers to its floats of integral value, which JSON cannot tell from integers."""
    floats = []
    try:
        return _carry(value, None, floats, set()), floats
    except RecursionError:
        raise NotJson('A value is nested too deeply.') from None


def _carry(value, path, floats, outer):
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        if not -LARGEST <= value <= LARGEST:
            raise NotJson('An integer beyond 2^53 - 1 cannot be stored in a state.')
        return int(value)
    if isinstance(value, float):
        number = float(value)
        if number != number or number in (float('inf'), float('-inf')):
            raise NotJson(f'The float {number!r} cannot be stored in a state.')
        if number.is_integer():
            floats.append(_pointer(path))
        return number
    if not isinstance(value, (dict, list, tuple)):
        raise NotJson(f'Object of type {type(value).__name__} is not JSON serializable.')
    if id(value) in outer:
        raise NotJson(f'A {type(value).__name__} contains itself.')
    outer.add(id(value))
    if isinstance(value, dict):
        carried = {}
        for key, item in value.items():
            name = _key(key)
            carried[name] = _carry(item, (path, name), floats, outer)
    else:
        carried = [_carry(item, (path, index), floats, outer) for index, item in enumerate(value)]
    outer.discard(id(value))
    return carried


def _key(key):
    if isinstance(key, str):
        return str.__str__(key)
    if key is None or key is True or key is False:
        return {None: 'null', True: 'true', False: 'false'}[key]
    if isinstance(key, int):
        return str(int(key))
    if isinstance(key, float):
        return repr(float(key))
    raise NotJson(f'A key of type {type(key).__name__} is not JSON serializable.')


def _pointer(path):
    parts = []
    while path is not None:
        path, part = path
        parts.append(str(part).replace('~', '~0').replace('/', '~1'))
    return ''.join('/' + part for part in reversed(parts))
