import { afterEach, expect, it } from 'vitest';
import { panelNames, panelsNow, panelsStore, restorePanels } from './panels.ts';

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
