import { FlowList } from '#main/services/background/flow-list.ts';
import { FolderJournals } from '#main/services/background/folder-journals.ts';

/** What a background thread knows of its folder. */
export class BackgroundFolder {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly flows: FlowList;
  readonly journals: FolderJournals;

  constructor(folder: string) {
    this.folder = folder;
    this.flows = new FlowList(folder);
    this.journals = new FolderJournals(folder);
  }
}
