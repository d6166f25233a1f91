import { gitPlacesOutside } from '#main/platform/git/git-places.ts';
import { capabilityScope } from '#main/workspace/capabilities/capability-scope.ts';
import { unconfirmed, wasConfirmed } from '#main/workspace/capabilities/consent.ts';
import { type PythonOfFlow, pythonOfFlow } from '#main/workspace/python-of-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { FlowReach } from '#shared/contract/consent.ts';
import { pythonNodes } from '#shared/flow/calls-python.ts';
import { capabilitiesOf } from '#shared/flow/capabilities/capabilities-of.ts';
import type { Capability } from '#shared/flow/capabilities/capability.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { BackgroundFolder } from './background-folder.ts';

/** Background tasks on flows' capabilities and missing consent. */
export const consentTasks = {
  /** Capabilities of a flow's text; none if it does not build. */
  async reachOfFlow(
    folder: BackgroundFolder,
    flow: { readonly trusted: boolean; readonly path: string; readonly text: string },
  ): Promise<FlowReach> {
    const { graph } = await folder.build(flow);
    return reachOf(folder.folder, flow.path, graph, flow.trusted);
  },

  /** Capabilities of a run, by its recorded flow. Throws `NotFound`. */
  async reachOfRun(
    { folder, journals }: BackgroundFolder,
    { trusted, run_id: runId }: { readonly trusted: boolean; readonly run_id: string },
  ): Promise<FlowReach> {
    const journal = await journals.holding(runId);
    const row = journal.row(runId);
    return reachOf(folder, row.flow_path, journal.graphOf(row), trusted);
  },
} as const;

/** What a flow can reach in a folder, and what of it the user has not allowed yet. */
export async function reachOf(folder: string, flow_path: string, graph: FlowGraph | null, trusted: boolean): Promise<FlowReach> {
  const gitPlaces = trusted ? await gitPlacesOutside(folder) : [];
  const settings = await loadSettings(folder);
  const found = graph ? capabilitiesOf(graph, capabilityScope(settings, trusted, { folder, gitPlaces })) : [];
  const python = graph && trusted ? await pythonOfFlow(graph, { folder, settings, path: flow_path }) : null;
  const capabilities = python && graph ? [...found, interpreter(python, pythonNodes(graph))] : found;
  const [missing, known] = await Promise.all([unconfirmed(folder, flow_path, capabilities), wasConfirmed(folder, flow_path)]);
  return { flow_path, capabilities, unconfirmed: missing, known };
}

/** The Python that runs the flow's functions, so that the user sees it before the first run. Consent is asked for each function. */
function interpreter(python: PythonOfFlow, nodes: readonly string[]): Capability {
  return { kind: 'code', name: 'Python', note: 'version' in python ? python.version : python.missing, harmless: true, nodes: [...nodes] };
}
