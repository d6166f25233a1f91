import { serverOf } from '#shared/contract/servers.ts';

/** A run's short name: the end of its id, which differs from run to run; for a run of a server, with the server's name. */
export function shortRunName(run_id: string): string {
  const server = serverOf(run_id);
  return `${server === null ? '' : `${server}/`}${run_id.slice(-4)}`;
}
