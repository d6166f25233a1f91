import type { StreamName } from '#main/hosts/cli/output/terminal.ts';
import type { BodyPlace } from '#main/runner/body-clock.ts';

/** A run that a command drives, with what another thread needs to take it over. */
export interface DrivenRun {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly journal_path: string;
  readonly run_id: string;
  /** Identifies the thread in the run's lease. */
  readonly token: string;
  readonly json: boolean;
  readonly allow_commands: readonly string[];
  readonly allow_hosts: readonly string[];
  /** See `--record`. */
  readonly record?: string;
}

/** A thread's task: a command, or the cleanup after a thread that was terminated in the middle of a run. */
export type CommandTask =
  | { readonly type: 'command'; readonly words: readonly string[] }
  /** Fails the step whose body overran its time. */
  | { readonly type: 'fail'; readonly run: DrivenRun; readonly overrun: readonly BodyPlace[] }
  | { readonly type: 'cancel'; readonly run: DrivenRun };

export interface CommandThreadData {
  readonly task: CommandTask;
  readonly terminals: Readonly<Record<StreamName, boolean>>;
  /** One 32-bit number; not 0 once the user has asked the command to stop. Read while a body computes. */
  readonly stop: SharedArrayBuffer;
  /** The thread reports its running bodies here; see `BodyClock`. */
  readonly bodies: SharedArrayBuffer;
  /** What the command prints; see `RingWriter`. */
  readonly printed: SharedArrayBuffer;
}

/** What a thread reports, in order. */
export type CommandReport =
  /** The thread has printed something. */
  | { readonly type: 'printed' }
  /** Null: no run is being driven. */
  | { readonly type: 'driving'; readonly run: DrivenRun | null }
  | { readonly type: 'done'; readonly exit_code: number };
