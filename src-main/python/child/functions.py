"""Functions by their dotted names."""

import importlib


def find(name):
    """Returns a function by its dotted name. Fails with PyFlow's messages."""
    module_name, _, function_name = name.rpartition('.')
    if not module_name:
        raise ImportError(f"Invalid function path: '{name}' (no module component)")
    module = importlib.import_module(module_name)
    if not hasattr(module, function_name):
        raise ImportError(f"Function '{function_name}' not found in module '{module_name}'")
    function = getattr(module, function_name)
    if not callable(function):
        raise ImportError(f"'{name}' is not callable")
    return function


def call(requests, request):
    """Calls the function of a code agent with keyword arguments."""
    return requests.settle(find(request['name'])(**request['kwargs'])), None
