import { timingSafeEqual } from 'node:crypto';
import type { TokenRow, TokenStore } from '#main/store/server-store.ts';
import type { Scope } from '#shared/contract/server/common.ts';
import { FlowError } from '#shared/run/error.ts';
import { hashOf, newToken, readToken } from './token-text.ts';

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since 1970; null: until it is revoked. */
  readonly expires_at: number | null;
}

/** The tokens of a server: who may call it. */
export class TokenService {
  readonly #store: TokenStore;
  readonly #now: () => number;
  readonly #revoked = new Set<(id: string) => void>();

  constructor(store: TokenStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Creates a token. Its text is returned this once and not stored. */
  async create({ name, scopes, expires_at }: NewToken): Promise<{ readonly row: TokenRow; readonly text: string }> {
    const now = this.#now();
    if (expires_at !== null && expires_at <= now) throw new FlowError('DeserializeError', 'The token would have expired already.');
    const { id, secret, text } = newToken();
    const row = { id, name, secret_hash: hashOf(secret), scopes: [...new Set(scopes)], created_at: now, expires_at };
    await this.#store.create(row);
    return { row, text };
  }

  /** Returns the token that a caller has sent; null if it is not valid, is revoked or has expired. */
  async verify(text: string): Promise<TokenRow | null> {
    const token = readToken(text);
    const row = token && (await this.#store.find(token.id));
    if (!token || !row) return null;
    const matches = timingSafeEqual(Buffer.from(hashOf(token.secret), 'hex'), Buffer.from(row.secret_hash, 'hex'));
    return matches && !this.hasExpired(row) ? row : null;
  }

  /** Whether a token that was verified before has neither been revoked nor expired since. */
  async isValid(id: string): Promise<boolean> {
    const row = await this.#store.find(id);
    return row !== null && !this.hasExpired(row);
  }

  hasExpired({ expires_at }: TokenRow): boolean {
    return expires_at !== null && expires_at <= this.#now();
  }

  list(limit: number, before: string | null): Promise<TokenRow[]> {
    return this.#store.list(limit, before);
  }

  /** Revokes a token; its streams end. Throws `NotFound`. */
  async revoke(id: string): Promise<void> {
    if (!(await this.#store.revoke(id))) throw new FlowError('NotFound', `There is no token ${id}.`, { details: { id } });
    for (const listener of this.#revoked) listener(id);
  }

  /** Calls `listener` with the id of each token that this process revokes. Returns what removes it. */
  onRevoked(listener: (id: string) => void): () => void {
    this.#revoked.add(listener);
    return () => this.#revoked.delete(listener);
  }
}
