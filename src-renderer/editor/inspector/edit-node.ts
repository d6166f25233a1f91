import type { EditPlan } from '#renderer/document/editing/edit-plan.ts';
import { carryOut } from '#renderer/document/flows/editor.ts';
import type { DocumentPath, FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import type { Json } from '#shared/json.ts';

/** Sets a field of the document, or removes it if `value` is undefined. Edits of the same field merge into one undo step. */
export function setField(path: DocumentPath, value: Json | undefined, label: string): void {
  const edit: FlowEdit = value === undefined ? { type: 'remove', path } : { type: 'set', path, value };
  setFields([edit], label, path.join('/'));
}

/** Applies several edits as one undo step. */
export function setFields(edits: readonly FlowEdit[], label: string, merge?: string): void {
  const plan: EditPlan = { ok: true, label, edits, ...(merge !== undefined && { merge }) };
  carryOut(plan);
}

/** The text of an optional field, undefined if it is empty. */
export function textOrUndefined(text: string): string | undefined {
  return text === '' ? undefined : text;
}
