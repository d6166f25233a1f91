import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyHistory, type History, jumped, recorded, redone, undone } from './history.ts';

describe('history', () => {
  it('gives back every earlier content in order, and every later one again', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 40 }), (contents) => {
        let history: History<string> = emptyHistory;
        let current = 'start';
        const seen = [current];
        contents.forEach((next, index) => {
          history = recorded(history, { before: current, label: `edit ${index}`, at: index });
          current = next;
          seen.push(next);
        });
        for (const expected of seen.slice(0, -1).reverse()) {
          const result = undone(history, current);
          expect(result?.content).toBe(expected);
          ({ content: current, history } = result as NonNullable<typeof result>);
        }
        expect(undone(history, current)).toBeNull();
        for (const expected of seen.slice(1)) {
          const result = redone(history, current);
          expect(result?.content).toBe(expected);
          ({ content: current, history } = result as NonNullable<typeof result>);
        }
        expect(redone(history, current)).toBeNull();
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('jumps to any place and loses nothing of what lies on either side', () => {
    let history: History<number> = emptyHistory;
    for (let at = 0; at < 6; at += 1) history = recorded(history, { before: at, label: `edit ${at}`, at });
    fc.assert(
      fc.property(fc.array(fc.nat(6), { maxLength: 10 }), (places) => {
        let [content, now] = [6, history];
        for (const place of places) {
          const jump = jumped(now, content, place);
          if (jump) ({ content, history: now } = jump);
          expect(content).toBe(place);
          expect([...now.past, ...[...now.future].reverse()].map((step) => step.label)).toEqual(history.past.map((step) => step.label));
        }
      }),
      { seed: 3, numRuns: 100 },
    );
    expect(jumped(history, 6, 7)).toBeNull();
  });

  it('merges typing in one place into one step', () => {
    let history: History<string> = emptyHistory;
    history = recorded(history, { before: '', label: 'Edit title', merge: '/nodes/0/title', at: 0 });
    history = recorded(history, { before: 'a', label: 'Edit title', merge: '/nodes/0/title', at: 400 });
    expect(undone(history, 'ab')?.content).toBe('');
  });

  it('begins a new step after a pause, in another place, and after an undo', () => {
    const first = recorded(emptyHistory as History<string>, { before: '', label: 'Edit', merge: 'x', at: 0 });
    expect(recorded(first, { before: 'a', label: 'Edit', merge: 'x', at: 5000 }).past).toHaveLength(2);
    expect(recorded(first, { before: 'a', label: 'Edit', merge: 'y', at: 10 }).past).toHaveLength(2);
    const second = recorded(first, { before: 'a', label: 'Add', at: 20 });
    const back = undone(second, 'b');
    expect(recorded(back?.history ?? emptyHistory, { before: 'a', label: 'Edit', merge: 'x', at: 30 }).past).toHaveLength(2);
  });

  it('forgets what was undone as soon as something else is done', () => {
    const back = undone(recorded(emptyHistory as History<string>, { before: 'a', label: 'Edit', at: 0 }), 'b');
    const history = recorded(back?.history ?? emptyHistory, { before: 'a', label: 'Other', at: 1 });
    expect(history.future).toEqual([]);
    expect(redone(history, 'c')).toBeNull();
  });
});
