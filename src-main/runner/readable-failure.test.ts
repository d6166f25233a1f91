import { afterEach, beforeEach, expect, test } from 'vitest';
import { readableFailure } from '#main/debug/readable-failure.ts';
import { errorOf } from '#main/journal/journal.ts';
import type { Json } from '#shared/json.ts';
import { summaryOf } from './run-views.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

const number = { type: 'number' };
const halve = (title?: string): Json => ({
  ...(documentOf('Order', 'Half', [{ kind: 'work', ...(title && { title }), from: 'Order', to: 'Half', expr: '"much"' }]) as object),
  schemas: { Order: {}, Half: number },
});

/** Runs a flow that fails, and returns the message on record and the one for people. */
async function failed(document: Json, input: Json): Promise<[recorded: string | undefined, shown: string | undefined]> {
  const { runId, ...executor } = await space.start(document, input).then(async (run) => ({ runId: run.runId, ...(await run.continue()) }));
  expect(executor.status).toBe('error');
  const row = space.journal.row(runId);
  return [errorOf(space.journal, row)?.message, summaryOf(space.journal, row, 0).error?.message];
}

test('a failure in an item names its place in the window and the title of its node, and the record keeps the ids', async () => {
  space.write('half.flow.json', halve('Halve it'));
  const document = {
    ...(documentOf('Orders', 'Halves', [
      { kind: 'each', title: 'Price all', from: 'Orders', to: 'Halves', flow: './half.flow.json' },
    ]) as object),
    schemas: { Orders: { type: 'array', items: {} }, Halves: { type: 'array', items: number } },
  };
  const [recorded, shown] = await failed(document as Json, [1, 2]);
  expect(recorded).toMatch(/^Orders\[0\]::Order does not give a Half: /);
  expect(shown).toMatch(/^Price all › item 1 › Halve it does not give a Half: /);
});

test('a failure in a nested flow names its states as their file does', async () => {
  space.write('part.flow.json', {
    ...(documentOf('Order', 'Half', [
      { kind: 'work', from: 'Order', to: 'Middle', expr: '"much"' },
      { kind: 'work', from: 'Middle', to: 'Half', expr: '1' },
    ]) as object),
    schemas: { Order: {}, Middle: number, Half: {} },
  });
  const outer = documentOf('A', 'Z', [
    { kind: 'work', from: 'A', to: 'Order' },
    { kind: 'work', from: 'Half', to: 'Z' },
  ]) as { nodes: Json[] };
  const nodes = [outer.nodes[0], { kind: 'flow', title: 'Price one', flow: './part.flow.json' }, outer.nodes[1]] as Json[];
  const [recorded, shown] = await failed({ ...(outer as object), nodes } as Json, 1);
  expect(recorded).toMatch(/^Order does not give a Order::Middle: /);
  expect(shown).toMatch(/^Price one › Order does not give a Middle: /);
});

test('a title replaces an id only where the message names the node', async () => {
  const body = {
    kind: 'work',
    title: 'Rate it',
    from: 'Order',
    to: 'Rated',
    run: '() => { throw new Error("Order of std::vector is missing") }',
  };
  const [recorded, shown] = await failed(documentOf('Order', 'Rated', [body]), 1);
  expect(recorded).toContain('The body of Order failed');
  expect(shown).toBe(recorded?.replace('The body of Order', 'The body of Rate it'));
  const { graph } = await graphOf(halve('Rate it'));
  const cause = { ...error('Order does not give a Half.', 'Order') };
  expect(readableFailure(graph, { ...error('Other text of Order.', 'Order'), cause }).message).toBe('Other text of Order.');
  expect(readableFailure(graph, { ...error('Half is missing.', 'Order'), cause }).cause?.message).toBe('Rate it does not give a Half.');
});

async function graphOf(document: Json) {
  const { runId } = await space.start(document, 1);
  return { graph: space.journal.graphOf(space.journal.row(runId)) };
}

function error(message: string, node: string) {
  return {
    type: 'FlowError',
    variant: 'SerializeError',
    code: 'X',
    category: 'validation',
    retryable: false,
    message,
    node,
    tool_id: null,
    details: {},
  } as const;
}
