import { expect, it } from 'vitest';
import { withoutDocstrings } from './stage.ts';

const python = `"""What the module does."""
import json

class Tool:
    """A tool.

    It has a name.
    """

    name = """not a docstring"""

    def run(self):
        """Runs it."""
        return {
            "text": """kept""",
        }

class Failure(Exception):
    """Nothing else stands here."""

def after():
    return 1
`;

it('docstrings are left out, other texts and the only statement of a class are not', () => {
  expect(withoutDocstrings(python)).toBe(`import json

class Tool:

    name = """not a docstring"""

    def run(self):
        return {
            "text": """kept""",
        }

class Failure(Exception):
    """Nothing else stands here."""

def after():
    return 1
`);
});
