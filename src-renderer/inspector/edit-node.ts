import type { EditPlan } from '#renderer/editing/edit-plan.ts';
import { carryOut } from '#renderer/stores/editor.ts';
import type { DocumentPath, FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import type { Json } from '#shared/json.ts';

/** Sets a field of the document, or takes it out when there is nothing to say. Typing in one field is one step of undo. */
export function setField(path: DocumentPath, value: Json | undefined, label: string): void {
  const edit: FlowEdit = value === undefined ? { type: 'remove', path } : { type: 'set', path, value };
  setFields([edit], label, path.join('/'));
}

/** Several edits that are one step of undo. */
export function setFields(edits: readonly FlowEdit[], label: string, merge?: string): void {
  const plan: EditPlan = { ok: true, label, edits, ...(merge !== undefined && { merge }) };
  carryOut(plan);
}

/** Text of an optional field: empty text takes the field out. */
export function orNothing(text: string): string | undefined {
  return text === '' ? undefined : text;
}
