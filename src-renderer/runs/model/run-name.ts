/** A run's short name: the end of its id, which differs from run to run. */
export function shortRunName(run_id: string): string {
  return run_id.slice(-4);
}
