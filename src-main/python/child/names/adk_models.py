"""`google.adk.models` for projects without ADK."""

from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse

__all__ = ['LlmRequest', 'LlmResponse']
