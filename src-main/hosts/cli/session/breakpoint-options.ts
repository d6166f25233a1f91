import { checkBreakpoint } from '#main/debug/condition.ts';
import { checkMatches, parseLogSpec, parseSpec } from '#main/debug/spec.ts';
import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { printNote } from '#main/hosts/cli/output/terminal.ts';
import { BreakpointFile } from '#main/workspace/breakpoint-file.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';

/** Options with which a command stops a run. */
export interface BreakpointOptions {
  readonly break?: readonly string[];
  readonly log?: readonly string[];
  readonly breakpoints?: boolean;
}

/** Returns the breakpoints of a command: its own, and with `--breakpoints` those of the folder. Throws `UsageError` for one that can never stop the run, or without `holds` never hold it. */
export async function breakpointsOf(
  options: BreakpointOptions,
  graph: FlowGraph,
  flow: string,
  folder: string,
  holds = false,
): Promise<Breakpoint[]> {
  const stops = (options.break ?? []).map((text, index) => readSpec(text, `b${index + 1}`, flow, graph, parseSpec, holds));
  const logs = (options.log ?? []).map((text, index) => readSpec(text, `log${index + 1}`, flow, graph, parseLogSpec, holds));
  return [...stops, ...logs, ...(options.breakpoints ? await breakpointsOfFolder(folder) : [])];
}

/** Returns the breakpoints that the user has set in the studio. */
export async function breakpointsOfFolder(folder: string): Promise<readonly Breakpoint[]> {
  const { file, notice } = await new BreakpointFile(folder).read();
  if (notice) printNote(notice);
  return file.breakpoints;
}

/** Reads one breakpoint and checks it against the flow. `holds`: the run can be held inside a step. Throws `UsageError`. */
export function readSpec(
  text: string,
  id: string,
  flow: string,
  graph: FlowGraph,
  parse: (text: string, id: string, flow: string) => Breakpoint,
  holds = false,
): Breakpoint {
  try {
    const breakpoint = parse(text, id, flow);
    checkBreakpoint(breakpoint);
    checkMatches(graph, breakpoint, text, holds);
    return breakpoint;
  } catch (error) {
    if (error instanceof FlowError) throw new UsageError(error.message);
    throw error;
  }
}
