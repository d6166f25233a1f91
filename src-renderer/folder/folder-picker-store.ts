import { createStore } from 'zustand/vanilla';
import { studio } from '#renderer/api/studio.ts';
import { noticeFailure } from '#renderer/notices/notices.ts';
import { workspaceStore } from '#renderer/stores/workspace.ts';

interface FolderQuestion {
  readonly title: string;
  answer(folder: string | null): void;
}

/** The question for a folder that is open in the studio's own picker; null while none is. */
export const folderPickerStore = createStore<{ readonly question: FolderQuestion | null }>()(() => ({ question: null }));

/** Asks for a folder: with the desktop's dialog where there is one, else with our own. Null when the user gives it up. */
export async function askForFolder(title: string): Promise<string | null> {
  if (workspaceStore.getState().info?.folder_dialog) {
    try {
      return (await studio.workspace.chooseFolder()).folder;
    } catch (thrown) {
      noticeFailure('The folder dialog did not open', thrown);
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
