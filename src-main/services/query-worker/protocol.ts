import type { MessagePort } from 'node:worker_threads';
import type { TransferableError } from '#shared/run/error.ts';
import type { tasks } from './tasks.ts';

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
/** Input of each task besides the folder. */
export type TaskInput<K extends TaskName> = Parameters<Tasks[K]> extends [unknown, infer Input] ? Input : undefined;
export type TaskOutput<K extends TaskName> = Awaited<ReturnType<Tasks[K]>>;

/** Worker data of a background thread. */
export interface BackgroundData {
  /** Real path of the workspace. */
  readonly folder: string;
  /** Port to the store of which the folder's journal is a working copy; null: the journal is all there is. */
  readonly run_store: MessagePort | null;
}

/** Messages from the services. */
export interface TaskRequest {
  readonly id: number;
  readonly task: TaskName;
  readonly input: TaskInput<TaskName>;
}

/** Messages to the services. */
export type TaskReply =
  | { readonly id: number; readonly type: 'done'; readonly output: unknown }
  | { readonly id: number; readonly type: 'failed'; readonly error: TransferableError };
