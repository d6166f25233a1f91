import { expect, test } from 'vitest';
import { workspaceAsks } from './tool-policy.ts';

test.each([
  [{ write_file: 'always' }, 'write_file', true],
  [{ write_file: 'never' }, 'write_file', false],
  [{ 'mcp:github/*': 'always' }, 'mcp:github/search', true],
  [{ 'mcp:github/search': 'always' }, 'mcp:github/search', true],
  [{ 'mcp:github/search': 'always' }, 'mcp:github/merge', false],
  [{ 'mcp:git/*': 'always' }, 'mcp:github/search', false],
] as const)('with %j, a call of %s asks: %s', (approve, tool, asks) => {
  expect(workspaceAsks(approve as Readonly<Record<string, 'always' | 'never'>>, tool)).toBe(asks);
});
