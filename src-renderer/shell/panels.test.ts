import { afterEach, describe, expect, it } from 'vitest';
import { isPanelOpen, panelNames, panelsNow, panelsStore, restorePanels } from './panels.ts';

const initial = panelsStore.getInitialState();
afterEach(() => panelsStore.setState(initial, true));

it('restores the panels of the last session', () => {
  panelsStore.getState().resize('left', 300);
  panelsStore.getState().toggle('right');
  panelsStore.getState().showBottom('state');
  const kept = panelsNow(panelsStore.getState());
  panelsStore.setState(initial, true);
  restorePanels(kept);
  expect(panelsStore.getState()).toMatchObject({
    left: { open: true, size: 300, tab: 'library' },
    right: { open: false },
    bottom: { tab: 'state' },
  });
});

it('ignores unknown tabs and invalid sizes', () => {
  const { left, right, bottom } = panelsNow(initial);
  restorePanels({ left: { ...left, tab: 'gone', size: 5000 }, right, bottom: { ...bottom, tab: 'compare' } });
  expect(panelsStore.getState()).toMatchObject({ left: { tab: 'library', size: 420 }, bottom: { tab: 'timeline' } });
});

it('hides all panels and shows those again that were open', () => {
  const open = () => panelNames.filter((name) => panelsStore.getState()[name].open);
  panelsStore.getState().toggle('left');
  panelsStore.getState().toggleAll();
  expect(open()).toEqual([]);
  panelsStore.getState().toggleAll();
  expect(open()).toEqual(['bottom', 'right']);
});

it('shows all panels if each was closed on its own', () => {
  for (const name of panelNames) panelsStore.getState().toggle(name);
  panelsStore.getState().toggleAll();
  expect(panelNames.every((name) => panelsStore.getState()[name].open)).toBe(true);
});

describe('in a small window', () => {
  const state = () => panelsStore.getState();
  const open = () => panelNames.filter((name) => isPanelOpen(state(), name));

  it('opens the side panels one at a time, and the bottom panel only when asked', () => {
    state().setRoom({ narrow: true, low: true });
    expect(open()).toEqual([]);
    state().showRight('waiting');
    state().toggle('left');
    expect(open()).toEqual(['left']);
    state().offerRight('node');
    state().offerBottom('timeline');
    expect(open()).toEqual(['left']);
    expect(state().right.tab).toBe('node');
    state().showBottom('problems');
    state().toggle('left');
    expect(open()).toEqual(['bottom']);
  });

  it('shows the panels as they were once the window is large again', () => {
    state().toggle('left');
    state().setRoom({ narrow: true, low: true });
    state().showRight('node');
    state().setRoom({ narrow: false, low: false });
    expect(open()).toEqual(['bottom', 'right']);
    state().setRoom({ narrow: true, low: false });
    expect(open()).toEqual(['bottom']);
  });

  it('hides the panels that are open there, and shows them again', () => {
    state().setRoom({ narrow: true, low: false });
    state().showRight('node');
    state().toggleAll();
    expect(open()).toEqual([]);
    state().toggleAll();
    expect(open()).toEqual(['bottom', 'right']);
  });
});
