import { createHash } from 'node:crypto';
import { readFlow } from '#main/workspace/flow-files.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { ServedFlowDetail } from '#shared/contract/server/flows.ts';
import { isReadOnlyFlow } from '#shared/flow/flow-file.ts';
import { validationReport } from '#shared/flow/validation-report.ts';
import { FlowError } from '#shared/run/error.ts';
import type { BackgroundFolder } from './background-folder.ts';
import { reachOf } from './consent-tasks.ts';

const notThere = (path: string) =>
  new FlowError('NotFound', `There is no flow ${path}. List the flows with GET /v1/flows.`, { details: { path } });

/** Background tasks of a server. */
export const servedFlowTasks = {
  /** Returns the text that runs of a flow start with. Throws `NotFound`. */
  async textToStart(
    { folder, flows }: BackgroundFolder,
    { path, trusted }: { readonly path: string; readonly trusted: boolean },
  ): Promise<string> {
    if (!(await flows.has(path))) throw notThere(path);
    if (!isReadOnlyFlow(path)) return (await readFlow(folder, path)).text;
    return (await openFlow(path, { folder, trusted, settings: await loadSettings(folder) })).text;
  },

  /** Reads a flow from its file, as a server offers it. Throws `NotFound`. */
  async servedFlow(
    { folder, flows }: BackgroundFolder,
    { path, trusted }: { readonly path: string; readonly trusted: boolean },
  ): Promise<ServedFlowDetail> {
    const listed = (await flows.read()).find((flow) => flow.path === path);
    if (!listed) throw notThere(path);
    const loaded = await openFlow(path, { folder, trusted, settings: await loadSettings(folder) });
    const report = validationReport(loaded);
    const reach = await reachOf(folder, path, loaded.graph, trusted);
    const { graph, text } = loaded;
    return {
      name: path,
      version: null,
      title: graph?.name ?? listed.name,
      description: graph?.description ?? '',
      hash: graph?.hash ?? createHash('sha256').update(text).digest('hex'),
      input_schema: graph?.schemas[graph.input] ?? true,
      output_schemas: Object.fromEntries(report.terminals.map((name) => [name, graph?.schemas[name] ?? true])),
      soundness: report.soundness.status,
      problems: report.problems,
      capabilities: [...reach.capabilities],
      unconfirmed: [...reach.unconfirmed],
    };
  },
} as const;
