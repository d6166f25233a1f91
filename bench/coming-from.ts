// npm run bench -- coming-from [--peers DIR]: runs the other libraries' blocks of docs/coming-from.md and counts the lines of all of them.
import { parseArgs } from 'node:util';
import { type CodeBlock, documentedBlocks, documentedOutput, titleOf, wordOf } from '#scripts/docs/code-blocks.ts';
import { PeersFolder } from './peers-folder.ts';

/** The versions that the page names. */
const packages = [
  '@langchain/langgraph@1.7.3',
  '@langchain/core@1.4.0',
  'langchain@1.5.14',
  '@mastra/core@1.71.0',
  'ai@7.0.173',
  'xstate@5.33.3',
  'zod@4.6.7',
];
const columns = ['pravah', 'langgraph', 'mastra', 'xstate'] as const;
type Column = (typeof columns)[number];

const { values } = parseArgs({ options: { peers: { type: 'string' } } });
using folder = new PeersFolder(packages, values.peers);

/** What the block is written with. */
const columnOf = (block: CodeBlock): Column => columns.find((column) => column === wordOf(block, 'peer')) ?? 'pravah';

/** The lines of the block that hold code. */
const linesOf = ({ text }: CodeBlock): number => text.split('\n').filter((line) => line.trim() && !line.trim().startsWith('//')).length;

/** Runs the block in the folder of the peers. Returns what is wrong, or null. */
function runPeer(block: CodeBlock): string | null {
  const { status, stdout, stderr } = folder.run(`${block.setup}\n${block.text}`);
  const expected = documentedOutput(block).join('\n');
  if (status === 0 && stdout === expected) return null;
  return `It should print\n${expected}\nand printed\n${stdout}\n${stderr}`;
}

const blocks = documentedBlocks().filter(
  ({ file, language }) => file === 'docs/coming-from.md' && (language === 'ts' || language === 'js'),
);
const tasks = new Map<string, Partial<Record<Column, number>>>();
for (const block of blocks) {
  const column = columnOf(block);
  const problem = column === 'pravah' ? null : runPeer(block);
  if (problem !== null) {
    console.error(`${titleOf(block)} (${column}) does not run as documented. ${problem}\n`);
    process.exitCode = 1;
  }
  const task = tasks.get(block.heading) ?? {};
  tasks.set(block.heading, { ...task, [column]: linesOf(block) });
}
console.log(`| lines | ${columns.join(' | ')} |\n|---|${'---:|'.repeat(columns.length)}`);
for (const [task, lines] of tasks) console.log(`| ${task} | ${columns.map((column) => lines[column] ?? '–').join(' | ')} |`);
