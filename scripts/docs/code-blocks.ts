import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/checks/source-files.ts';

/**
 * A fenced code block in a README or docs/. The words after its language specify how it is tested:
 *
 * - `yaml flow`: a whole flow; `yaml node`, `yaml agent`, `yaml body`: a part of one
 * - `json settings`: (a part of) pravah.json
 * - `json supplied`: a file of pins and mocks
 * - `ts`: type-checked and run; `ts no-run`: type-checked only, the reason in parentheses
 * - `js peer=NAME`: another library's way, run by `npm run bench -- coming-from`
 * - `sh in=EXAMPLE`: run in a copy of that example's folder, `in=repository` at the top of a checkout with the examples alone;
 *   `exits=3,0` lists the exit codes of its commands; RUN is the oldest run
 * - `sh no-run`, `text`: not run, the reason for `sh` in parentheses
 *
 * An HTML comment `<!-- setup … -->` right above a `ts` or `sh` block is run before it and is not shown to readers.
 */
export interface CodeBlock {
  readonly file: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  /** The heading that it stands under, of the second level. */
  readonly heading: string;
  readonly language: string;
  readonly words: readonly string[];
  readonly setup: string;
  readonly text: string;
}

const blockPattern = /(?:^<!-- setup\n(?<setup>[\s\S]*?)\n-->\n+)?^```(?<info>[^\n]*)\n(?<text>[\s\S]*?)^```$/gm;

/** All fenced blocks of a Markdown text, in order. */
export function codeBlocksOf(file: string, markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(blockPattern)].map((match) => {
    const { setup = '', info = '', text = '' } = match.groups ?? {};
    const [language = '', ...words] = info
      .replace(/\(.*\)/, '')
      .trim()
      .split(/\s+/);
    const fence = match.index + match[0].indexOf('```');
    const line = markdown.slice(0, fence).split('\n').length;
    const heading = [...markdown.slice(0, fence).matchAll(/^## (.*)$/gm)].at(-1)?.[1] ?? '';
    return { file, line, heading, language, words, setup, text };
  });
}

/** The blocks of the READMEs and of every page in docs/. */
export function documentedBlocks(): readonly CodeBlock[] {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', 'scripts/package/README-library.md', ...pages.map((name) => `docs/${name}`)].flatMap((file) =>
    codeBlocksOf(file, readFileSync(join(ROOT, file), 'utf8')),
  );
}

/** The value of a word `name=value`. */
export const wordOf = ({ words }: CodeBlock, name: string): string | undefined =>
  words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);

/** `docs/agents.md:9`, the title of a block's test. */
export const titleOf = ({ file, line }: CodeBlock): string => `${file}:${line}`;

/** The documented output of a block: the comments `// prints TEXT` at the ends of its lines. */
export const documentedOutput = ({ text }: CodeBlock): readonly (string | undefined)[] =>
  [...text.matchAll(/\/\/ prints (.*)$/gm)].map(([, printed]) => printed);
