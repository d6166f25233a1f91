import { afterEach, expect, it } from 'vitest';
import { panelsNow, panelsStore, restorePanels } from './panels.ts';

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
