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

test('says what stands in the way of a model', () => {
  expect(modelHint('gemini://x', choices)).toMatch('no key for gemini');
  expect(modelHint('openai://x', { ...choices, listed: { openai: 'loading' } })).toMatch('Asking openai');
  expect(modelHint('openai://x', { ...choices, listed: { openai: 'failed' } })).toMatch('Any name can be typed');
  expect(modelHint('script://x', choices)).toBeNull();
});
