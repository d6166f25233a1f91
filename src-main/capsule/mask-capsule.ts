import { findSecret, maskSecrets } from '#main/engine/secrets/mask.ts';
import type { Redaction } from '#shared/contract/time-travel.ts';
import { graphJson } from '#shared/flow/graph.ts';
import { isJsonObject, type Json, type JsonObject, jsonPointer, toJson } from '#shared/json.ts';
import { type MaskRule, maskText } from '#shared/mask-text.ts';
import { FlowError } from '#shared/run/error.ts';
import { sameValue } from '#shared/value-changes.ts';
import type { CapsuleBody } from './capsule-format.ts';

/** Replaces redacted text. */
const blankText = '{redacted}';

/** Shorter texts would match unrelated ones. */
const shortestText = 4;

/** Fields whose text is an identifier that other parts refer to. */
const structure: ReadonlySet<string> = new Set(
  'type kind phase role node name key status variant code category reason tool tool_id tool_name tool_call_id run_id flow_path flow_name media_type hash'.split(
    ' ',
  ),
);

type Path = readonly (string | number)[];
interface MaskedPlace {
  readonly path: string;
  readonly reason: string;
}

/**
 * Masks a capsule: every known secret of 8 or more characters becomes `{secret:NAME}` in any text, and the requested redactions are blanked: text
 * becomes `{redacted}` everywhere, numbers 0 and booleans false, so that values keep their shapes. What a rule matches in content becomes
 * `{mask:NAME}`. Throws `NotFound` for a missing path.
 */
export function maskCapsule(
  capsule: CapsuleBody,
  redaction: Redaction,
  secrets: ReadonlyMap<string, string>,
  rules: readonly MaskRule[] = [],
): CapsuleBody {
  const masker = new Masker(redaction, secrets, rules);
  const { graph } = capsule.flow;
  const recorded = toJson({ ...capsule, flow: { ...capsule.flow, graph: graph && graphJson(graph) } });
  // Masking keeps the shapes of all values.
  const value = masker.mask(recorded) as unknown as CapsuleBody;
  return { ...value, masked: [...masker.masked] };
}

class Masker {
  readonly masked: MaskedPlace[] = [];
  readonly #redaction: Redaction;
  readonly #rules: readonly MaskRule[];
  readonly #secrets: readonly ReadonlyMap<string, string>[];
  /** Texts that are masked everywhere, with the path that requested it. */
  readonly #texts = new Map<string, string>();

  constructor(redaction: Redaction, secrets: ReadonlyMap<string, string>, rules: readonly MaskRule[]) {
    this.#redaction = redaction;
    this.#rules = rules;
    // Text that is itself JSON contains them in escaped form.
    const inJson = new Map([...secrets].map(([name, secret]) => [name, JSON.stringify(secret).slice(1, -1)]));
    this.#secrets = [secrets, inJson].filter(({ size }) => size > 0);
    for (const text of redaction.texts) this.#texts.set(text, 'text');
  }

  mask(capsule: Json): Json {
    let value = capsule;
    for (const place of this.#redaction.places)
      value = place.startsWith('/') ? this.#blankAt(value, place) : this.#blankState(value, place);
    return this.#maskTexts(value, []);
  }

  #blankAt(capsule: Json, pointer: string): Json {
    const path = segmentsOf(pointer);
    const value = valueAt(capsule, path);
    if (value === undefined) throw notThere(pointer, 'the capsule has no value at this path');
    this.#remember(value, pointer);
    this.masked.push({ path: pointer, reason: pointer });
    return replaceAt(capsule, path, blank(value));
  }

  /** Blanks a state, or a path in it, in all its occurrences. */
  #blankState(capsule: Json, place: string): Json {
    const [name = '', ...inside] = place.split('/').map(unescaped);
    const values: Json[] = [];
    const blanked = (value: Json, path: Path): Json => {
      const part = valueAt(value, inside);
      if (part === undefined) return value;
      values.push(value);
      this.#remember(part, place);
      this.masked.push({ path: jsonPointer([...path, ...inside]), reason: place });
      return replaceAt(value, inside, blank(part));
    };
    const walk = (value: Json, path: Path): Json => {
      if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]));
      if (!isJsonObject(value)) return value;
      if (value.name === name && 'value' in value) return { ...value, value: blanked(value.value as Json, [...path, 'value']) };
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key])]));
    };
    const result = walk(capsule, []) as JsonObject;
    if (values.length === 0) throw notThere(place, 'no state of the run has this name and path');
    // The run's input and output are also states.
    const again = (value: Json, path: Path): Json => (values.some((one) => sameValue(one, value)) ? blanked(value, path) : value);
    const run = result.run as JsonObject;
    return {
      ...result,
      input: again(result.input as Json, ['input']),
      run: { ...run, output: again(run.output as Json, ['run', 'output']) },
    };
  }

  #remember(value: Json, reason: string): void {
    if (typeof value === 'string' && value.length >= shortestText) this.#texts.set(value, reason);
    else if (Array.isArray(value)) for (const item of value) this.#remember(item, reason);
    else if (isJsonObject(value)) for (const item of Object.values(value)) this.#remember(item, reason);
  }

  #maskTexts(value: Json, path: Path): Json {
    if (typeof value === 'string') return this.#maskText(value, path);
    if (Array.isArray(value)) return value.map((item, index) => this.#maskTexts(item, [...path, index]));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const plain = this.#maskText(key, path, false);
        return [
          plain,
          typeof item === 'string' && structure.has(key) ? this.#maskText(item, path, false) : this.#maskTexts(item, [...path, plain]),
        ];
      }),
    );
  }

  /** `isContent`: the text is content, not an identifier of the capsule's structure, in which only secrets are masked. */
  #maskText(text: string, path: Path, isContent = true): string {
    let masked = text;
    for (const secrets of this.#secrets) {
      const found = findSecret(secrets, masked);
      if (!found) continue;
      this.masked.push({ path: jsonPointer(path), reason: `secret ${found.name}` });
      masked = maskSecrets(secrets, masked);
    }
    for (const rule of isContent ? this.#rules : []) {
      const before = masked;
      masked = maskText([rule], masked);
      if (masked !== before) this.masked.push({ path: jsonPointer(path), reason: `mask ${rule.name}` });
    }
    for (const [part, reason] of isContent ? this.#texts : []) {
      // Text that is itself JSON contains it in escaped form.
      for (const form of new Set([part, JSON.stringify(part).slice(1, -1)])) {
        if (!masked.includes(form)) continue;
        masked = masked.replaceAll(form, blankText);
        this.masked.push({ path: jsonPointer(path), reason });
      }
    }
    return masked;
  }
}

/** Returns a blank value of the same shape. */
function blank(value: Json): Json {
  if (typeof value === 'string') return blankText;
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return false;
  if (Array.isArray(value)) return value.map(blank);
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, blank(item)])) : value;
}

function segmentsOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    return (at as Readonly<Record<string, Json>>)[key];
  }, value);
}

function replaceAt(value: Json, [key, ...rest]: readonly string[], replacement: Json): Json {
  if (key === undefined) return replacement;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? replaceAt(item, rest, replacement) : item));
  return { ...(value as object), [key]: replaceAt((value as Readonly<Record<string, Json>>)[key] as Json, rest, replacement) };
}

function notThere(place: string, why: string): FlowError {
  return new FlowError('NotFound', `Can't redact "${place}": ${why}.`, { details: { place } });
}
