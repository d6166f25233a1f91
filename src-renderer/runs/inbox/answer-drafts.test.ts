import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AnswerDraft, StoredAnswerDraft } from '#shared/contract/answer-drafts.ts';
import type { JsonSchema } from '#shared/json.ts';
import { createAnswerDrafts, entryOf, hasAnswerDraft } from './answer-drafts.ts';

const key = { run_id: 'r1', tool_call_id: 'call_1_0' };
const delay = 100;

/** What the host keeps, for all windows. */
class Host {
  stored: StoredAnswerDraft | null = null;
  waits = true;
  failure: Error | null = null;
  readonly saves: AnswerDraft[] = [];

  readAnswerDraft = async () => (this.waits ? this.stored : null);
  saveAnswerDraft = async ({ draft, based_on }: { draft: AnswerDraft; based_on: number }) => {
    if (this.failure) throw this.failure;
    this.saves.push(draft);
    if (!this.waits) return { status: 'settled' as const };
    if (this.stored && this.stored.revision !== based_on) return { status: 'conflict' as const, draft: this.stored };
    this.stored = { ...draft, revision: based_on + 1, saved_at: 5 };
    return { status: 'saved' as const, revision: based_on + 1 };
  };
}

let host: Host;
const failures: unknown[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  host = new Host();
  failures.length = 0;
});
afterEach(() => vi.useRealTimers());

async function openWindow(schema: JsonSchema = true) {
  const store = createAnswerDrafts(host as never, delay, (thrown) => failures.push(thrown));
  await store.getState().load(key, schema);
  return { store, ...store.getState(), entry: () => entryOf(store.getState(), key) };
}
const settle = () => vi.advanceTimersByTimeAsync(2 * delay);

describe('a draft of an answer', () => {
  test('is stored after a pause in typing, once, and restored in the next window', async () => {
    const first = await openWindow();
    for (const text of ['h', 'ha', 'half']) first.change(key, { value: { text } });
    expect(first.entry().restored_at).toBeNull();
    await settle();
    expect(host.saves).toEqual([{ mode: 'view', value: { text: 'half' }, reason: '' }]);
    const next = await openWindow();
    expect(next.entry()).toMatchObject({ draft: { value: { text: 'half' } }, restored_at: 5, loaded: true, version: 1 });
  });

  test('is stored again for what was typed while it was being stored', async () => {
    const { change } = await openWindow();
    change(key, { reason: 'a' });
    vi.advanceTimersByTime(delay);
    change(key, { reason: 'ab' });
    await settle();
    expect(host.stored).toMatchObject({ reason: 'ab', revision: 2 });
  });

  test('that another window has changed is not overwritten until the user chooses', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    one.change(key, { reason: 'one' });
    await settle();
    two.change(key, { reason: 'two' });
    await settle();
    expect(host.stored?.reason).toBe('one');
    expect(two.entry()).toMatchObject({ draft: { reason: 'two' }, theirs: { reason: 'one' } });
    two.change(key, { reason: 'two, more' });
    await settle();
    expect(host.stored?.reason).toBe('one');
    two.keepMine(key);
    await settle();
    expect(host.stored).toMatchObject({ reason: 'two, more', revision: 2 });
    one.change(key, { reason: 'one, more' });
    await settle();
    one.takeTheirs(key);
    expect(one.entry()).toMatchObject({ draft: { reason: 'two, more' }, theirs: null });
  });

  test('is not restored over what was typed before it was read', async () => {
    host.stored = { mode: 'view', reason: 'earlier', revision: 4, saved_at: 5 };
    const store = createAnswerDrafts(host as never, delay, () => {});
    const loading = store.getState().load(key, true);
    store.getState().change(key, { reason: 'now' });
    await loading;
    expect(entryOf(store.getState(), key)).toMatchObject({ draft: { reason: 'now' }, theirs: { reason: 'earlier' } });
  });

  test('that is discarded is stored as blank, and one that was answered is not stored again', async () => {
    const window = await openWindow();
    window.change(key, { reason: 'no' });
    await settle();
    window.discard(key);
    await settle();
    expect(host.saves.at(-1)).toEqual({ mode: 'view', reason: '' });
    window.change(key, { reason: 'late' });
    window.drop(key);
    await settle();
    expect(host.saves).toHaveLength(2);
    expect(hasAnswerDraft(window.store.getState(), key)).toBe(false);
  });

  test('leaves out secret fields, and text in which one may be', async () => {
    const window = await openWindow({ type: 'object', properties: { user: {}, key: { type: 'string', format: 'password' } } });
    window.change(key, { value: { user: 'ann', key: 'hunter2' }, text: '{"key": "hunter2' });
    await settle();
    expect(host.saves).toEqual([{ mode: 'view', reason: '', value: { user: 'ann' } }]);
  });

  test('reports a failing disk once, and keeps trying', async () => {
    host.failure = new Error('full');
    const { change } = await openWindow();
    for (const reason of ['a', 'ab']) {
      change(key, { reason });
      await settle();
    }
    expect(failures).toHaveLength(1);
    host.failure = null;
    change(key, { reason: 'abc' });
    await settle();
    expect(host.stored?.reason).toBe('abc');
  });

  test('belongs to its run: another run may have a call of the same id', async () => {
    const { store, change } = await openWindow();
    change(key, { reason: 'no' });
    expect(hasAnswerDraft(store.getState(), { ...key, run_id: 'r2' })).toBe(false);
  });
});
