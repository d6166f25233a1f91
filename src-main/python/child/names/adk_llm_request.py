"""`google.adk.models.llm_request` for projects without ADK."""


class LlmRequest:
    """The type of `llm_request`, for annotations."""
