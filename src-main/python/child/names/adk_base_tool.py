"""`google.adk.tools.base_tool` for projects without ADK."""


class BaseTool:
    """The type of `tool`, for annotations."""
