import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { QuickAddRequest } from '#renderer/editor/actions/quick-add-store.ts';
import type { LibraryEntry, PortPlace } from '#renderer/editor/entries/library-entries.ts';
import { kindLooks } from '#renderer/ui/kinds/node-kinds.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import type { SchemaFit } from '#shared/flow/schema-fit.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { connectablePorts } from './connect-ports.ts';
import { texts } from './texts.ts';
import type { Fits } from './use-fits.ts';

const order = ['equal', 'all', 'some', 'none'] as const;

/** Best first; entries that fit equally well keep their order. */
function sorted(entries: readonly LibraryEntry[]): LibraryEntry[] {
  const rank = ({ fit }: LibraryEntry) => order.indexOf(fit?.fit ?? 'all');
  return [...entries].sort((one, other) => rank(one) - rank(other));
}

/** What can be connected to a dropped wire: open ports of this flow, kinds of nodes, flows, tools; each group best first. */
export function fittingEntries(
  {
    entries,
    nodes,
    flow,
    tools,
  }: { entries: readonly LibraryEntry[]; nodes: readonly NodeView[]; flow: ReadableFlow; tools: readonly ToolInfo[] },
  request: QuickAddRequest,
  fits: Fits,
): LibraryEntry[] {
  const isTool = ({ payload }: LibraryEntry) => payload.tool !== undefined;
  const isFlow = ({ payload }: LibraryEntry) => payload.file !== undefined;
  const ports = request.from ? portEntries(nodes, connectablePorts(nodes, request.from), fits.states) : [];
  return [
    ...sorted(ports),
    ...entries.filter((entry) => !isTool(entry) && !isFlow(entry)),
    ...sorted(entries.filter(isFlow).flatMap((entry) => flowEntriesFor(entry, fits))),
    ...sorted(entries.filter(isTool).map((entry) => toolEntry(entry, fits, flow, tools, request.consumes))),
  ];
}

/** An entry for each of these ports: `Review of Merge lists`. */
export function portEntries(
  nodes: readonly NodeView[],
  ports: readonly PortPlace[],
  fits: Readonly<Record<string, SchemaFit>> = {},
): LibraryEntry[] {
  return ports.flatMap((port) => {
    const node = nodes.find((candidate) => candidate.key === port.node);
    const [side, index] = port.handle.split(':');
    const state = (side === 'input' ? node?.inputs : node?.outputs)?.[Number(index)]?.state;
    if (!node || state === undefined) return [];
    const fit = fits[state];
    return [
      {
        key: `port ${port.node} ${port.handle}`,
        label: texts.quickAdd.port(state, node.title),
        summary: fitText(fit) ?? texts.quickAdd.connect,
        payload: { kind: node.kind },
        port,
        ...(fit && { fit }),
      },
    ];
  });
}

/** What to say of a fit, or null if nothing is in the way. */
function fitText(fit: SchemaFit | undefined): string | null {
  if (fit?.missing !== undefined) return texts.quickAdd.missing(fit.missing);
  return fit?.reason ?? null;
}

function withFit(entry: LibraryEntry, fit: SchemaFit): LibraryEntry {
  return { ...entry, fit, summary: fitText(fit) ?? entry.summary };
}

/** A flow once, for each item, or both, as it fits; if neither does, once, with the reason. */
function flowEntriesFor(entry: LibraryEntry, { flows }: Fits): LibraryEntry[] {
  const found = flows.find(({ path }) => entry.key === `flow-${path}`);
  if (!found) return [entry];
  const { file = '' } = entry.payload;
  const once = withFit({ ...entry, payload: { kind: 'flow', file } }, found.once);
  if (found.each.fit === 'none') return [once];
  const each = withFit(
    { ...entry, key: `${entry.key} each`, label: `${kindLooks.each.label}: ${entry.label}`, payload: { kind: 'each', file } },
    found.each,
  );
  return found.once.fit === 'none' ? [each] : [once, each];
}

/** A tool, with the required arguments that the state has as fields. */
function toolEntry(
  entry: LibraryEntry,
  fits: Fits,
  flow: ReadableFlow,
  tools: readonly ToolInfo[],
  consumes: string | undefined,
): LibraryEntry {
  const name = entry.payload.tool ?? '';
  const fit = fits.tools[name];
  if (!fit) return entry;
  const schema = tools.find((tool) => tool.name === name)?.input_schema;
  const fields = consumes === undefined ? {} : fieldsOf(flow.schemas[consumes]);
  const required = isJsonObject(schema) && Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
  const filled = required.flatMap((field) =>
    typeof field === 'string' && Object.hasOwn(fields, field) ? [[field, `{${field}}`] as const] : [],
  );
  return withFit({ ...entry, payload: { ...entry.payload, with: Object.fromEntries(filled) } }, fit);
}

function fieldsOf(schema: Json | undefined) {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
}
