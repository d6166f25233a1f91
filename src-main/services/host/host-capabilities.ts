import type { KeyCipher } from '#main/models/keys/key-cipher.ts';
import type { AppInfo, HostCommand } from '#shared/contract/app.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { Feed } from './feed.ts';

/** Capabilities of the host around the services; the services know nothing else about their caller. */
export interface HostCapabilities {
  readonly host: AppInfo['host'];
  /** One line on why this is not a desktop window; null in Electron. */
  readonly notice: string | null;
  /** Opens the desktop's folder dialog; null if the user cancels. Absent if there is no such dialog. */
  readonly chooseFolder?: () => Promise<string | null>;
  /** Commands from the host to the page (menu, link, notification), if any. */
  readonly commands?: Feed<HostCommand>;
  /** Encrypts the user's keys. Default: with a file in the profile. */
  readonly keyCipher?: KeyCipher;
  /** Called when a folder was opened, for the system's list of recent folders. */
  readonly onFolderOpened?: (folder: string) => void;
  /** Called at every change of a run, for notifications. */
  readonly onRunChange?: (run: RunSummary) => void;
}
