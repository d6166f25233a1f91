import { type Difference, differenceOf, sameValue, wholeOf } from '#renderer/ui/values/value-difference.ts';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import type { StateAt, StateEntry } from '#shared/contract/runs.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

/** A piece of a value's one-line preview; `added` marks what the shown step added. */
export interface PreviewPiece {
  readonly text: string;
  readonly added: boolean;
}

/** True when the step shown wrote this state. */
export function isFresh(state: StateEntry, at: StateAt): boolean {
  return state.written_at === at.seq && at.seq > 0;
}

/** The values to compare a fresh state with: its previous value, else what the step consumed. */
function formerValues(state: StateEntry, at: StateAt): readonly Json[] {
  return state.previous === undefined ? at.consumed.map(({ value }) => value) : [state.previous];
}

/** A state's value in one line, in pieces: for an object that the step wrote, the fields that it did not copy from what it consumed. */
export function previewPieces(state: StateEntry, at: StateAt, length = 160): readonly PreviewPiece[] {
  const { value } = state;
  if (!isFresh(state, at)) return [{ text: previewOf(value, length), added: false }];
  const former = formerValues(state, at);
  if (former.some((one) => sameValue(one, value))) return [{ text: previewOf(value, length), added: false }];
  const fields = isJsonObject(value) ? Object.entries(value) : [];
  const known = ([key, field]: [string, Json]) =>
    former.some((one) => isJsonObject(one) && Object.hasOwn(one, key) && sameValue(one[key] as Json, field));
  if (fields.length === 0 || !fields.some(known)) return [{ text: previewOf(value, length), added: true }];
  // A merge of what was consumed: nothing in it is new, though the state is.
  if (fields.every(known)) return [{ text: previewOf(value, length), added: false }];
  return [{ text: '{ ', added: false }, ...fieldPieces(fields, known, length), { text: ' }', added: false }];
}

/** Longer runs of unchanged fields are omitted, so that new ones are visible. */
const unchangedShown = 20;

function fieldPieces(fields: readonly [string, Json][], known: (field: [string, Json]) => boolean, length: number): PreviewPiece[] {
  const pieces: PreviewPiece[] = [];
  let unchanged: string[] = [];
  const flush = () => {
    const text = unchanged.join(', ');
    if (unchanged.length > 0) pieces.push({ text: text.length > unchangedShown ? '…' : text, added: false });
    unchanged = [];
  };
  for (const field of fields) {
    const text = `${field[0]}: ${previewOf(field[1], length)}`;
    if (known(field)) unchanged.push(text);
    else {
      flush();
      pieces.push({ text, added: true });
    }
  }
  flush();
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [{ text: ', ', added: false }, piece]));
}

/** A state's value with the changes of the shown step; the result of a join is compared with the merge of what it consumed. */
export function stateDifference(state: StateEntry, at: StateAt): Difference {
  if (!isFresh(state, at)) return wholeOf('same', state.value);
  const former = formerValues(state, at);
  const [first] = former;
  if (first === undefined) return wholeOf('added', state.value);
  if (former.length === 1) return differenceOf(first, state.value);
  return former.every(isJsonObject) ? differenceOf(Object.assign({}, ...former), state.value) : wholeOf('added', state.value);
}
