import type { KeySources } from '#main/models/endpoint.ts';
import type { RetryTiming } from '#main/models/retry.ts';
import type { UserModels } from '#main/models/settings/user-models.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';

/** What a provider may know of the workspace, of the user's settings and of the machine. */
export interface ProviderSource {
  /** Real path of the folder. */
  readonly folder: string;
  readonly trusted: boolean;
  readonly providers: WorkspaceSettings['providers'];
  readonly user: UserModels;
  /** Reads the workspace's `.env` where the folder is trusted. */
  readonly keySources: () => Promise<KeySources>;
  readonly timing: RetryTiming;
}
