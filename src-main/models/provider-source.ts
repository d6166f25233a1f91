import type { KeySources } from '#main/models/endpoint.ts';
import type { ModelAdvice } from '#main/models/model-advice.ts';
import type { RetryTiming } from '#main/models/retry.ts';
import type { UserModels } from '#main/models/settings/user-models.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';

/** What a provider may know of the workspace, of the user's settings and of the machine. */
export interface ProviderSource {
  /** Real path of the folder. */
  readonly folder: string;
  readonly trusted: boolean;
  readonly providers: WorkspaceSettings['providers'];
  /** Who names them: a workspace that may, one that may not, or the user's own program. */
  readonly providers_from: 'workspace' | 'untrusted' | 'program';
  /** Whether an Ollama server elsewhere may be asked in a folder that is not trusted. */
  readonly mayReach: (url: URL) => boolean;
  readonly advice: ModelAdvice;
  readonly user: UserModels;
  /** Reads the workspace's `.env` where that is allowed. */
  readonly keySources: () => Promise<KeySources>;
  readonly timing: RetryTiming;
}
