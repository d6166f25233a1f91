import { describe, expect, it } from 'vitest';
import { memoryStore } from '#main/store/memory/memory-store.ts';
import { sqliteStore } from '#main/store/sqlite/sqlite-store.ts';
import type { ServerStore, TokenRow } from './server-store.ts';

const stores: readonly [string, () => ServerStore][] = [
  ['memory', memoryStore],
  ['SQLite', () => sqliteStore(':memory:')],
];

describe.each(stores)('the store in %s', (_name, open) => {
  const token = (id: string): TokenRow => ({
    id,
    name: `token ${id}`,
    secret_hash: 'ab',
    scopes: ['read', 'run'],
    created_at: 5,
    expires_at: null,
  });

  it('lists tokens newest first, page by page, and forgets a revoked one', async () => {
    const { tokens } = open();
    for (const id of ['b', 'a', 'c']) await tokens.create(token(id));
    expect((await tokens.list(2, null)).map(({ id }) => id)).toEqual(['c', 'a']);
    expect((await tokens.list(2, 'a')).map(({ id }) => id)).toEqual(['b']);
    expect(await tokens.find('a')).toEqual(token('a'));
    expect(await tokens.revoke('a')).toBe(true);
    expect(await tokens.revoke('a')).toBe(false);
    expect(await tokens.find('a')).toBeNull();
  });

  it('knows a request again with what it was about to do and what came of it, for one caller and route', async () => {
    const { requests } = open();
    const key = { token_id: 't', route: 'POST /v1/runs', key: 'k' };
    expect(await requests.begin(key, 'hash', 10)).toBeNull();
    expect(await requests.begin(key, 'other', 11)).toEqual({ body_hash: 'hash', intent: null, answer: null });
    await requests.note(key, { run_id: 'r' });
    await requests.finish(key, { status: 201, headers: { location: '/' }, body: '{}' });
    expect(await requests.begin(key, 'hash', 12)).toEqual({
      body_hash: 'hash',
      intent: { run_id: 'r' },
      answer: { status: 201, headers: { location: '/' }, body: '{}' },
    });
    expect(await requests.begin({ ...key, token_id: 'u' }, 'hash', 12)).toBeNull();
    await requests.forgetBefore(11);
    expect(await requests.begin(key, 'hash', 13)).toBeNull();
    await requests.forget(key);
    expect(await requests.begin(key, 'hash', 14)).toBeNull();
  });

  it('tells which runs are to be driven on', async () => {
    const { runs } = open();
    const row = { run_id: 'r', folder: '/f', metadata: { order: 1 }, driven: true };
    await runs.set(row);
    await runs.set({ ...row, run_id: 's', driven: false });
    expect(await runs.driven()).toEqual([row]);
    await runs.setDriven('r', false);
    expect(await runs.driven()).toEqual([]);
    expect(await runs.get('r')).toEqual({ ...row, driven: false });
    await runs.remove('r');
    expect(await runs.get('r')).toBeNull();
  });
});
