import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { suppliedFaults } from '#main/debug/check-supplied.ts';
import { suppliedIn } from '#main/hosts/cli/session/supply-options.ts';
import { loadDocument } from '#main/sdk/load-document.ts';
import { loadWorkflow } from '#main/workspace/load-workflow.ts';
import { defaultSettings, settingsSchema } from '#main/workspace/settings.ts';
import { temporaryFolder } from '#scripts/temporary-folder.ts';
import { coverageSchema } from '#shared/contract/coverage.ts';
import { type NodeKind, nodeKinds, nodeSchemas } from '#shared/flow/document.ts';
import { type CodeBlock, documentedBlocks, titleOf, wordOf } from './code-blocks.ts';

const anyNode = z.union(nodeKinds.map((kind: NodeKind) => nodeSchemas[kind]));
const agentSettings = nodeSchemas.agent.shape.agent;

/** Checks of data blocks by their kind. Each returns the errors of a block. */
const checks: Readonly<Record<string, (text: string) => Promise<readonly unknown[]> | readonly unknown[]>> = {
  flow: async (text) => {
    using folder = temporaryFolder({});
    const file = join(folder.path, 'documented.flow.yaml');
    writeFileSync(file, text);
    return (await loadDocument(file)).problems;
  },
  node: (text) => [parse(text)].flat().flatMap((node) => issues(anyNode, node)),
  agent: (text) => {
    const { agent = parse(text) } = parse(text);
    return issues(agentSettings, { model: 'script://model.json', ...agent });
  },
  body: (text) => issues(nodeSchemas.work, { kind: 'work', from: 'A', to: 'B', ...parse(text) }),
  workflow: (text) => {
    using folder = temporaryFolder({});
    const loaded = loadWorkflow(text, 'workflow.yaml', { folder: folder.path, settings: defaultSettings, trusted: false });
    return loaded.problems;
  },
  settings: (text) => issues(settingsSchema, JSON.parse(text)),
  coverage: (text) => issues(coverageSchema.extend({ type: z.literal('coverage') }).strict(), JSON.parse(text)),
  supplied: (text) => suppliedFaults(null, suppliedIn(JSON.parse(text), 'the block', 'a.flow.yaml'), () => undefined),
};

const issues = (schema: z.ZodType, value: unknown): readonly unknown[] => schema.safeParse(value).error?.issues ?? [];

const isData = ({ language }: CodeBlock) => language === 'yaml' || language === 'json';

describe('data in the documentation', () => {
  test.each(
    documentedBlocks()
      .filter(isData)
      .map((block) => [titleOf(block), block] as const),
  )('%s is valid', async (_title, block) => {
    const check = checks[block.words[0] ?? ''];
    expect(check, `a ${block.language} block states its kind: ${Object.keys(checks).join(', ')}`).toBeDefined();
    expect(await check?.(block.text)).toEqual([]);
  });

  test('a part of a flow with an unknown field is refused', () => {
    expect(checks.body?.('tool: read_file\nwth: {}')).not.toEqual([]);
    expect(checks.agent?.('mode: redundent')).not.toEqual([]);
    expect(checks.settings?.('{ "comands": [] }')).not.toEqual([]);
  });
});

test('every code block in the documentation states how it is tested', () => {
  const tested = ['yaml', 'json', 'ts', 'sh', 'text'];
  const isPeers = (block: CodeBlock) => block.language === 'js' && wordOf(block, 'peer') !== undefined;
  const others = documentedBlocks().filter((block) => !tested.includes(block.language) && !isPeers(block));
  expect(others.map(titleOf)).toEqual([]);
});
