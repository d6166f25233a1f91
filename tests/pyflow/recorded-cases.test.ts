import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { goOn } from '#main/engine/testing/run-to-end.ts';
import { withoutPython } from '#main/python/testing.ts';
import { createRunEnvironment } from '#main/runner/run-environment.ts';
import { loadWorkflow } from '#main/workspace/load-workflow.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Json, JsonObject } from '#shared/json.ts';

/** A workflow, and what PyFlow 1295caa did with it on google-adk 1.26.0 and Python 3.13. */
interface RecordedCase {
  readonly name: string;
  /** Text where its YAML matters. */
  readonly workflow: Json;
  readonly files?: Readonly<Record<string, string>>;
  /** PyFlow refuses it: where the problem is, or above it. */
  readonly refused?: string;
  readonly fails?: true;
  /** Keys whose values have PyFlow's own words are left out. */
  readonly state?: JsonObject;
  readonly author?: string;
  readonly content?: string;
}

const cases = readFileSync(new URL('recorded-cases.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedCase);
const noPython = withoutPython('recorded workflows with Python');

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-recorded-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const usesPython = ({ files = {} }: RecordedCase) => Object.keys(files).some((path) => path.endsWith('.py'));

it.each(cases.filter((one) => !noPython || !usesPython(one)))('does what PyFlow did with the workflow $name', async (recorded) => {
  for (const [path, text] of Object.entries(recorded.files ?? {})) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const text = typeof recorded.workflow === 'string' ? recorded.workflow : JSON.stringify(recorded.workflow);
  const { graph, problems } = loadWorkflow(text, 'workflow.yaml', { folder, settings: defaultSettings, trusted: true });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (recorded.refused !== undefined) {
    expect(errors.map(({ path }) => path)).toContainEqual(expect.stringMatching(new RegExp(`^${recorded.refused}(/|$)`)));
    return;
  }
  if (!graph) throw new Error(errors.map(({ message }) => message).join(' '));
  await using environment = await createRunEnvironment({ folder, trusted: true, settings: defaultSettings });
  const { context, toolsOf } = environment.executorOptions;
  const tools = new Map([...context.tools, ...((await toolsOf?.(graph)) ?? []).map((tool) => [tool.name, tool] as const)]);
  const run = goOn(FlowRuntime.new(graph, { message: 'Go.' }), { ...context, tools });
  if (recorded.fails) {
    await expect(run).rejects.toThrow();
    return;
  }
  const outcome = (await run) as { readonly output?: { readonly state: JsonObject; readonly author: string; readonly content: string } };
  const { state = {}, author, content } = outcome.output ?? {};
  expect(state).toMatchObject(recorded.state ?? {});
  expect(author).toBe(recorded.author);
  if (recorded.content !== undefined) expect(content).toBe(recorded.content);
});
