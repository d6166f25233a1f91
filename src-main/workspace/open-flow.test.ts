import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-open-flow-')));
  writeFileSync(
    join(folder, 'a.flow.yaml'),
    'pravah: 1\nname: a\ninput: A\noutput: B\nschemas: { A: {}, B: {} }\nnodes: [{ kind: work, from: A, to: B, expr: "1" }]\n',
  );
  writeFileSync(
    join(folder, 'workflow.yaml'),
    'name: w\nagents: [{ name: a, type: expr, expression: "1", output_key: r }]\norchestration: { type: sequential, agents: [a] }\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['a.flow.yaml', false],
  ['workflow.yaml', true],
])('opens %s, loading the compiler of workflows: %s', (flow, loadsCompiler) => {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const { openFlow } = await import(${JSON.stringify(new URL('open-flow.ts', pathToFileURL(`${import.meta.dirname}/`)).href)});
    const { graph } = await openFlow(${JSON.stringify(flow)}, { folder: ${JSON.stringify(folder)}, trusted: false, settings: { mcp_servers: {}, openapi_tools: {} } });
    console.log(JSON.stringify([graph !== null, loaded.some((url) => /src-shared\\/pyflow\\/compile|src-shared\\/python\\/evaluate/.test(url))]));`;
  const flags = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', program];
  const printed = execFileSync(process.execPath, flags, { cwd: folder, encoding: 'utf8', timeout: 120_000 });
  expect(JSON.parse(printed)).toEqual([true, loadsCompiler]);
});
