import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandFolder } from '#main/hosts/cli/testing/command.ts';
import type { Capability } from '#shared/flow/capabilities/capability.ts';

let it: CommandFolder;
beforeEach(() => {
  it = new CommandFolder();
});
afterEach(() => it.remove());

test('pravah capabilities lists the capabilities of a flow under the folder’s settings', async () => {
  it.write('pravah.json', { commands: ['make'] });
  it.write('test.flow.json', {
    pravah: 1,
    name: 'Test',
    input: 'A',
    output: 'C',
    schemas: { A: {}, B: {}, C: {} },
    nodes: [
      { kind: 'work', from: 'A', to: 'B', tool: 'http_request', with: { url: 'https://api.example.com/{id}' } },
      { kind: 'agent', from: 'B', to: 'C', agent: { model: 'openai://gpt-4o', tools: ['run_command'] } },
    ],
  });
  const { code, stdout } = await it.run('capabilities', 'test.flow.json', '--json');
  const found = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Capability);
  expect(code).toBe(0);
  expect(found.map(({ kind, name, nodes }) => `${kind} ${name} by ${nodes.join()}`)).toEqual([
    'model openai://gpt-4o by B',
    'host api.example.com by A',
    'command make by B',
    'tool http_request by A',
    'tool run_command by B',
  ]);
  expect((await it.run('capabilities', 'test.flow.json')).stdout).toMatch(/command +make +anything that this program can do +B/);
});

test('pravah secret takes a secret from standard input only, and never shows it', () => {
  const program = fileURLToPath(new URL('main.ts', import.meta.url));
  const pravah = (words: readonly string[], input = '') =>
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'secret', ...words], {
      cwd: it.folder,
      env: { ...process.env, PRAVAH_HOME: `${it.root}/home` },
      input,
      encoding: 'utf8',
    });
  const value = 'a-secret-from-standard-input';
  expect(pravah(['set', 'TOKEN', '--host', 'api.example.com', '--host', 'localhost:8080'], `${value}\n`).status).toBe(0);
  const listed = pravah(['list', '--json']);
  expect(listed.stdout).toBe('{"name":"TOKEN","hosts":["api.example.com","localhost:8080"]}\n');
  expect(pravah(['set', 'TOKEN'], value)).toMatchObject({ status: 2, stderr: expect.stringContaining('--host') });
  const refused = pravah(['set', 'TOKEN', '--host', '*'], value);
  expect([refused.status === 0, refused.stderr.includes(value)]).toEqual([false, false]);
  expect(pravah(['remove', 'TOKEN']).status).toBe(0);
  expect(pravah(['list']).stdout).toBe('');
});

test('pravah permissions lists and revokes permissions', async () => {
  it.write('pravah.json', {});
  it.write('plain.flow.json', { pravah: 1, name: 'P', input: 'A', output: 'A', schemas: { A: {} }, nodes: [] });
  await it.run('validate', 'plain.flow.json', '--trust');
  const listed = async () => (await it.run('permissions', 'list', '--json', '--folder', '.')).stdout.trim();
  expect(JSON.parse(await listed())).toEqual({ folder: it.folder, exists: true, trusted: true, flows: [], servers: [] });
  expect(await it.run('permissions', 'withdraw', '--folder', '.')).toMatchObject({ code: 2 });
  const nothing = await it.run('permissions', 'withdraw', '--folder', '.', '--server', 'it');
  expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('no approved tools of the MCP server it')]);
  expect(await it.run('permissions', 'withdraw', '--folder', '.', '--trust')).toMatchObject({ code: 0 });
  expect(await listed()).toBe('');
});
