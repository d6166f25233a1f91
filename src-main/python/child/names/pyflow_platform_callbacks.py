"""`pyflow.platform.callbacks` for projects without PyFlow."""

CALLBACK_REGISTRY = {}


def register_callback(name, callback):
    """Registers a callback under the name by which workflows refer to it."""
    CALLBACK_REGISTRY[name] = callback


def resolve_callback(name):
    return CALLBACK_REGISTRY.get(name)
