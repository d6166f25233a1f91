import { describe, expect, it } from 'vitest';
import { parseModelUrl } from './model-url.ts';

describe('parseModelUrl', () => {
  it.each([
    ['openai://gpt-4o', { provider: 'openai', model: 'gpt-4o' }],
    ['claude://claude-x', { provider: 'anthropic', model: 'claude-x' }],
    ['gemini://gemini-2.5-pro', { provider: 'gemini', model: 'gemini-2.5-pro' }],
    ['ollama://localhost:11434/llama3:8b', { provider: 'ollama', host: 'localhost', port: 11434, model: 'llama3:8b' }],
    ['ollama://[::1]/q', { provider: 'ollama', host: '[::1]', port: 11434, model: 'q' }],
    ['genai://groq/meta/llama', { provider: 'genai', service: 'groq', model: 'meta/llama' }],
    ['llama://models/a b.gguf', { provider: 'llama', path: 'models/a b.gguf' }],
    ['script://answers.json', { provider: 'script', path: 'answers.json' }],
  ])('reads %s', (url, model) => {
    expect(parseModelUrl(url)).toEqual({ ok: true, model });
  });

  it.each([
    'gpt-4o',
    'telepathy://alice',
    'openai://',
    'ollama://host',
    'ollama://host:99999/m',
    'genai://groq',
    'script://x.txt',
    'openai://a b',
    'OPENAI://x',
    '',
  ])('refuses %s', (url) => {
    expect(parseModelUrl(url)).toMatchObject({ ok: false });
  });

  it.each([
    'openai://sk-1234567890abcdef1234@gpt-4o',
    'openai://sk-1234567890abcdef1234',
    'ollama://me:pw@host/m',
    'gemini://m?key=abcdef',
    'genai://k3y@groq/m',
  ])('refuses the key in %s without repeating it', (url) => {
    const parsed = parseModelUrl(url);
    expect(parsed).toMatchObject({ ok: false, message: expect.stringMatching(/contains a key.*key chain/s) });
    expect(JSON.stringify(parsed)).not.toMatch(/1234|pw|abcdef|k3y/);
  });
});
