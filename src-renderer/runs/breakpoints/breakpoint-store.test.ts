import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openFlow } from '#renderer/document/editing/open-flow.ts';
import { addFlow, editorStore, travel } from '#renderer/document/flows/editor.ts';
import { workspaceStore } from '#renderer/workspace/folder/workspace.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { DebugState } from '#shared/contract/debug.ts';
import { breakpointStore, followBreakpoints, toggleBreakpoint } from './breakpoint-store.ts';

/** A host whose answers and stream arrive in the order that a test chooses: over a real connection it depends on the load. */
const host = vi.hoisted(() => {
  const state: { revision: number; breakpoints: Breakpoint[] } = { revision: 1, breakpoints: [] };
  return { state, sent: [] as string[], answers: [] as (() => void)[], stream: (_state: DebugState) => {} };
});

vi.mock('#renderer/api/studio.ts', () => {
  const now = (): DebugState => ({
    ...{ ...host.state, unverified: [], moved: [], watches: [], supplied: [] },
    ...{ supplied_on: true, foreign: false, notice: null },
  });
  const answered = (change: (breakpoints: Breakpoint[]) => Breakpoint[]): Promise<DebugState> => {
    host.state = { revision: host.state.revision + 1, breakpoints: change(host.state.breakpoints) };
    const answer = now();
    return new Promise((resolve) => host.answers.push(() => resolve(answer)));
  };
  const debug = {
    put: ({ breakpoints }: { breakpoints: Breakpoint[] }) => {
      host.sent.push(`put ${breakpoints.map((each) => ('node' in each ? each.node : '')).join()}`);
      return answered((before) => [...before.filter(({ id }) => !breakpoints.some((each) => each.id === id)), ...breakpoints]);
    },
    remove: ({ ids }: { ids: string[] }) => {
      host.sent.push(`remove ${ids.length}`);
      return answered((before) => before.filter(({ id }) => !ids.includes(id)));
    },
    async *watch() {
      yield now();
      for (;;) yield await new Promise<DebugState>((resolve) => Object.assign(host, { stream: resolve }));
    },
  };
  return { studio: { debug, flows: { edit: () => new Promise(() => {}) }, tools: { list: async () => [] } } };
});

const path = 'a.flow.yaml';
const text = `pravah: 1
name: A
input: A
output: C
schemas: { A: {}, B: {}, C: {} }
nodes:
  - { kind: work, from: A, to: B }
  - { kind: work, from: B, to: C }
`;
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const inFlow = () => editorStore.getState().flows[path]?.breakpoints.map((mark) => ('node' in mark ? mark.node : ''));
const stored = () => breakpointStore.getState().breakpoints.map((each) => ('node' in each ? each.node : ''));
const streamed = async () => {
  host.stream({
    ...{ ...host.state, unverified: [], moved: [], watches: [], supplied: [] },
    ...{ supplied_on: true, foreign: false, notice: null },
  });
  await settled();
};
const answer = async () => {
  host.answers.shift()?.();
  await settled();
};

let end: () => void;
beforeEach(async () => {
  Object.assign(host, { state: { revision: 1, breakpoints: [] }, sent: [], answers: [] });
  addFlow(openFlow({ path, text, hash: '', layout: null, code: null, revision: null, draft: null, others: [] }));
  editorStore.setState({ current: path });
  workspaceStore.setState({ workspace: { folder: '/folder' } as never });
  end = followBreakpoints();
  await settled();
});
afterEach(() => {
  end();
  workspaceStore.setState({ workspace: null });
  editorStore.setState({ flows: {}, tabs: [], current: null });
});

const other: Breakpoint = { id: 'other', kind: 'before', flow: path, node: 'B' };

test('undo takes back a breakpoint whose new state arrived before the answer', async () => {
  const set = toggleBreakpoint({ kind: 'before', flow: path, node: 'A' });
  await settled();
  await streamed();
  await answer();
  await set;
  expect([inFlow(), stored()]).toEqual([['A'], ['A']]);
  travel('undo');
  expect(inFlow()).toEqual([]);
  await vi.waitFor(() => expect(host.sent).toEqual(['put A', 'remove 1']));
  await answer();
  expect([inFlow(), stored()]).toEqual([[], []]);
});

test('an answer that arrives after a later state of another window does not hide that state', async () => {
  const set = toggleBreakpoint({ kind: 'before', flow: path, node: 'A' });
  await settled();
  host.state = { revision: host.state.revision + 1, breakpoints: [...host.state.breakpoints, other] };
  await streamed();
  await answer();
  await set;
  expect([inFlow(), stored()]).toEqual([
    ['A', 'B'],
    ['A', 'B'],
  ]);
});

test('undo removes the own breakpoint only, not one that another window sets meanwhile', async () => {
  const first = toggleBreakpoint({ kind: 'before', flow: path, node: 'A' });
  await settled();
  await answer();
  await first;
  // While the host has not answered this, the undo below waits, and the other window's state arrives.
  const second = toggleBreakpoint({ kind: 'after', flow: path, node: 'A' });
  await settled();
  travel('undo');
  host.state = { revision: host.state.revision + 1, breakpoints: [...host.state.breakpoints, other] };
  await streamed();
  await answer();
  await second;
  await vi.waitFor(() => expect(host.sent).toEqual(['put A', 'put A', 'remove 1']));
  await answer();
  expect([inFlow(), stored()]).toEqual([
    ['A', 'B'],
    ['A', 'B'],
  ]);
});
