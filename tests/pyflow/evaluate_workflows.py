"""Runs workflows in PyFlow itself. One workflow a line of JSON comes in; what PyFlow did goes out as a line of JSON.

    PYFLOW_SOURCE=CHECKOUT python evaluate_workflows.py < workflows.jsonl > results.jsonl

Needs google-adk 1.26 and PyFlow's other packages..
"""
import asyncio
import json
import logging
import os
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
sys.path.insert(0, os.environ["PYFLOW_SOURCE"])

import structlog

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))

from google.genai import types
from pyflow.models.workflow import WorkflowDef
from pyflow.platform.executor import WorkflowExecutor
from pyflow.platform.hydration.hydrator import WorkflowHydrator
from pyflow.platform.registry.tool_registry import ToolRegistry

INJECTED = ("current_date", "current_datetime", "timezone")


def float_pointers(value, at=""):
    """JSON Pointers of floats with an integral value, which JSON does not tell from integers."""
    if isinstance(value, float) and value.is_integer():
        return [at]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    return [pointer for key, item in items for pointer in float_pointers(item, f"{at}/{key}")]


async def run(workflow):
    registry = ToolRegistry()
    registry.discover()
    definition = WorkflowDef.model_validate(workflow)
    executor = WorkflowExecutor(tz_name="America/Bogota")
    runner = executor.build_runner(WorkflowHydrator(registry).hydrate(definition), definition.runtime)
    names = {"app_name": runner.app_name, "user_id": "default"}
    sessions = runner.session_service
    session = await sessions.create_session(**names, state=executor._datetime_state())
    message = types.Content(role="user", parts=[types.Part(text="Go.")])
    order, last = [], None
    async for event in runner.run_async(user_id="default", session_id=session.id, new_message=message):
        if event.is_final_response() and event.content:
            order.append(event.author)
            last = event
    state = dict((await sessions.get_session(**names, session_id=session.id)).state)
    state = {key: value for key, value in state.items() if key not in INJECTED}
    content = "".join(part.text for part in last.content.parts if part.text) if last else ""
    return {"state": json.loads(json.dumps(state)), "floats": sorted(float_pointers(state)), "order": " ".join(order), "content": content}


for line in sys.stdin:
    try:
        result = asyncio.run(run(json.loads(line)))
    except Exception as error:  # What PyFlow refuses or does not survive is a result, too.
        result = {"fails": type(error).__name__}
    print(json.dumps(result, ensure_ascii=False, separators=(",", ":")), flush=True)
