// A tool of this workspace: agents, tool bodies and handlers call it as ./tools/customers.ts.
import { defineTool } from 'pravah-studio/runtime';
import { z } from 'zod';

const names: Readonly<Record<string, string>> = { 'ada@example.org': 'Ada', 'grace@example.org': 'Grace' };

export const customers = defineTool({
  name: 'customers',
  description: 'Tells the name of the customer who has a mail address.',
  input: z.object({ mail: z.string() }),
  output: z.object({ name: z.string() }),
  effect: 'read',
  call: ({ mail }) => ({ name: names[mail] ?? 'customer' }),
});
