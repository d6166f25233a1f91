import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { draftValue, editedDraft } from './draft.ts';
import type { FlowEdit } from './flow-edit.ts';
import { canonicalText } from './format-flow.ts';
import { applyPatches } from './text-patch.ts';
import { jsonPatches } from './write-json.ts';
import { yamlPatches } from './write-yaml.ts';

/**
 * Applies edits, in order, to a flow's text. Only lines of what is edited change; comments, order and layout of the rest stay byte for byte.
 * (A text that cannot be patched, because an anchor of it is used elsewhere for example, becomes canonical.)
 * Throws `FlowError` `Invalid` when the text cannot be read or an edit has no place in it; nothing has changed then.
 */
export function applyEdits(flow: ParsedFlow, edits: readonly FlowEdit[]): ParsedFlow {
  if (!flow.root) {
    throw new FlowError(
      'Invalid',
      `${flow.path} cannot be read at the moment (${flow.problems[0]?.message ?? 'it is not a flow'}), so it can only be edited as text.`,
    );
  }
  const draft = editedDraft(flow.root, edits);
  const value = draftValue(draft);
  const patches = flow.language === 'json' ? jsonPatches(flow.text, draft) : yamlPatches(flow.text, draft);
  if (patches) {
    const edited = parseFlow(applyPatches(flow.text, patches), flow.path, flow);
    if (edited.root && sameValue(edited.root.value, value)) return edited;
  }
  return parseFlow(canonicalText(value, flow.language), flow.path, flow);
}

/** Deep equality of JSON, the order of keys included, since it is what a text shows. */
function sameValue(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  return keys.every(
    (key, index) => key === others[index] && sameValue((a as Record<string, Json>)[key] as Json, (b as Record<string, Json>)[key] as Json),
  );
}
