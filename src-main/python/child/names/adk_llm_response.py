"""`google.adk.models.llm_response` for projects without ADK."""


class LlmResponse:
    """A model's answer."""

    def __init__(self, content=None, **other):
        self.content = content
        self.__dict__.update(other)
