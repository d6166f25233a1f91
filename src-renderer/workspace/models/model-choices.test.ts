import { expect, test } from 'vitest';
import type { ModelProvider } from '#shared/contract/models.ts';
import { type ModelChoices, modelHint, offeredModels } from './model-choices.ts';

const provider = (id: string, key: ModelProvider['key'] = 'stored'): ModelProvider => ({
  id,
  kind: 'vendor',
  prefix: `${id}://`,
  endpoint: null,
  endpoint_from: 'default',
  key,
  key_variable: `${id.toUpperCase()}_API_KEY`,
  key_set_at: null,
  problem: null,
});
const choices: ModelChoices = { providers: [provider('openai'), provider('gemini', 'none')], default_model: null, listed: {} };

test('offers what providers list, else the beginnings of their URLs, the default first', () => {
  expect(offeredModels(choices)).toEqual(['openai://', 'gemini://', 'script://']);
  const listed = { openai: ['openai://a', 'openai://b'], gemini: 'failed' } as const;
  expect(offeredModels({ ...choices, listed, default_model: 'openai://b' })).toEqual([
    'openai://b',
    'openai://a',
    'gemini://',
    'script://',
  ]);
  expect(offeredModels({ providers: [], default_model: null, listed: {} })).toContain('ollama://127.0.0.1:11434/');
});

test('hints at a missing key, a loading list and a failed list', () => {
  expect(modelHint('gemini://x', choices)).toMatch('No key for gemini');
  expect(modelHint('openai://x', { ...choices, listed: { openai: 'loading' } })).toMatch('Loading models of openai');
  expect(modelHint('openai://x', { ...choices, listed: { openai: 'failed' } })).toMatch('You can type any name');
  expect(modelHint('script://x', choices)).toBeNull();
});
