import { beforeEach, describe, expect, it } from 'vitest';
import { openFlow } from '#renderer/document/editing/open-flow.ts';
import { addFlow, closeAllFlows, editorStore, showFlow } from './editor.ts';
import { goInto, goOut, nestingStore } from './nesting.ts';
import { selectionStore } from './selection.ts';

const text = 'pravah: 1\nname: x\ninput: A\noutput: B\nschemas: {}\nnodes:\n  - kind: work\n    from: A\n    to: B\n';
const shown = () => editorStore.getState().current;

describe('the way into nested flows', () => {
  beforeEach(async () => {
    closeAllFlows();
    nestingStore.setState({ outer: [], inner: null });
    for (const path of ['outer.flow.yaml', 'middle.flow.yaml', 'inner.flow.yaml'])
      addFlow(openFlow({ path, text, hash: '', layout: null, code: null, revision: null, draft: null, others: [] }));
    await showFlow('outer.flow.yaml');
    await goInto('middle.flow.yaml', 'A');
    await goInto('inner.flow.yaml', 'A');
  });

  it('leads back one by one, to the node that was opened', async () => {
    expect(nestingStore.getState().outer.map((step) => step.path)).toEqual(['outer.flow.yaml', 'middle.flow.yaml']);
    expect(await goOut()).toBe(true);
    expect(shown()).toBe('middle.flow.yaml');
    expect(selectionStore.getState()).toMatchObject({ nodes: ['A'], reveal: { key: 'A', focus: true } });
    expect(await goOut()).toBe(true);
    expect(shown()).toBe('outer.flow.yaml');
    expect(await goOut()).toBe(false);
  });

  it('leads back over several at once', async () => {
    expect(await goOut('outer.flow.yaml')).toBe(true);
    expect([shown(), nestingStore.getState().inner]).toEqual(['outer.flow.yaml', null]);
  });

  it('ends when another flow is selected, and is restored when that one is closed', async () => {
    await showFlow('outer.flow.yaml');
    expect(await goOut()).toBe(false);
    await showFlow('inner.flow.yaml');
    expect(await goOut()).toBe(true);
    expect(shown()).toBe('middle.flow.yaml');
  });
});
