import { z } from 'zod';

/** The workspaces that the studio brings along, the one of the first start first. Each runs without a key. */
export const examples = [
  {
    name: 'release-notes',
    title: 'Release notes',
    description: 'An agent drafts a changelog from a git log, and asks before it writes.',
  },
  {
    name: 'ticket-triage',
    title: 'Ticket triage',
    description: 'A loop scores a folder of tickets; the final word is yours.',
  },
  {
    name: 'code-first',
    title: 'A flow in code',
    description: 'The same engine from TypeScript: typed states, tools of the folder.',
  },
  {
    name: 'pyflow',
    title: 'A PyFlow workflow',
    description: 'A workflow.yaml with models, Python functions, tools and parallel branches, as it is.',
  },
] as const;

export const exampleNameSchema = z.enum(examples.map(({ name }) => name));
export type ExampleName = z.infer<typeof exampleNameSchema>;
