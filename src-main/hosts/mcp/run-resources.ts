import type { ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import type { RunService } from '#main/server/run-service.ts';
import type { ServedRun, ServedStep } from '#shared/contract/server/runs.ts';
import { FlowError } from '#shared/run/error.ts';

/** Runs that are listed as resources: clients show them all. */
const mostRuns = 50;
/** Steps that a timeline shows. */
const mostSteps = 1000;

const prefix = 'pravah://runs/';

/** Resources of any run. */
export const runTemplates: readonly ResourceTemplate[] = [
  { uriTemplate: `${prefix}{run_id}`, name: 'run', title: 'Timeline of a run', mimeType: 'text/markdown' },
  {
    uriTemplate: `${prefix}{run_id}/capsule`,
    name: 'capsule',
    title: 'Capsule of a run',
    description: 'The whole run with its record, which “pravah test” and the studio open.',
    mimeType: 'application/json',
  },
];

/** The newest runs as resources. */
export async function runResources(runs: RunService): Promise<Resource[]> {
  const { data } = await runs.list({ limit: mostRuns });
  return data.map(({ run_id, flow, status }) => ({
    uri: prefix + run_id,
    name: `${flow} ${run_id.slice(-6)}`,
    description: status,
    mimeType: 'text/markdown',
  }));
}

/** Reads a resource. Throws `NotFound`. */
export async function readRunResource(runs: RunService, uri: string): Promise<ReadResourceResult> {
  const [, runId, part] = /^pravah:\/\/runs\/([0-9a-f-]{36})(\/capsule)?$/.exec(uri) ?? [];
  if (runId === undefined) throw new FlowError('NotFound', `There is no resource ${uri}.`);
  const run = await runs.get(runId);
  if (part) return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(await runs.capsule(runId)) }] };
  const { data, total } = await runs.steps(runId, 0, mostSteps);
  return { contents: [{ uri, mimeType: 'text/markdown', text: timelineText(run, data, total) }] };
}

function timelineText(run: ServedRun, steps: readonly ServedStep[], total: number): string {
  const rows = steps.map(({ seq, node, phase, produced, duration_ms }) =>
    [seq, cell([node, phase].filter(Boolean).join(' ')), cell(produced.join(', ')), `${Math.round(duration_ms)} ms`].join(' | '),
  );
  const left = total > steps.length ? [`\n${total - steps.length} more steps.`] : [];
  return [
    `# ${run.flow}: ${run.status}\n`,
    `Run ${run.run_id}, begun ${run.created_at}, ${run.tokens} tokens.\n`,
    ...(run.error ? [`**${run.error.code}**: ${run.error.message}\n`] : []),
    '| step | node | produced | took |\n|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    ...left,
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
