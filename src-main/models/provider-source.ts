import type { VariableSources } from '#main/models/endpoint.ts';
import type { RetryTiming } from '#main/models/retry.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';

/** What a provider may know of the workspace and of the machine. */
export interface ProviderSource {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly trusted: boolean;
  readonly providers: WorkspaceSettings['providers'];
  /** Real paths of model files that the user chose. */
  readonly model_files: readonly string[];
  /** Reads the workspace's `.env` where the folder is trusted. */
  readonly variables: () => Promise<VariableSources>;
  readonly timing: RetryTiming;
}
