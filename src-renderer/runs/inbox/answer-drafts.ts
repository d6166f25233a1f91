import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Studio } from '#renderer/api/studio.ts';
import { hasSecretFields, withoutSecretFields } from '#renderer/ui/forms/secret-fields.ts';
import { type AnswerDraft, isBlankAnswer, type StoredAnswerDraft } from '#shared/contract/answer-drafts.ts';
import type { JsonSchema } from '#shared/json.ts';

/** A question of a run. The ids of calls are unique within their run only. */
export interface AnswerKey {
  readonly run_id: string;
  readonly tool_call_id: string;
}

/** What the user has typed into a card. It outlives the card, which unmounts when another panel is shown, and the studio. */
export interface AnswerEntry {
  readonly draft: AnswerDraft;
  /** Whether the draft on disk was loaded. Nothing may be sent before. */
  readonly loaded: boolean;
  /** Revision on disk that this draft replaces, or 0. */
  readonly revision: number;
  /** When the draft from disk was stored; null when it was typed here. */
  readonly restored_at: number | null;
  /** A conflicting draft of another window. Nothing is saved until the user has chosen. */
  readonly theirs: StoredAnswerDraft | null;
  /** Changes when the draft was replaced other than by typing; editors then start over. */
  readonly version: number;
}

export interface AnswerDraftsState {
  readonly entries: Readonly<Record<string, AnswerEntry>>;
  /** Loads the draft from disk, once. `schema` marks the secret fields, which are not stored. */
  load(key: AnswerKey, schema: JsonSchema): Promise<void>;
  change(key: AnswerKey, change: Partial<AnswerDraft>): void;
  /** Discards what was typed. */
  discard(key: AnswerKey): void;
  takeTheirs(key: AnswerKey): void;
  keepMine(key: AnswerKey): void;
  /** Forgets a draft without touching the disk: the question has been answered, and the studio drops it there. */
  drop(key: AnswerKey): void;
}

const blank: AnswerDraft = { mode: 'view', reason: '' };
const fresh: AnswerEntry = { draft: blank, loaded: false, revision: 0, restored_at: null, theirs: null, version: 0 };

/** The name of a question in the store. */
export function answerKey({ run_id, tool_call_id }: AnswerKey): string {
  return `${run_id} ${tool_call_id}`;
}

export function entryOf({ entries }: AnswerDraftsState, key: AnswerKey): AnswerEntry {
  return entries[answerKey(key)] ?? fresh;
}

/** True when something was typed into a card that has not been answered here. */
export function hasAnswerDraft(state: AnswerDraftsState, key: AnswerKey): boolean {
  return !isBlankAnswer(entryOf(state, key).draft);
}

interface Saving {
  readonly schema: JsonSchema;
  timer: ReturnType<typeof setTimeout> | null;
  busy: boolean;
  again: boolean;
}

type DraftsApi = Pick<Studio['runs'], 'readAnswerDraft' | 'saveAnswerDraft'>;

/**
 * Drafts of answers, saved on disk `delay` milliseconds after typing: one save at a time for each question, and another for what was typed in between.
 * `onFailure` is called for the first of several saves that fail.
 */
export function createAnswerDrafts(api: DraftsApi, delay: number, onFailure: (thrown: unknown) => void): StoreApi<AnswerDraftsState> {
  const savings = new Map<string, Saving>();
  let failed = false;

  return createStore<AnswerDraftsState>()((set, get) => {
    const put = (key: AnswerKey, change: Partial<AnswerEntry>): void => {
      set({ entries: { ...get().entries, [answerKey(key)]: { ...entryOf(get(), key), ...change } } });
    };
    /** Replaces what was typed with another draft. */
    const replace = (key: AnswerKey, change: Partial<AnswerEntry>): void =>
      put(key, { ...change, version: entryOf(get(), key).version + 1 });
    const report = (thrown: unknown): void => {
      if (!failed) onFailure(thrown);
      failed = true;
    };

    const schedule = (key: AnswerKey): void => {
      const saving = savings.get(answerKey(key));
      if (!saving || saving.timer !== null) return;
      if (saving.busy) saving.again = true;
      else saving.timer = setTimeout(() => void save(key, saving), delay);
    };

    const save = async (key: AnswerKey, saving: Saving): Promise<void> => {
      saving.timer = null;
      const { draft, revision, theirs } = entryOf(get(), key);
      if (theirs || (isBlankAnswer(draft) && revision === 0)) return;
      saving.busy = true;
      try {
        const saved = await api.saveAnswerDraft({ ...key, draft: storable(draft, saving.schema), based_on: revision });
        failed = false;
        if (savings.get(answerKey(key)) !== saving) return;
        if (saved.status === 'saved') put(key, { revision: saved.revision });
        if (saved.status === 'conflict') put(key, { theirs: saved.draft });
      } catch (thrown) {
        report(thrown);
      } finally {
        saving.busy = false;
        if (saving.again) schedule(key);
        saving.again = false;
      }
    };

    return {
      entries: {},
      load: async (key, schema) => {
        if (savings.has(answerKey(key))) return;
        const saving: Saving = { schema, timer: null, busy: false, again: false };
        savings.set(answerKey(key), saving);
        try {
          const stored = await api.readAnswerDraft(key);
          if (savings.get(answerKey(key)) !== saving) return;
          if (!stored) return put(key, { loaded: true });
          if (hasAnswerDraft(get(), key)) return put(key, { loaded: true, theirs: stored });
          replace(key, { ...asTaken(stored), loaded: true, restored_at: stored.saved_at });
        } catch (thrown) {
          put(key, { loaded: true });
          report(thrown);
        }
      },
      change: (key, change) => {
        put(key, { draft: { ...entryOf(get(), key).draft, ...change } });
        schedule(key);
      },
      discard: (key) => {
        replace(key, { draft: blank, restored_at: null });
        schedule(key);
      },
      takeTheirs: (key) => {
        const { theirs } = entryOf(get(), key);
        if (theirs) replace(key, { ...asTaken(theirs), theirs: null, restored_at: null });
      },
      keepMine: (key) => {
        const { theirs } = entryOf(get(), key);
        if (!theirs) return;
        put(key, { revision: theirs.revision, theirs: null, restored_at: null });
        schedule(key);
      },
      drop: (key) => {
        const name = answerKey(key);
        const timer = savings.get(name)?.timer;
        if (timer) clearTimeout(timer);
        savings.delete(name);
        const { [name]: _dropped, ...entries } = get().entries;
        set({ entries });
      },
    };
  });
}

function asTaken({ revision, saved_at: _when, ...draft }: StoredAnswerDraft): Pick<AnswerEntry, 'draft' | 'revision'> {
  return { draft, revision };
}

/** The part of a draft that may be stored: without fields that the schema marks as secret. Text that is not JSON yet cannot be checked for them. */
function storable({ value, text, ...draft }: AnswerDraft, schema: JsonSchema): AnswerDraft {
  const stored = withoutSecretFields(schema, value);
  return { ...draft, ...(stored !== undefined && { value: stored }), ...(text !== undefined && !hasSecretFields(schema) && { text }) };
}
