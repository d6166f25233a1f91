import { join } from 'node:path';
import { memoryStore } from '#main/store/memory/memory-store.ts';
import { postgresMigrations, postgresStore } from '#main/store/postgres/postgres-store.ts';
import { RunStoreThread } from '#main/store/postgres/run-store-client.ts';
import type { ServerStore } from '#main/store/server-store.ts';
import { sqliteMigrations, sqliteStore } from '#main/store/sqlite/sqlite-store.ts';
import { makeDataFolder } from './data-folder.ts';

/** Where a server stores what is not a folder's. */
export interface StoreLocation {
  /** Address of a PostgreSQL database; null: in the data folder. */
  readonly database: string | null;
  /** Folder for what is not in the database. Null: in memory. */
  readonly data: string | null;
  /** Whether the store is brought up to date when it is opened. Default: true. If not, an outdated one is refused. */
  readonly migrate?: boolean;
}

/** Opens a server's store. Throws `FlowError` if it can't be opened or is of another version. */
export async function openStore({ database, data, migrate }: StoreLocation): Promise<ServerStore> {
  if (data !== null) makeDataFolder(data);
  if (database !== null) return postgresStore(database, { migrate });
  return data === null ? memoryStore() : sqliteStore(join(data, 'server.db'), { migrate });
}

/** Starts the thread through which runs in a database are reached; null where runs are in journals on this machine. The store must be up to date. */
export async function startRunStore({ database }: StoreLocation): Promise<RunStoreThread | null> {
  return database === null ? null : RunStoreThread.start(database);
}

/** Number of migrations that a store lacks. Brings it up to date if `apply` is set. Throws `FlowError`. */
export async function storeMigrations({ database, data }: StoreLocation, apply: boolean): Promise<number> {
  if (database !== null) return postgresMigrations(database, apply);
  if (data === null) return 0;
  if (apply) makeDataFolder(data);
  return sqliteMigrations(join(data, 'server.db'), apply);
}
