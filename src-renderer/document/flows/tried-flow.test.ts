import { expect, test } from 'vitest';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { isTriedPath, triedPath } from '#shared/flow/tried-path.ts';
import { triedFlow } from './tried-flow.ts';

test.each(['read_file', 'mcp:it/greet', './tools/it"s.ts'])('trying %s is a flow of one node that may call it and nothing else', (name) => {
  const path = triedPath(name);
  const { outline, problems } = parseFlow(triedFlow({ name, input_schema: { type: 'object' } }), path);
  expect([problems, outline.nodes?.map(({ raw }) => raw.tools), isTriedPath(path)]).toEqual([[], [[name]], true]);
});

test('does not treat a file as a tried tool', () => expect(isTriedPath('flows/try.flow.json')).toBe(false));
