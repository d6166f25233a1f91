"""`google.genai.types` for projects without the Google SDK: what callbacks return."""


class Part:
    """A part of a content, with its text."""

    def __init__(self, text=None, **other):
        self.text = text
        self.__dict__.update(other)

    @classmethod
    def from_text(cls, *, text):
        return cls(text=text)


class Content:
    """What a callback returns to take the agent's place."""

    def __init__(self, parts=None, role=None):
        self.parts = list(parts) if parts else []
        self.role = role
