import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { FlowError } from '#shared/run/error.ts';
import { defaultSettings, loadSettings, parseSettings } from './settings.ts';

function mistakes(text: string): unknown {
  try {
    parseSettings(text);
  } catch (error) {
    if (error instanceof FlowError) return error.options.details?.problems;
    throw error;
  }
  throw new Error('there is no mistake');
}

describe('pravah.json', () => {
  test('is empty by default', () => {
    expect(defaultSettings).toEqual({
      commands: [],
      writable: [],
      http: { allow_private: [] },
      mask: [],
      providers: {},
      mcp_servers: {},
      approve: {},
      prices: {},
      secrets: {},
      endpoints: {},
      conversations: {},
      python: { env: [] },
      openapi_tools: {},
    });
    expect(parseSettings('{}')).toEqual(defaultSettings);
  });

  test('says how a known provider is called without its address, of a service only with it', () => {
    const limits = { retry: { attempts: 2 }, rate: { concurrent: 3 } };
    expect(parseSettings(JSON.stringify({ providers: { openai: limits } })).providers).toEqual({ openai: limits });
    expect(mistakes(JSON.stringify({ providers: { groq: limits } }))).toMatchObject([{ path: '/providers/groq/base_url' }]);
    expect(mistakes(JSON.stringify({ providers: { openai: { retry: { attempts: 100 } } } }))).toMatchObject([
      { path: '/providers/openai/retry/attempts' },
    ]);
  });

  test('is read as written', () => {
    const text = JSON.stringify({
      $schema: './pravah.schema.json',
      commands: ['ls', { name: 'git', args: ['log', '--oneline', '*'] }],
      writable: ['docs/*.flow.yaml'],
      http: { allow_private: ['localhost:8080', '10.0.0.0/8'] },
      providers: { groq: { base_url: 'https://api.example.org/v1', key: 'GROQ_API_KEY' } },
      mcp_servers: { files: { command: 'npx', args: ['server'], env: { A: 'b' } }, remote: { url: 'https://example.org/mcp' } },
      approve: { run_command: 'always', write_file: 'never' },
    });
    expect(parseSettings(text)).toMatchObject({ approve: { write_file: 'never' }, mcp_servers: { remote: { headers: {} } } });
  });

  test.each([
    ['{"comands":[]}', '/comands', 'unknown key "comands"'],
    ['{"http":{"allow_privat":[]}}', '/http/allow_privat', 'unknown key "allow_privat"'],
    ['{"commands":["/bin/sh"]}', '/commands/0', 'without separators'],
    ['{"commands":[{"name":"git","args":[],"arguments":[]}]}', '/commands/0/arguments', 'unknown key'],
    ['{"commands":[{"name":"git"}]}', '/commands/0/args', 'expected array'],
    ['{"commands":[5]}', '/commands/0', 'Invalid input'],
    ['{"commands":"git"}', '/commands', 'expected array'],
    ['{"timezone":"Mars/Olympus"}', '/timezone', 'a time zone such as "Europe/Madrid"'],
    ['{"approve":{"write_file":"sometimes"}}', '/approve/write_file', 'Invalid option'],
    ['{"providers":{"x":{"base_url":"file:///etc"}}}', '/providers/x/base_url', 'Invalid URL'],
    ['[]', '', 'expected object'],
  ])('%s has a mistake at %j', (text, path, words) => {
    expect(mistakes(text)).toEqual([{ path, message: expect.stringContaining(words) }]);
  });

  test('reports all its errors at once', () => {
    expect(mistakes('{"a":1,"commands":[1],"writable":[""]}')).toHaveLength(3);
  });

  test.each([
    ['{"commands": [}', 'line 1, column 15'],
    ['{\n  // why\n}', 'line 2, column 3'],
    ['{"writable":[],}', 'line 1, column 16'],
    ['', 'line 1, column 1'],
  ])('%j is not JSON', (text, place) => {
    expect(mistakes(text)).toEqual([{ path: '', message: expect.stringContaining(place) }]);
  });

  const noStranger = skipUnless(process.getuid?.() === 0, 'settings of another user', 'giving files away needs root');
  test.skipIf(noStranger)('of a user who owns neither its folder nor this process is refused', async () => {
    await using profile = await temporaryProfile();
    const file = join(profile.root, 'pravah.json');
    await writeFile(file, '{}');
    await chown(file, 65_534, 65_534);
    await expect(loadSettings(profile.root)).rejects.toThrow('belongs to another user (uid 65534)');
    await chown(profile.root, 65_534, 65_534);
    expect(await loadSettings(profile.root)).toEqual(defaultSettings);
  });

  test('that cannot be read never counts as an empty one', async () => {
    await using profile = await temporaryProfile();
    expect(await loadSettings(profile.root)).toEqual(defaultSettings);
    await writeFile(join(profile.root, 'pravah.json'), Uint8Array.of(0x7b, 0xff, 0x7d));
    await expect(loadSettings(profile.root)).rejects.toThrow("pravah.json can't be read");
  });
});

test('prices of models are read per million tokens, and faults of them are reported', () => {
  const written = { 'openai://gpt-4o': { in: 2.5, out: 10, cached_in: 1.25, currency: 'USD' }, 'x://y': { in: 0, out: 1 } };
  expect(parseSettings(JSON.stringify({ prices: written })).prices).toEqual({
    'openai://gpt-4o': { input: 2.5, output: 10, cached_input: 1.25, currency: 'USD' },
    'x://y': { input: 0, output: 1 },
  });
  const wrong = JSON.stringify({ prices: { 'x://y': { in: -1, out: 1, currency: 'euro' } } });
  expect(() => parseSettings(wrong)).toThrow(/\/prices\/x:~1~1y\/in: .*\/prices\/x:~1~1y\/currency: a currency code/);
});
