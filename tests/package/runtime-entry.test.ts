import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { UserProject } from './user-project.ts';

const root = join(import.meta.dirname, '../..');

let project: UserProject;

beforeAll(() => {
  project = new UserProject();
}, 120_000 * slowness);

afterAll(() => project[Symbol.dispose]());

function run(name: string, text: string): string {
  project.write(name, text);
  return project.run(name);
}

const counting = `
  import { z } from 'zod';
  import { createContext, defineFlow, FlowRuntime, left, openJournal, right, state } from 'pravah-studio/runtime';
  const [Count, Seen] = ['Count', 'Seen'].map((name) => state(name, z.object({ n: z.number() })));
  const Total = state('Total', z.object({ total: z.number() }));
  const flow = defineFlow({ input: Count, output: Total })
    .either(Count, [Seen, Total], ({ n }) => (n < 3 ? left({ n: n + 1 }) : right({ total: n })))
    .work(Seen, Count, async (seen) => seen)
    .build();
  const ctx = await createContext();
  const finish = async (run) => {
    for (;;) {
      const out = await run.next(ctx);
      if (out.type !== 'continue') return out;
    }
  };
`;

describe('pravah-studio/runtime, installed elsewhere', { timeout: 120_000 * slowness }, () => {
  test('runs a flow from plain JavaScript', () => {
    const printed = run('memory.js', `${counting} console.log(JSON.stringify(await finish(FlowRuntime.new(flow, { n: 0 }))));`);
    expect(JSON.parse(printed)).toEqual({ type: 'done', output: { total: 3 } });
  });

  test('writes runs down, and takes them up in another process', () => {
    const begun = run(
      'begin.js',
      `${counting}
      const journal = await openJournal('runs.db');
      const run = journal.start(flow, { n: 0 });
      await run.next(ctx);
      await run.next(ctx);
      console.log(run.run_id);
      journal.close();`,
    );
    const ended = run(
      'end.js',
      `${counting}
      const journal = await openJournal('runs.db');
      const run = journal.open(flow, ${JSON.stringify(begun.trim())});
      console.log(JSON.stringify([run.snapshot().seq, await finish(run), journal.runs()]));
      journal.close();`,
    );
    expect(JSON.parse(ended)).toEqual([2, { type: 'done', output: { total: 3 } }, [begun.trim()]]);
  });

  test('does an effect once, although its step fails and is tried again in a new process', () => {
    const flow = `
      import { appendFileSync } from 'node:fs';
      import { createContext, defineFlow, jsonSchema, openJournal, state } from 'pravah-studio/runtime';
      const [A, B, C] = ['A', 'B', 'C'].map((name) => state(name, jsonSchema({ type: 'number' })));
      const flow = defineFlow({ input: A, output: C })
        .work(A, B, (n) => { appendFileSync('effects.log', 'A'); return n + 1; })
        .work(B, C, (n) => { appendFileSync('effects.log', 'B'); if (process.env.BROKEN) throw new Error('not now'); return n + 1; })
        .build();
      const ctx = await createContext();
      const journal = await openJournal('effects.db');
      const run = process.argv[2] ? journal.open(flow, journal.runs()[0]) : journal.start(flow, 1);
    `;
    project.write(
      'flow.js',
      `${flow} const out = [];
      try { for (;;) { const { type } = await run.next(ctx); out.push(type); if (type !== 'continue') break; } } catch (error) { out.push(error.variant); }
      journal.close();
      console.log(out.join(' '));`,
    );
    const go = (args: readonly string[], env: NodeJS.ProcessEnv) => project.run('flow.js', args, env).trim();
    expect(go([], { BROKEN: '1' })).toBe('continue HandlerError');
    expect(go(['again'], { BROKEN: '' })).toBe('done');
    expect(readFileSync(join(project.folder, 'effects.log'), 'utf8')).toBe('ABB');
  });

  test('runs the example', () => {
    cpSync(join(root, 'resources/examples/code-first'), project.folder, { recursive: true });
    const printed = project.run('ticket-replies.flow.ts', ['The site is down']);
    expect(printed).toMatch(/^proof: sound\n.*Dear Ada, about "The site is down": we are on it. \| paged: on-call\n$/s);
  });

  test('loads neither ajv nor zod nor a sandbox nor SQLite before they are needed', () => {
    const printed = run(
      'import.js',
      `import { createRequire, registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      await import('pravah-studio/runtime');
      const cached = Object.keys(createRequire(import.meta.url).cache);
      // The table of formats is one small file without imports, which the interpreter of schemas has in browsers, too.
      const table = /ajv-formats.dist.formats.js$/;
      const late = (path) => /ajv|zod|quickjs|sqlite|re2js|amaro|parse5|yaml/.test(path) && !table.test(path);
      console.log(JSON.stringify([...loaded, ...cached].filter(late)));`,
    );
    expect(JSON.parse(printed)).toEqual([]);
  });

  test('has types that a strict project of another folder can use', () => {
    const source = `
      import { z } from 'zod';
      import { analyse, createContext, defineFlow, defineTool, FlowError, FlowRuntime, loadDocument, openJournal, state } from 'pravah-studio/runtime';
      const A = state('A', z.object({ n: z.number() }));
      const B = state('B', z.object({ text: z.string() }));
      const flow = defineFlow({ input: A, output: B }).work(A, B, ({ n }) => ({ text: String(n) }), { pure: true }).build();
      const run = FlowRuntime.new(flow, { n: 1 });
      const out = await run.next(await createContext({ working_dir: '.', commands: ['git'] }));
      if (out.type === 'done') { const text: string = out.output.text; console.log(text, analyse(flow).status, FlowError.name); }
      const journal = await openJournal('runs.db');
      const recorded = await journal.start(flow, { n: 2 }).next(await createContext());
      if (recorded.type === 'done') recorded.output.text.length;
      (await loadDocument('a.flow.yaml')).problems.length;
      const tool = defineTool({ name: 'double', description: 'Doubles.', input: z.object({ n: z.number() }), output: z.number(), call: ({ n }) => n * 2 });
      await createContext({ tools: [tool] });
      // @ts-expect-error an input of another shape
      FlowRuntime.new(flow, { n: 'one' });
      // @ts-expect-error a handler of another shape
      defineFlow({ input: A, output: B }).work(A, B, () => ({ text: 1 }));
    `;
    project.write('main.ts', source);
    expect(project.typeErrors(['main.ts'])).toBe('');
  });
});
