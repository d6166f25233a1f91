import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Replaces the user's profile with a temporary one until it is disposed; `root` also has room for workspaces. */
export async function temporaryProfile(): Promise<AsyncDisposable & { readonly home: string; readonly root: string }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pravah-profile-')));
  const home = join(root, 'home');
  const former = process.env.PRAVAH_HOME;
  process.env.PRAVAH_HOME = home;
  return {
    home,
    root,
    async [Symbol.asyncDispose]() {
      if (former === undefined) delete process.env.PRAVAH_HOME;
      else process.env.PRAVAH_HOME = former;
      await rm(root, { recursive: true, force: true });
    },
  };
}
