"""`google.adk.agents.callback_context` for projects without ADK."""

from _pravah.context import CallContext


class CallbackContext(CallContext):
    """The type of `callback_context`, for annotations."""
