import type { tasks } from '#main/services/background/tasks.ts';
import type { TransferableError } from '#shared/runtime/error.ts';

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
/** What a task is given besides the folder. */
export type TaskInput<K extends TaskName> = Parameters<Tasks[K]> extends [unknown, infer Input] ? Input : undefined;
export type TaskOutput<K extends TaskName> = Awaited<ReturnType<Tasks[K]>>;

/** What a background thread is told when it is made. */
export interface BackgroundData {
  /** Real path of the workspace. */
  readonly folder: string;
}

/** What the services ask of it. */
export interface TaskRequest {
  readonly id: number;
  readonly task: TaskName;
  readonly input: TaskInput<TaskName>;
}

/** What it answers. */
export type TaskReply =
  | { readonly id: number; readonly type: 'done'; readonly output: unknown }
  | { readonly id: number; readonly type: 'failed'; readonly error: TransferableError };
