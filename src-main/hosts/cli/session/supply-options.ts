import { readFileSync } from 'node:fs';
import { assertSupplied, suppliedFaults } from '#main/debug/check-supplied.ts';
import { SupplySet } from '#main/debug/supply-set.ts';
import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { printNote } from '#main/hosts/cli/output/terminal.ts';
import { BreakpointFile } from '#main/workspace/breakpoint-file.ts';
import { type Supplied, suppliedSchema } from '#shared/contract/supplied.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';

/** Options with which a command supplies outputs. */
export interface SupplyOptions {
  readonly mock?: readonly string[];
  readonly supplied?: boolean;
}

/** The flow of a run that is supplied. */
interface SuppliedFlow {
  readonly graph: FlowGraph;
  /** The file of pins that name none. */
  readonly path: string;
  readonly folder: string;
  readonly tools: ReadonlyMap<string, { readonly output_schema?: JsonSchema }>;
}

/**
 * Returns the pins and mocks of a command: those of its files, and with `--supplied` those of the folder. Throws `UsageError` for one that is invalid or
 * doesn't fit the flow, and for a pin whose node the flow doesn't contain. `listed`: further ones, checked alike.
 */
export async function suppliedOf(options: SupplyOptions, flow: SuppliedFlow, listed: readonly Supplied[] = []): Promise<Supplied[]> {
  const given = [...(options.mock ?? []).flatMap((file) => readMockFile(file, flow.path)), ...listed];
  const all = [...given, ...(options.supplied ? await suppliedOfFolder(flow.folder) : [])];
  try {
    assertSupplied(suppliedFaults(flow.graph, all, (tool) => flow.tools.get(tool)?.output_schema));
  } catch (error) {
    throw error instanceof FlowError ? new UsageError(error.message) : error;
  }
  const set = new SupplySet(flow.graph, given);
  for (const each of given) {
    if (set.matched.has(each.id) || each.enabled === false) continue;
    if (each.kind === 'pin')
      throw new UsageError(
        `The pin ${each.id} can't be used: the flow has no node ${each.node} in ${each.flow}. Fix its node or its flow.`,
      );
    printNote(`The mock ${each.id} is not used: nothing in the flow calls ${each.kind === 'tool' ? each.tool : each.model}.`);
  }
  return all;
}

/** Returns the pins and mocks that the user has set in the studio. */
async function suppliedOfFolder(folder: string): Promise<readonly Supplied[]> {
  const { file, notice } = await new BreakpointFile(folder).read();
  if (notice) printNote(notice);
  return file.supplied;
}

/** Reads a file of pins and mocks: a list of them, or an object with the list as `supplied`. */
function readMockFile(file: string, flow: string): Supplied[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `The mocks in ${file} can't be read: ${error instanceof Error ? error.message : String(error)}. Give a JSON file.`,
    );
  }
  return suppliedIn(content, file, flow);
}

/** Reads the content of such a file. Throws `UsageError`. */
export function suppliedIn(content: unknown, file: string, flow: string): Supplied[] {
  const list = isJsonObject(content as Json) ? (content as { supplied?: unknown }).supplied : content;
  if (!Array.isArray(list)) throw new UsageError(`${file} contains no mocks: expected a list, or an object with the list "supplied".`);
  return list.map((entry: unknown, index) => {
    const parsed = suppliedSchema.safeParse(withDefaults(entry, index, flow));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new UsageError(
      `Entry ${index + 1} of ${file} is invalid: ${issue?.message ?? 'it is not a pin or mock'}${issue?.path.length ? ` (at ${issue.path.join('/')})` : ''}.`,
    );
  });
}

/** An entry written by hand needs no id, and its nodes are those of the flow that is run. */
function withDefaults(entry: unknown, index: number, flow: string): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  return { id: `${'kind' in entry && entry.kind === 'pin' ? 'pin' : 'mock'}${index + 1}`, ...('node' in entry && { flow }), ...entry };
}
