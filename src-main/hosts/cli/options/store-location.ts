import { resolve } from 'node:path';
import { defaultDataFolder } from '#main/server/data-folder.ts';
import type { StoreLocation } from '#main/server/open-store.ts';
import { UsageError } from './exit-codes.ts';

/** Where a server's store is, by `--data` and DATABASE_URL. Throws `UsageError`. */
export function storeLocation(data: string | undefined): StoreLocation {
  const database = process.env.DATABASE_URL || null;
  if (database !== null && !/^postgres(ql)?:\/\//.test(database))
    throw new UsageError('DATABASE_URL needs an address like postgres://user:password@host/name.');
  if (data === ':memory:' && database !== null)
    throw new UsageError('--data :memory: keeps nothing, but DATABASE_URL names a database. Leave one of them out.');
  return { database, data: data === ':memory:' ? null : resolve(data ?? defaultDataFolder()) };
}
