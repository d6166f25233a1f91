"""What callbacks and tools get of the run, with the attributes of ADK's contexts."""


class State:
    """A copy of the session's state. What is written is reported when the call ends."""

    def __init__(self, values):
        self._values = dict(values)
        self.written = {}

    def __getitem__(self, key):
        return self._values[key]

    def __setitem__(self, key, value):
        self._values[key] = value
        self.written[key] = value

    def __contains__(self, key):
        return key in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def get(self, key, default=None):
        return self._values.get(key, default)

    def setdefault(self, key, default=None):
        if key not in self._values:
            self[key] = default
        return self._values[key]

    def update(self, delta):
        for key, value in delta.items():
            self[key] = value

    def keys(self):
        return self._values.keys()

    def values(self):
        return self._values.values()

    def items(self):
        return self._values.items()

    def has_delta(self):
        return bool(self.written)

    def to_dict(self):
        return dict(self._values)


class CallContext:
    """The `callback_context` of a callback and the `tool_context` of a tool."""

    def __init__(self, request):
        self.agent_name = request.get('agent')
        self.invocation_id = request.get('invocation_id')
        self.function_call_id = request.get('tool_call_id')
        self.state = State(request.get('state') or {})
