import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import type { LayoutGroup, LayoutNote } from '#shared/flow/layout/layout.ts';

/** A point of the canvas, in pixels at 100 %. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What a plan draws: where nodes are, named by their positions in the document after the edits, and further notes and groups. Selected unless the plan selects others. */
export interface AddedDrawing {
  readonly nodes: readonly { readonly index: number; readonly place: Point }[];
  readonly notes: readonly LayoutNote[];
  readonly groups: readonly (Omit<LayoutGroup, 'nodes'> & { readonly indices: readonly number[] })[];
}

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
      /** Nodes, notes and groups that are drawn afterwards. */
      readonly added?: AddedDrawing;
      /** Nodes to select afterwards, by key. */
      readonly select?: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

export function refuse(reason: string): EditPlan {
  return { ok: false, reason };
}
