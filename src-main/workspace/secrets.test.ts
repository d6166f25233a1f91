import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { readDotEnv, secretsOf } from './secrets.ts';

test('.env is read and never exported', async () => {
  await using profile = await temporaryProfile();
  expect(await readDotEnv(profile.root)).toEqual({});
  await writeFile(join(profile.root, '.env'), '# comment\nA=1\nexport MY_TOKEN="with space"\nMULTI="two\nlines"\nEMPTY=\n');
  expect(await readDotEnv(profile.root)).toEqual({ A: '1', MY_TOKEN: 'with space', MULTI: 'two\nlines', EMPTY: '' });
  expect(process.env.MY_TOKEN).toBeUndefined();
});

test('recognizes secrets by variable name, and provider keys', () => {
  const dotEnv = {
    MY_API_KEY: 'key-1',
    GITHUB_TOKEN: 'key-2',
    DB_PASSWORD: 'key-3',
    DATABASE_URL: 'postgres://u:p@host/db',
    client_secret: 'key-4',
    NODE_ENV: 'development',
    KEYBOARD: 'qwertz',
    MONKEY: 'banana',
    BASE_URL: 'https://example.org',
    EMPTY_KEY: '',
  };
  const secrets = secretsOf(dotEnv, { OPENAI_API_KEY: 'sk-1', HOME: '/home/ann', OTHER_API_KEY: 'not ours' });
  expect([...secrets.keys()]).toEqual(['OPENAI_API_KEY', 'MY_API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD', 'DATABASE_URL', 'client_secret']);
});

test("the folder's own value wins over the environment's", () => {
  expect(secretsOf({ OPENAI_API_KEY: 'from the folder' }, { OPENAI_API_KEY: 'from outside' }).get('OPENAI_API_KEY')).toBe(
    'from the folder',
  );
});

test('a variable that pravah.json declares as a key is a secret, regardless of its name', () => {
  const dotEnv = { GROQ: 'value-1', OTHER: 'value-2' };
  expect([...secretsOf(dotEnv, {}, ['GROQ', 'ABSENT']).keys()]).toEqual(['GROQ']);
});
