import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';

/** Edits that form one undo step, or why the edit is not possible. */
export type EditPlan =
  | {
      readonly ok: true;
      readonly label: string;
      readonly edits: readonly FlowEdit[];
      /** Edits with the same key in quick succession merge into one undo step. */
      readonly merge?: string;
      /** Where new nodes go, by key. */
      readonly places?: Readonly<Record<string, { readonly x: number; readonly y: number }>>;
      /** Nodes to select afterwards, by key. */
      readonly select?: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

export function refuse(reason: string): EditPlan {
  return { ok: false, reason };
}
