import { createStore } from 'zustand/vanilla';
import { studio } from '#renderer/api/studio.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import { texts } from './texts.ts';
import { workspaceStore } from './workspace.ts';

interface FolderQuestion {
  readonly title: string;
  answer(folder: string | null): void;
}

/** The open question of the studio's own folder picker, or null. */
export const folderPickerStore = createStore<{ readonly question: FolderQuestion | null }>()(() => ({ question: null }));

/** Asks for a folder, with the desktop's dialog if there is one, else with our own. Null when the user cancels. */
export async function askForFolder(title: string): Promise<string | null> {
  if (workspaceStore.getState().info?.folder_dialog) {
    try {
      return (await studio.workspace.chooseFolder()).folder;
    } catch (thrown) {
      noticeFailure(texts.open.dialogFailed, thrown);
      return null;
    }
  }
  folderPickerStore.getState().question?.answer(null);
  return new Promise((resolve) => {
    const answer = (folder: string | null) => {
      folderPickerStore.setState({ question: null });
      resolve(folder);
    };
    folderPickerStore.setState({ question: { title, answer } });
  });
}
