"""`pyflow.tools.base` for projects without PyFlow."""

import os


class BasePlatformTool:
    """A tool: subclasses set `name` and `description` and define `execute`."""

    name = ''
    description = ''

    async def execute(self, tool_context, **kwargs):
        raise NotImplementedError


def get_secret(name):
    """The environment variable `PYFLOW_NAME`; None if it is not set."""
    return os.environ.get(f'PYFLOW_{name.upper()}')
