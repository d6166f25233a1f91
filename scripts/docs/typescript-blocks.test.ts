import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { UserProject } from '#tests/package/user-project.ts';
import { type CodeBlock, documentedBlocks, documentedOutput, titleOf } from './code-blocks.ts';

const blocks = documentedBlocks().filter(({ language }) => language === 'ts');
const fileOf = ({ file, line }: CodeBlock) => `${file.replaceAll(/\W/g, '-')}-${line}.ts`;

describe('TypeScript in the documentation', { timeout: 120_000 * slowness }, () => {
  let project: UserProject;

  beforeAll(() => {
    project = new UserProject();
    // Each block is a separate module.
    for (const block of blocks) project.write(fileOf(block), `${block.setup}\n${block.text}\nexport {};\n`);
  }, 120_000 * slowness);

  afterAll(() => project[Symbol.dispose]());

  test('compiles in a strict project', () => {
    expect(project.typeErrors(blocks.map(fileOf))).toBe('');
  });

  const executed = blocks.filter(({ words }) => !words.includes('no-run'));
  test.each(executed.map((block) => [titleOf(block), block] as const))('%s prints its documented output', (_title, block) => {
    expect(project.run(fileOf(block)).trim().split('\n').filter(Boolean)).toEqual(documentedOutput(block));
  });
});
