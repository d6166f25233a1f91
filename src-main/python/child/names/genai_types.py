"""`google.genai.types` for projects without the Google SDK: what callbacks get and return."""


class FunctionCall:
    """A call of a tool that a model asks for."""

    def __init__(self, name=None, args=None, id=None):
        self.name = name
        self.args = args
        self.id = id


class FunctionResponse:
    """The result of a tool."""

    def __init__(self, name=None, response=None, id=None):
        self.name = name
        self.response = response
        self.id = id


class Part:
    """A part of a content: text, a call or a result."""

    def __init__(self, text=None, function_call=None, function_response=None, **other):
        self.text = text
        self.function_call = function_call
        self.function_response = function_response
        self.__dict__.update(other)

    @classmethod
    def from_text(cls, *, text):
        return cls(text=text)


class Content:
    """What a callback returns to take the agent's place."""

    def __init__(self, parts=None, role=None):
        self.parts = list(parts) if parts else []
        self.role = role
