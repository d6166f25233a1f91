import type { Step } from '#main/engine/step/step.ts';
import { loadArtifact } from '#main/tools/stored-files/artifacts.ts';

/** The text of an artifact; undefined if there is none. */
export async function artifactText(step: Step, name: string): Promise<string | undefined> {
  const found = await loadArtifact({ scope: step.ctx, run_id: step.contextRunId }, name, undefined);
  return found?.content;
}
