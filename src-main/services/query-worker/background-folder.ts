import type { RunStore } from '#main/journal/run-store.ts';
import { AnswerDrafts } from '#main/workspace/answer-drafts.ts';
import type { LoadedFlow } from '#main/workspace/flow-loader.ts';
import { openFlowText, withPythonProblems } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { isReadOnlyFlow } from '#shared/flow/flow-file.ts';
import { CodeFlows } from './code-flows.ts';
import { FlowList } from './flow-list.ts';
import { FolderJournals } from './folder-journals.ts';

/** A flow's text, saved or not. `path` is relative to the workspace, with `/`. */
export interface FlowText {
  readonly path: string;
  readonly text: string;
}

/** State of a folder in its background thread. */
export class BackgroundFolder {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly flows: FlowList;
  readonly journals: FolderJournals;
  readonly answers: AnswerDrafts;
  readonly #codeFlows: CodeFlows;

  /** `store`: the runs of which the folder's journal is a working copy. */
  constructor(folder: string, store?: RunStore) {
    this.folder = folder;
    this.flows = new FlowList(folder);
    this.journals = new FolderJournals(folder, store);
    this.answers = new AnswerDrafts(folder);
    this.#codeFlows = new CodeFlows(folder);
  }

  /** Builds a flow from its text; a flow in code is read from its file. Throws for an invalid `pravah.json`. */
  async build({ path, text, trusted }: FlowText & { readonly trusted: boolean }): Promise<LoadedFlow> {
    if (isReadOnlyFlow(path)) return this.#codeFlows.load(path, trusted);
    const options = { folder: this.folder, trusted, settings: await loadSettings(this.folder) };
    const loaded = await openFlowText(text, path, options, [], (code) => this.#codeFlows.load(code, trusted));
    return withPythonProblems(loaded, options);
  }
}
