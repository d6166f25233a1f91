import type { UserModels } from '#main/models/settings/user-models.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import type { KeySources } from './endpoint.ts';
import type { ModelAdvice } from './model-advice.ts';
import type { ProviderLimits, RetryTiming } from './retry.ts';

/** The parts of the workspace, the user's settings and the machine that a provider may use. */
export interface ProviderSource {
  /** Real path of the folder. */
  readonly folder: string;
  readonly trusted: boolean;
  readonly providers: WorkspaceSettings['providers'];
  /** Who defines them: a trusted workspace, an untrusted one, or the user's own program. */
  readonly providers_from: 'workspace' | 'untrusted' | 'program';
  /** Whether Ollama servers on other machines are allowed in an untrusted folder. */
  readonly mayReach: (url: URL) => boolean;
  readonly advice: ModelAdvice;
  readonly user: UserModels;
  /** Reads the workspace's `.env` if allowed. */
  readonly keySources: () => Promise<KeySources>;
  readonly timing: RetryTiming;
  /** Retries and rates, by provider. */
  readonly limits: Readonly<Record<string, ProviderLimits>>;
}

/** How calls of a provider are timed: with its retries and its rate. */
export function timingOf({ timing, limits }: ProviderSource, provider: string): RetryTiming {
  const own = Object.hasOwn(limits, provider) ? limits[provider] : undefined;
  return own ? { ...timing, limits: own } : timing;
}
