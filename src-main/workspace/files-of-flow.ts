import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseModelUrl } from '#shared/flow/model-url.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { isJsonObject } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { FlowEnvironmentOptions } from './flow-environment.ts';
import { layoutFile } from './flow-path.ts';
import { openFlow } from './open-flow.ts';

/** Files that a flow needs, itself first: its layout, nested flows and bodies, `script://` models. Relative to the workspace, each once. Throws `NotFound`. */
export async function filesOfFlow(path: string, options: FlowEnvironmentOptions): Promise<string[]> {
  const { folder } = options;
  const flow = await openFlow(path, options);
  if (flow.files.size === 0) throw new FlowError('NotFound', flow.problems[0]?.message ?? `Can't read ${path}.`, { details: { path } });
  const beside = [...flow.files].map((file) => relative(folder, file).split(sep).join('/'));
  return [...new Set([flow.path, ...beside, ...scriptsOf(flow.text, path), layoutFile(flow.path)])].filter((file) =>
    existsSync(join(folder, file)),
  );
}

/** Files of the `script://` models that a flow's agents use. */
function scriptsOf(text: string, path: string): string[] {
  const agents = (parseFlow(text, path).outline.nodes ?? []).map(({ raw }) => raw.agent);
  return agents.flatMap((agent) => {
    const model = isJsonObject(agent) ? agent.model : undefined;
    // A choice of models has their URLs, and two names, which are no URLs.
    return (isJsonObject(model) ? Object.values(model) : [model]).flatMap((each) => {
      const url = typeof each === 'string' ? parseModelUrl(each) : null;
      const path = url?.ok && url.model.provider === 'script' ? resolveWorkspacePath('', url.model.path) : null;
      return path === null ? [] : [path];
    });
  });
}
