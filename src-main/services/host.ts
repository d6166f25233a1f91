import type { KeyCipher } from '#main/models/keys/key-cipher.ts';
import type { Feed } from '#main/services/feed.ts';
import type { AppInfo, HostCommand } from '#shared/contract/app.ts';
import type { RunSummary } from '#shared/contract/runs.ts';

/** What the host around the services can do. Services know nothing else of who calls. */
export interface HostCapabilities {
  readonly host: AppInfo['host'];
  /** Why this is not a desktop window, in one line; null in Electron. */
  readonly notice: string | null;
  /** Asks with the desktop's own dialog; answers null when it was cancelled. Absent where there is no such dialog. */
  readonly chooseFolder?: () => Promise<string | null>;
  /** Commands that the host gives the page (its menu, a link, a notification). Absent where there are none. */
  readonly commands?: Feed<HostCommand>;
  /** How the user's keys are sealed. Default: by a file in the profile. */
  readonly keyCipher?: KeyCipher;
  /** Told when a folder was opened, for the system's list of recent ones. */
  readonly onFolderOpened?: (folder: string) => void;
  /** Told of every change of a run, for notifications. */
  readonly onRunChange?: (run: RunSummary) => void;
}
