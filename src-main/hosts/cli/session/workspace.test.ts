import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandFolder } from '#main/hosts/cli/testing/command.ts';

// Each command is a process, and a machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

let it: CommandFolder;
beforeEach(() => {
  it = new CommandFolder();
  mkdirSync(join(it.folder, 'flows'));
  it.write('flows/double.flow.json', {
    pravah: 1,
    name: 'Double',
    input: 'A',
    output: 'B',
    schemas: { A: {}, B: {} },
    nodes: [{ kind: 'work', from: 'A', to: 'B', run: '(a) => a' }],
  });
});
afterEach(() => it.remove());

test('a command prints the workspace if it is a parent folder of the flow', async () => {
  it.write('pravah.json', {});
  const { code, stderr } = await it.run('run', 'flows/double.flow.json', '--json');
  expect([code, stderr]).toEqual([0, `Workspace: ${it.folder}\n`]);
  expect(readdirSync(it.folder)).toContain('.pravah');
  const named = await it.run('run', 'flows/double.flow.json', '--folder', '.', '--json');
  expect([named.code, named.stderr]).toEqual([0, '']);
});

test('a folder .pravah above a flow does not make that folder its workspace', async () => {
  mkdirSync(join(it.folder, '.pravah'));
  const { code, stderr } = await it.run('run', 'flows/double.flow.json', '--json');
  expect([code, stderr]).toEqual([0, '']);
  expect(readdirSync(join(it.folder, 'flows'))).toContain('.pravah');
  expect(readdirSync(join(it.folder, '.pravah'))).toEqual([]);
});

test('--trust names the folder that becomes trusted, once', async () => {
  it.write('pravah.json', {});
  const first = await it.run('run', 'flows/double.flow.json', '--trust');
  expect(first.stderr).toContain(`Workspace: ${it.folder}\nTrusted folder: ${it.folder}\n`);
  expect((await it.run('run', 'flows/double.flow.json', '--trust')).stderr).not.toContain('Trusted');
});

test.skipIf(process.platform === 'win32')('a run leaves .pravah readable by its owner only', async () => {
  await it.run('run', 'flows/double.flow.json', '--folder', '.');
  const mode = (path: string) => (statSync(join(it.folder, path)).mode & 0o777).toString(8);
  expect([mode('.pravah'), mode('.pravah/runs.db'), mode('.pravah/.gitignore')]).toEqual(['700', '600', '600']);
});
