import { exitCodes } from '#main/hosts/cli/options/exit-codes.ts';
import { storeLocation } from '#main/hosts/cli/options/store-location.ts';
import { printNote } from '#main/hosts/cli/output/terminal.ts';
import { storeMigrations } from '#main/server/open-store.ts';

/** `pravah migrate`: brings the server's store up to date, or checks whether it is. */
export async function migrate({ data, check = false }: { readonly data?: string; readonly check?: boolean }): Promise<number> {
  const pending = await storeMigrations(storeLocation(data), !check);
  if (pending === 0) printNote('The store is up to date.');
  else if (check)
    printNote(`The store is not up to date: it lacks ${pending} ${pending === 1 ? 'migration' : 'migrations'}. Run: pravah migrate.`);
  else printNote(`The store is up to date now: ${pending} ${pending === 1 ? 'migration was' : 'migrations were'} applied.`);
  return pending > 0 && check ? exitCodes.error : exitCodes.success;
}
