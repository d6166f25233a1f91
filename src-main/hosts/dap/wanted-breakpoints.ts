import { z } from 'zod';
import { nodeAtLine } from '#main/debug/node-lines.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Wanted } from './client-breakpoints.ts';
import type { FileLines, FlowSources } from './flow-sources.ts';
import type { Arguments } from './requests.ts';
import type { StatePart } from './values.ts';

type Conditions = { readonly condition?: string; readonly hitCondition?: string; readonly logMessage?: string };

/** Finds the nodes of breakpoints at lines. Each moves to the first line of its node. */
export async function wantedLines(
  { source, breakpoints }: Arguments<'setBreakpoints'>,
  sources: FlowSources,
  linesStartAt1: boolean,
): Promise<{ readonly list: string; readonly wanted: (Wanted & Conditions)[] }> {
  const shift = linesStartAt1 ? 0 : 1;
  const recorded = source.sourceReference ? sources.pathOfReference(source.sourceReference) : null;
  const flow = recorded ?? sources.pathOf(source.path ?? '');
  const { nodes, none } =
    flow === null ? { nodes: [], none: "The file is outside the run's folder." } : await linesOf(sources, flow, recorded);
  const wanted = breakpoints.map(({ line, ...conditions }) => {
    const node = nodeAtLine(nodes, line + shift);
    if (!node) return { ...conditions, places: [], answer: { line, message: none } };
    const lines = { line: node.first - shift, endLine: node.last - shift };
    return { ...conditions, places: [{ kind: 'before', flow: node.flow, node: node.node }], answer: { ...lines, source } };
  });
  return { list: `${source.sourceReference ?? 0} ${source.path ?? ''}`, wanted };
}

/** The nodes of a file, and what to say of a line without one. */
async function linesOf(
  sources: FlowSources,
  flow: string,
  recorded: string | null,
): Promise<{ readonly nodes: readonly FileLines[]; readonly none: string }> {
  try {
    return { nodes: await (recorded === null ? sources.onDisk(flow) : sources.recorded(flow)), none: 'No node at this line.' };
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    return { nodes: [], none: error.message };
  }
}

const partSchema = z.object({ flow: z.string(), state: z.string(), path: z.string() });

/** Returns what identifies a state, or a part of one, to a client. */
export function dataId(part: StatePart): string {
  return JSON.stringify(part);
}

/** Reads data breakpoints: a write of a whole state stops where it is written, of a part of it where that has changed. */
export function wantedData({ breakpoints }: Arguments<'setDataBreakpoints'>): (Wanted & Conditions)[] {
  return breakpoints.map(({ dataId: id, accessType, ...conditions }) => {
    const part = readPart(id);
    if (!part) return { ...conditions, places: [], answer: { message: 'Only states, and values inside them, can be watched.' } };
    const { path, ...state } = part;
    const at = { kind: 'state', ...state, ...(path !== '' && { path }) };
    const places = [
      ...(accessType === 'read' ? [] : [{ ...at, on: path === '' ? 'written' : 'changed' }]),
      ...(accessType === 'write' ? [] : [{ ...at, on: 'consumed' }]),
    ];
    return { ...conditions, places };
  });
}

function readPart(id: string): StatePart | null {
  try {
    return partSchema.safeParse(JSON.parse(id)).data ?? null;
  } catch {
    return null;
  }
}
