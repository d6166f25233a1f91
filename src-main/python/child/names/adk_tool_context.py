"""`google.adk.tools.tool_context` for projects without ADK."""

from _pravah.context import CallContext


class ToolContext(CallContext):
    """The type of `tool_context`, for annotations."""
