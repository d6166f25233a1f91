import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyHistory, type History, interrupted, jumped, type Rebase, recorded, redone, type Travel, undone } from './history.ts';

function arrived<Content>(travel: Travel<Content> | null) {
  if (!travel || travel.refused !== undefined) throw new Error('Undo or redo led nowhere.');
  return travel;
}

describe('history', () => {
  it('undoes and redoes every content in order', () => {
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
          ({ content: current, history } = arrived(result));
        }
        expect(undone(history, current)).toBeNull();
        for (const expected of seen.slice(1)) {
          const result = redone(history, current);
          expect(result?.content).toBe(expected);
          ({ content: current, history } = arrived(result));
        }
        expect(redone(history, current)).toBeNull();
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('jumps to any step and preserves the steps on either side', () => {
    let history: History<number> = emptyHistory;
    for (let at = 0; at < 6; at += 1) history = recorded(history, { before: at, label: `edit ${at}`, at });
    fc.assert(
      fc.property(fc.array(fc.nat(6), { maxLength: 10 }), (places) => {
        let [content, now] = [6, history];
        for (const place of places) {
          const jump = jumped(now, content, place);
          if (jump) ({ content, history: now } = arrived(jump));
          expect(content).toBe(place);
          expect([...now.past, ...[...now.future].reverse()].map((step) => step.label)).toEqual(history.past.map((step) => step.label));
        }
      }),
      { seed: 3, numRuns: 100 },
    );
    expect(jumped(history, 6, 7)).toBeNull();
  });

  it('merges edits with the same key into one step', () => {
    let history: History<string> = emptyHistory;
    history = recorded(history, { before: '', label: 'Edit title', merge: '/nodes/0/title', at: 0 });
    history = recorded(history, { before: 'a', label: 'Edit title', merge: '/nodes/0/title', at: 400 });
    expect(undone(history, 'ab')?.content).toBe('');
  });

  it('starts a new step after a pause, for another key and after an undo', () => {
    const first = recorded(emptyHistory as History<string>, { before: '', label: 'Edit', merge: 'x', at: 0 });
    expect(recorded(first, { before: 'a', label: 'Edit', merge: 'x', at: 5000 }).past).toHaveLength(2);
    expect(recorded(first, { before: 'a', label: 'Edit', merge: 'y', at: 10 }).past).toHaveLength(2);
    const second = recorded(first, { before: 'a', label: 'Add', at: 20 });
    const back = undone(second, 'b');
    expect(recorded(back?.history ?? emptyHistory, { before: 'a', label: 'Edit', merge: 'x', at: 30 }).past).toHaveLength(2);
  });

  it('drops undone steps after a new edit', () => {
    const back = undone(recorded(emptyHistory as History<string>, { before: 'a', label: 'Edit', at: 0 }), 'b');
    const history = recorded(back?.history ?? emptyHistory, { before: 'a', label: 'Other', at: 1 });
    expect(history.future).toEqual([]);
    expect(redone(history, 'c')).toBeNull();
  });
});

/** Sets of letters: an edit adds or removes some, and never fits where what it removes is gone. */
const rebase: Rebase<string> = (base, changed, current) => {
  const removed = [...base].filter((letter) => !changed.includes(letter));
  const added = [...changed].filter((letter) => !base.includes(letter));
  if (removed.some((letter) => !current.includes(letter))) return null;
  return [...current]
    .filter((letter) => !removed.includes(letter) && !added.includes(letter))
    .concat(added)
    .sort()
    .join('');
};

describe('history beside another window', () => {
  /** Own edits a, b and c, with the other window's x after a and y after c. */
  function interruptedHistory() {
    let history: History<string> = emptyHistory;
    history = recorded(history, { before: '', label: 'a', at: 0 });
    history = interrupted(history, 'a');
    history = recorded(history, { before: 'ax', label: 'b', at: 10 });
    history = recorded(history, { before: 'abx', label: 'c', at: 20 });
    return interrupted(history, 'abcx');
  }

  it('undoes and redoes own edits only, any number of times', () => {
    let [current, history] = ['abcxy', interruptedHistory()];
    for (let round = 0; round < 3; round += 1) {
      for (const expected of ['abxy', 'axy', 'xy']) {
        ({ content: current, history } = arrived(undone(history, current, rebase)));
        expect(current).toBe(expected);
      }
      expect(undone(history, current, rebase)).toBeNull();
      for (const expected of ['axy', 'abxy', 'abcxy']) {
        ({ content: current, history } = arrived(redone(history, current, rebase)));
        expect(current).toBe(expected);
      }
    }
  });

  it('preserves edits of the other window between undo and redo', () => {
    const back = arrived(undone(interruptedHistory(), 'abcxy', rebase));
    const history = interrupted(back.history, back.content);
    expect(arrived(redone(history, 'abxyz', rebase)).content).toBe('abcxyz');
    expect(arrived(undone(history, 'abxyz', rebase)).content).toBe('axyz');
  });

  it('reports and drops a step that no longer applies', () => {
    const refused = undone(interruptedHistory(), 'abxy', rebase);
    expect(refused).toMatchObject({ refused: 'c' });
    expect(refused && arrived(undone(refused.history, 'abxy', rebase)).content).toBe('axy');
    expect(jumped(interruptedHistory(), 'abxy', 0, rebase)).toEqual({ refused: 'c', history: interruptedHistory() });
    expect(arrived(jumped(interruptedHistory(), 'abcxy', 1, rebase)).content).toBe('axy');
  });

  it('does not merge typing over another window’s edit', () => {
    let history: History<string> = recorded(emptyHistory as History<string>, { before: '', label: 'Type', merge: 'x', at: 0 });
    history = recorded(interrupted(history, 'a'), { before: 'ax', label: 'Type', merge: 'x', at: 10 });
    expect(history.past).toHaveLength(2);
  });
});
