import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const lookUp = `pravah: 1
name: Look up
input: Query
output: Answer
schemas: { Query: {}, Found: {}, Answer: {} }
nodes:
  - { kind: work, title: Find it, from: Query, to: Found, expr: "{ n: n * 10 }" }
  - { kind: work, title: Sum up, from: Found, to: Answer, expr: "{ sum: n }" }
`;
const asking = `pravah: 1
name: Asking
input: Start
output: Done
schemas: { Start: {}, Told: {}, Done: {} }
nodes:
  - kind: agent
    title: Ask
    from: Start
    to: Told
    agent: { mode: chat, model: script://turns.json, tools: ["flow:./look-up.flow.yaml"] }
  - kind: work
    title: Write down
    from: Told
    to: Done
    tools: [{ use: read_file, approve: never }]
    run: "async (told, ctx) => typeof (await ctx.tools.read_file({ path: 'turns.json' }))"
`;
const turns = {
  turns: [{ tool_calls: [1, 2].map((n) => ({ tool: 'flow:./look-up.flow.yaml', input: { n } })) }, { text: 'done' }],
};

test('a flow that an agent calls is stepped into on its own canvas, and a call of code holds the run', async ({ studio }) => {
  await writeFile(join(studio.folder, 'look-up.flow.yaml'), lookUp);
  await writeFile(join(studio.folder, 'asking.flow.yaml'), asking);
  await writeFile(join(studio.folder, 'turns.json'), JSON.stringify(turns));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.getByRole('button', { name: 'asking', exact: true }).click();
  await window.drawn(2);
  await window.startPaused();
  await writeFile(
    join(studio.folder, '.pravah/breakpoints.json'),
    JSON.stringify({
      pravah_debug: 1,
      breakpoints: [{ id: 'b1', kind: 'tool', tool: 'read_file', on: 'before' }],
      watches: [],
      supplied: [],
    }),
  );

  // A request, the calls, and the first step of the first call: the canvas goes into it.
  for (const step of [1, 2]) await window.step('F11', step);
  const way = page.getByRole('navigation', { name: 'Nested in' });
  await expect(way).toContainText('asking');
  await expect(window.card('Find it')).toHaveAttribute('data-status', 'next');
  await window.step('F11', 3);
  await expect(window.card('Sum up')).toHaveAttribute('data-status', 'next');
  await expect(window.transitions.last()).toContainText('Find it · look-up');
  await expect(window.states.getByRole('row', { name: /^Found/ })).toContainText('inside look-up');
  await window.tab('Debug').click();
  const stack = page.getByRole('list', { name: 'Call stack' }).getByRole('listitem');
  await expect(stack).toHaveText([/Sum up.*called by Ask/, /Ask.*look-up/]);

  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/called.png` });
  // Out of the first call, into the second one.
  await window.give('Out', 'Shift+F11');
  await expect(window.transitions.last()).toHaveText(/^4\D/);
  await window.give('Out', 'Shift+F11');
  await expect(window.transitions.last()).toHaveText(/^6\D/);

  await page.getByRole('button', { name: 'Use them' }).click();
  await expect(page.getByRole('list', { name: 'Breakpoints' }).getByRole('listitem')).toHaveCount(1);
  // The breakpoint is inside the last step: nothing was read yet.
  await window.give('Continue', 'F5');
  await expect(window.runStatus).toContainText('held');
  await expect(page.getByText('Held at breakpoint 1', { exact: false }).first()).toBeVisible();
  await expect(page.getByText('"path": "turns.json"')).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/held.png` });
  await window.give('Over', 'F10');
  await expect(window.runStatus).toHaveAttribute('data-status', 'success');
});
