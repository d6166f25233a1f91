import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StudioClient, startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import { abuseClass } from './testing/abuse-class.ts';

/*
 * A folder comes from a stranger: a clone, an archive. It is opened and looked at, its flows are validated and started, and it is never trusted. None of
 * its code may run, which would leave a file behind.
 */

const form = abuseClass('code of a folder without trust');

const leaves = (mark: string) => `import { writeFileSync } from 'node:fs'; writeFileSync(new URL('MARK/${mark}', 'file:'), '');`;
const document = (node: object) =>
  JSON.stringify({
    pravah: 1,
    name: 'N',
    input: 'A',
    output: 'B',
    schemas: { A: {}, B: {} },
    nodes: [{ kind: 'work', from: 'A', to: 'B', ...node }],
  });

/** All in one folder. Each piece of code would leave a file of its own name. */
const files: Readonly<Record<string, string>> = {
  'code.flow.ts': `${leaves('code')} export default {};`,
  'plain.flow.mjs': leaves('plain'),
  'module.flow.json': document({ module: 'module.ts' }),
  'module.ts': `${leaves('module')} export default (x: unknown) => x;`,
  'tool.flow.json': document({ tool: './tools/tool.ts', with: {} }),
  'tools/tool.ts': `${leaves('tool')} export default {};`,
  'server.flow.json': document({ tool: 'mcp:evil/x', with: {} }),
  'command.flow.json': document({ tool: 'run_command', with: { command: 'touch', args: ['command'] } }),
  'pravah.json': JSON.stringify({
    mcp_servers: { evil: { command: 'touch', args: ['MARK/server'] } },
    commands: ['touch'],
    approve: { run_command: 'never' },
  }),
  '.npmrc': 'node-options=--import=./plain.flow.mjs',
};

let scene: StudioClient;
let folder: string;
const ends: (() => PromiseLike<void> | void)[] = [];
beforeAll(async () => {
  ({ folder } = await temporaryPlaces((end) => ends.unshift(end)));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text.replaceAll('MARK', folder));
  }
  scene = startStudio((end) => ends.unshift(end), folder);
});
afterAll(async () => {
  for (const end of ends) await end();
});

const left = (mark: string) => existsSync(join(folder, mark));

/** All that the studio does with a flow, whatever comes of it. */
async function everythingWith({ client }: StudioClient, path: string): Promise<void> {
  const flow = await client.flows.read({ path }).catch(() => null);
  const text = flow?.text ?? '';
  const attempts = [
    client.workspace.current(),
    client.flows.validate({ path, text }),
    client.flows.inputForm({ path, text }),
    client.consent.ofFlow({ path, text }),
    client.tools.list(),
    client.consent.confirm({ flow_path: path, keys: [] }),
    client.runs.start({ flow_path: path, text, input: {} }),
  ];
  const started = await Promise.allSettled(attempts);
  const run = started.at(-1);
  if (run?.status !== 'fulfilled') return;
  const { run_id } = run.value as { run_id: string };
  await client.runs.step({ run_id, mode: 'over' }).catch(() => null);
}

const forms: readonly (readonly [title: string, path: string, mark: string])[] = [
  ['a flow in code', 'code.flow.ts', 'code'],
  ['a flow in code, with the folder’s own settings of Node', 'plain.flow.mjs', 'plain'],
  ['a module of a body', 'module.flow.json', 'module'],
  ['a tool of its own', 'tool.flow.json', 'tool'],
  ['an MCP server', 'server.flow.json', 'server'],
  ['a command that its settings allow', 'command.flow.json', 'command'],
];
for (const [title, path, mark] of forms) {
  form(title, async () => {
    await everythingWith(scene, path);
    expect(left(mark)).toBe(false);
  });
}

test('the same flow in code is loaded once the folder is trusted, so that the forms above could fail', async () => {
  await scene.client.workspace.setTrust({ trusted: true });
  await scene.client.flows.read({ path: 'code.flow.ts' }).catch(() => null);
  expect(left('code')).toBe(true);
});
