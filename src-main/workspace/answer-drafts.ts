import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fileFailure, isMissing, isReadOnly } from '#main/platform/file-failure.ts';
import { makeProfileFolder, profileFolder } from '#main/platform/profile.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { type AnswerDraft, isBlankAnswer, type StoredAnswerDraft, storedAnswerDraftSchema } from '#shared/contract/answer-drafts.ts';
import { makePravahFolder } from './pravah-folder.ts';

/** A question of a run. Call ids are unique only within their run. */
export interface Question {
  readonly run_id: string;
  readonly tool_call_id: string;
}

export type SavedAnswerDraft =
  | { readonly status: 'saved'; readonly revision: number }
  | { readonly status: 'conflict'; readonly draft: StoredAnswerDraft };

const fileSchema = z.object({ run_id: z.string(), tool_call_id: z.string(), draft: storedAnswerDraftSchema });

/**
 * Drafts of unsent answers, one file per question under `.pravah/answers`, or in the user's profile if the folder is not
 * writable. Readable by their owner only. Calls for one folder are serialized, so that a late save never restores a discarded draft.
 */
export class AnswerDrafts {
  readonly #workspace: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Returns the draft of a question; null if there is none or it is unreadable. Removes a draft whose question is no longer pending. */
  read(question: Question, waits: () => Promise<boolean>): Promise<StoredAnswerDraft | null> {
    return this.#queued(async () => {
      const draft = await this.#newest(question);
      if (!draft || (await waits())) return draft;
      await this.#remove(nameOf(question));
      return null;
    });
  }

  /** Writes a draft to disk, synced, unless the stored one is newer than `based_on`; a blank draft removes it. Throws `FlowError` if neither location is writable. */
  save(
    question: Question,
    draft: AnswerDraft,
    based_on: number,
    options: { readonly now: number; readonly waits: () => Promise<boolean> },
  ): Promise<SavedAnswerDraft | { readonly status: 'settled' }> {
    return this.#queued(async () => {
      if (!(await options.waits())) return { status: 'settled' };
      const before = await this.#newest(question);
      if (before && before.revision !== based_on) return { status: 'conflict', draft: before };
      if (isBlankAnswer(draft)) {
        if (before) await this.#remove(nameOf(question));
        return { status: 'saved', revision: 0 };
      }
      const stored = { ...draft, revision: based_on + 1, saved_at: options.now };
      await this.#write(nameOf(question), `${JSON.stringify({ ...question, draft: stored })}\n`);
      return { status: 'saved', revision: stored.revision };
    });
  }

  discard(question: Question): Promise<void> {
    return this.#queued(() => this.#remove(nameOf(question)));
  }

  /** Removes the drafts of questions that are no longer pending: answered without a studio, or their run was removed. */
  sweep(waits: (question: Question) => Promise<boolean>): Promise<void> {
    return this.#queued(async () => {
      for (const folder of this.#folders) {
        for (const name of await readdir(folder).catch(() => [])) {
          const stored = await readOne(join(folder, name));
          if (stored && !(await waits(stored))) await this.#remove(name);
        }
      }
    });
  }

  #queued<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#last.then(act);
    this.#last = result.catch(() => undefined);
    return result;
  }

  get #folders(): string[] {
    return [join(this.#workspace, '.pravah', 'answers'), join(profileFolder(), 'answers', hashOf(this.#workspace))];
  }

  async #newest(question: Question): Promise<StoredAnswerDraft | null> {
    const found = await Promise.all(this.#folders.map((folder) => readOne(join(folder, nameOf(question)))));
    const [newest] = found.flatMap((stored) => (stored ? [stored.draft] : [])).toSorted((one, other) => other.revision - one.revision);
    return newest ?? null;
  }

  async #write(name: string, text: string): Promise<void> {
    try {
      await replaceFile(join(await makePravahFolder(this.#workspace, 'answers'), name), text, { mode: 0o600 });
    } catch (error) {
      if (!isReadOnly(error)) throw fileFailure('could not be stored', 'Your answer', error);
      const folder = await makeProfileFolder('answers', hashOf(this.#workspace));
      await replaceFile(join(folder, name), text, { mode: 0o600 }).catch((reason: unknown) => {
        throw fileFailure('could not be stored', 'Your answer', reason);
      });
    }
  }

  async #remove(name: string): Promise<void> {
    for (const folder of this.#folders) {
      await rm(join(folder, name), { force: true }).catch((error: unknown) => {
        if (!isMissing(error)) throw fileFailure('could not be removed', 'The draft of your answer', error);
      });
    }
  }
}

async function readOne(file: string): Promise<z.infer<typeof fileSchema> | null> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

function nameOf({ run_id: runId, tool_call_id }: Question): string {
  return `${hashOf(runId)}-${hashOf(tool_call_id)}.json`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
