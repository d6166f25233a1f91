import { expect, test } from 'vitest';
import type { McpServerInfo } from '#shared/contract/mcp.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import { toolGroups, waitingForApproval } from './tool-groups.ts';

const tool = (name: string, server: string | null = null): ToolInfo => ({
  name,
  description: name === 'alert' ? 'Sends a message to a webhook' : '',
  input_schema: {},
  effect: 'read',
  asks: false,
  server,
});
const offered = (name: string, standing: McpServerInfo['tools'][number]['standing']): McpServerInfo['tools'][number] => ({
  name,
  description: '',
  input_schema: {},
  read_only: true,
  destructive: false,
  standing,
  fingerprint: name,
  changes: [],
});
const server: McpServerInfo = {
  name: 'github',
  transport: 'stdio',
  target: 'npx',
  state: 'idle',
  server: null,
  last_error: null,
  last_words: '',
  tools: [offered('search', 'approved'), offered('merge', 'new'), offered('close', 'changed'), offered('old', 'gone')],
  faults: [],
};
const tools = [
  tool('alert'),
  tool('read_file'),
  tool('something_of_tomorrow'),
  tool('./tools/crm.ts'),
  tool('mcp:github/search', 'github'),
];
const shown = (query: string) =>
  toolGroups(tools, [server], query).map(({ heading, tools: own }) => [heading, ...own.map(({ name }) => name)]);

test('groups tools by subject, folder and server, and the others under More', () => {
  expect(shown('')).toEqual([
    ['Files', 'read_file'],
    ['The web', 'alert'],
    ['This folder', './tools/crm.ts'],
    ['More', 'something_of_tomorrow'],
    ['github', 'mcp:github/search'],
  ]);
});

test('finds each word of a query in names and descriptions, and servers by their names', () => {
  expect(shown('webhook message')).toEqual([['The web', 'alert']]);
  expect(shown('GitHub')).toEqual([['github', 'mcp:github/search']]);
  expect(shown('mcp')).toEqual([['github', 'mcp:github/search']]);
  expect(shown('nothing like it')).toEqual([]);
});

test('counts new and changed tools as waiting for approval', () => {
  expect(waitingForApproval(server)).toBe(2);
});
