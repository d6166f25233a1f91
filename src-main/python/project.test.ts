import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkFunctions } from '#main/workspace/check-functions.ts';
import { compileWorkflowText } from '#main/workspace/compile-workflow-text.ts';
import { loadFlow } from '#main/workspace/open-flow.ts';
import { projectTools } from '#main/workspace/project-tools.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import { findProject } from './find-project.ts';
import { PythonHost } from './python-host.ts';
import { startPython } from './start-python.ts';
import { withoutPython } from './testing.ts';

let folder: string;
let host: PythonHost;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-python-')));
  host = new PythonHost({ folder });
});
afterEach(() => {
  host.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const tool = `
from __future__ import annotations
from google.adk.tools.tool_context import ToolContext
from pyflow.tools.base import BasePlatformTool, get_secret
open('imported', 'w').close()

class Rate(BasePlatformTool):
    name: str = 'rate'
    description = 'Looks a rate up.'

    async def execute(self, tool_context: ToolContext, base: str, digits: int = 2, tags: list[str] | None = None, other=None) -> dict:
        """Looks a rate up.

        Args:
            base: The currency,
                in capitals.
            digits (int): Digits after the point.

        Returns:
            dict: nothing else.
        """
        return {'base': base, 'digits': digits, 'unit': get_secret('unit'), 'who': tool_context.agent_name}
`;

describe.skipIf(withoutPython('the Python of a project'))('the Python of a project', () => {
  it('describes its tools with the types, defaults and notes of their parameters', async () => {
    write({ 'pyflow/tools/rate.py': tool, 'tools/broken.py': 'import no_such_module' });
    const { tools, problems } = await host.tools(undefined);
    expect(tools).toEqual([
      {
        name: 'rate',
        description: 'Looks a rate up.',
        input_schema: {
          type: 'object',
          properties: {
            base: { type: 'string', description: 'The currency, in capitals.' },
            digits: { type: 'integer', description: 'Digits after the point.', default: 2 },
            tags: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }], default: null },
            other: { default: null },
          },
          required: ['base'],
        },
      },
    ]);
    expect(problems).toEqual([expect.stringContaining("No module named 'no_such_module'")]);
  });

  it('calls a tool with its context', async () => {
    write({ 'tools/rate.py': tool });
    const kwargs = { value: { base: 'USD' }, floats: [] };
    const caller = { signal: new AbortController().signal, log: () => undefined };
    expect(await host.call({ kind: 'tool', name: 'rate', flow: undefined, kwargs, about: { agent: 'a' } }, caller)).toMatchObject({
      value: { base: 'USD', digits: 2, unit: null, who: 'a' },
    });
  });

  it('prefers an installed package to our names', async () => {
    write({
      'pyflow/__init__.py': '',
      'pyflow/tools/__init__.py': '',
      'pyflow/tools/base.py': "def get_secret(name): return 'theirs'",
      'm.py':
        'from pyflow.tools.base import get_secret\nfrom google.genai import types\ndef f(): return [get_secret("x"), types.Part(text="t").text]',
    });
    const caller = { signal: new AbortController().signal, log: () => undefined };
    const call = { kind: 'code', name: 'm.f', flow: undefined, kwargs: { value: {}, floats: [] } } as const;
    expect(await host.call(call, caller)).toMatchObject({ value: ['theirs', 't'] });
  });

  it('says why a function cannot be called', async () => {
    write({ 'm.py': 'def f(a): pass\nx = 1' });
    expect(await host.check(undefined, 'm.f', ['a'])).toBeNull();
    expect(await host.check(undefined, 'm.f', ['b'])).toMatch(/'a'|'b'/);
    expect(await host.check(undefined, 'm.g', [])).toBe("ImportError: Function 'g' not found in module 'm'");
    expect(await host.check(undefined, 'n.g', [])).toBe("ModuleNotFoundError: No module named 'n'");
  });

  it('imports modules of the project and of the folder', async () => {
    write({ 'shared.py': 'x = 1', 'apps/one/pyflow.yaml': '', 'apps/one/agents/a/helpers.py': 'import shared\ndef f(): return shared.x' });
    const caller = { signal: new AbortController().signal, log: () => undefined };
    const flow = 'apps/one/agents/a/workflow.yaml';
    const call = { kind: 'code', name: 'agents.a.helpers.f', flow, kwargs: { value: {}, floats: [] } } as const;
    expect(await host.call(call, caller)).toMatchObject({ value: 1 });
  });
});

describe.skipIf(withoutPython('warnings about functions of code agents'))('an import', () => {
  it('warns about functions that cannot be called', async () => {
    write({ 'm.py': 'def f(a): pass' });
    const agents = ['m.f', 'm.g'].map((name, index) => ({
      name: `a${index}`,
      type: 'code',
      function: name,
      input_keys: ['a'],
      output_key: 'r',
    }));
    const text = JSON.stringify({ name: 'w', agents, orchestration: { type: 'sequential', agents: ['a0', 'a1'] } });
    const { flow, lineOf } = compileWorkflowText(text, { source: 'workflow.yaml', flow: 'w.flow.yaml' });
    if (!flow) throw new Error('The workflow did not compile.');
    const found = await checkFunctions(startPython({ folder }), flow, 'w.flow.yaml', lineOf);
    expect(found).toMatchObject([
      {
        code: 'python_function',
        severity: 'warning',
        path: '/agents/1/function',
        message: "The Python function m.g cannot be called: ImportError: Function 'g' not found in module 'm'.",
      },
    ]);
  });
});

describe('the project of a flow', () => {
  it('is the nearest folder with a mark, inside the workspace', () => {
    write({ 'a/pyproject.toml': '', 'a/agents/x/workflow.yaml': '', 'b/c/workflow.yaml': '' });
    expect(findProject(folder, 'a/agents/x/workflow.yaml')).toBe(join(folder, 'a'));
    expect(findProject(folder, 'b/c/workflow.yaml')).toBe(join(folder, 'b/c'));
    expect(findProject(folder, 'workflow.yaml')).toBe(folder);
    expect(findProject(folder, '../outside/workflow.yaml')).toBe(folder);
  });
});

it('finds the names of tools without running anything of an untrusted folder', async () => {
  write({
    'tools/rate.py': tool,
    'tools/notes.py': "class Person:\n    name = 'ann'",
    'workflow.yaml':
      'name: w\nagents: [{ name: a, type: tool, tool: rate, output_key: r }]\norchestration: { type: sequential, agents: [a] }\n',
  });
  expect([...projectTools(folder, 'workflow.yaml')]).toEqual(['rate']);
  const loaded = await loadFlow('workflow.yaml', { folder, settings: defaultSettings, trusted: false });
  expect(loaded.problems.map(({ code, path }) => `${code} ${path}`)).toEqual(['needs_trust /agents/0']);
  expect(existsSync(join(folder, 'imported'))).toBe(false);
});
