import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { toolNames } from '#shared/flow/tools/built-in-tools.ts';
import { type ContextOptions, createContext } from './create-context.ts';
import { parseSettings } from './settings.ts';
import { setTrusted } from './trust.ts';

let workspace: TestWorkspace;
let profile: Awaited<ReturnType<typeof temporaryProfile>>;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
  profile = await temporaryProfile();
  await workspace.write(
    'pravah.json',
    JSON.stringify({
      commands: ['git'],
      writable: ['a.flow.yaml'],
      http: { allow_private: ['localhost'] },
      approve: { write_file: 'always', run_command: 'never' },
    }),
  );
  await workspace.write('.env', 'MY_TOKEN=abcdefgh\n');
});
afterEach(async () => {
  await profile[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

const models = () => {
  throw new Error('no model is called');
};
const make = (options: Partial<ContextOptions> = {}) => createContext({ folder: workspace.folder, models, ...options });

describe('the context of a run', () => {
  test('in a folder that is not trusted has no commands, no secrets and no loosened rule of the folder', async () => {
    const context = await make();
    expect(context).toMatchObject({ trusted: false, commands: [], writable: [], allow_private: [], approve: { write_file: 'always' } });
    expect(context.approve).not.toHaveProperty('run_command');
    expect(context.secrets.has('MY_TOKEN')).toBe(false);
  });

  test('contains the settings of pravah.json in a trusted folder', async () => {
    await setTrusted(workspace.folder, true);
    const context = await make();
    expect(context).toMatchObject({ trusted: true, commands: ['git'], writable: ['a.flow.yaml'], allow_private: ['localhost'] });
    expect(context.approve).toEqual({ write_file: 'always', run_command: 'never' });
    expect(context.secrets.get('MY_TOKEN')).toBe('abcdefgh');
  });

  test('has the time zone of PYFLOW_TIMEZONE, else that of pravah.json', async () => {
    const settings = parseSettings('{"timezone": "Europe/Madrid"}');
    expect((await make({ settings })).timezone).toBe('Europe/Madrid');
    vi.stubEnv('PYFLOW_TIMEZONE', 'America/Bogota');
    expect((await make({ settings })).timezone).toBe('America/Bogota');
    vi.unstubAllEnvs();
  });

  test('treats variables that pravah.json passes to MCP servers as secrets', async () => {
    const env = { A: '{secret:PLAIN_NAME}' };
    const settings = parseSettings(JSON.stringify({ mcp_servers: { it: { command: 'server', env } } }));
    await workspace.write('.env', 'PLAIN_NAME=s3cret-of-it\nOTHER_NAME=nothing special\n');
    const { secrets } = await make({ settings, trusted: true });
    expect([secrets.get('PLAIN_NAME'), secrets.has('OTHER_NAME')]).toEqual(['s3cret-of-it', false]);
  });

  test('that the user started by name has the commands of pravah.json, and still no secrets without trust', async () => {
    const context = await make({ consented: true, allow_commands: [{ name: 'ls', args: [] }], allow_hosts: ['example.org'] });
    expect(context.commands).toEqual(['git', { name: 'ls', args: [] }]);
    expect(context.allow_hosts).toEqual(['example.org']);
    expect(context.secrets.has('MY_TOKEN')).toBe(false);
  });

  test('works in the real folder if it is opened through a link', async () => {
    await symlink(workspace.folder, join(workspace.outside, 'alias'));
    expect((await make({ folder: join(workspace.outside, 'alias') })).working_dir).toBe(workspace.folder);
  });

  test('has the built-in tools, and others under their own names', async () => {
    const context = await make();
    expect(new Set(context.tools.keys())).toEqual(new Set(toolNames));
    for (const [name, tool] of context.tools) expect(tool.name).toBe(name);
  });

  test('makes ids that sort by time', async () => {
    const { newId } = await make();
    const id = newId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Math.abs(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(10_000);
  });

  test('is not created for a path that is not a folder, nor with invalid settings', async () => {
    await expect(make({ folder: join(workspace.folder, 'missing') })).rejects.toMatchObject({ variant: 'BuildError' });
    await expect(make({ folder: join(workspace.folder, 'pravah.json') })).rejects.toMatchObject({ variant: 'BuildError' });
    await workspace.write('pravah.json', '{"command":[]}');
    await expect(make()).rejects.toMatchObject({ options: { code: 'CONFIG_SETTINGS_INVALID' } });
  });
});
