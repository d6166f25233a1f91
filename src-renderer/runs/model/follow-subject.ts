import { innerFlowOf } from '#renderer/document/editing/inner-flow.ts';
import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { currentFlow, editorStore } from '#renderer/document/flows/editor.ts';
import { type NestingStep, nestingStore } from '#renderer/document/flows/nesting.ts';
import { flowPathIn } from '#renderer/document/graph/flow-path.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { type OuterStep, type RunSubject, runSubjectStore } from './run-subject.ts';

/** Keeps the debugger informed of the flow for the run commands, and of the flows around it. Returns the function that stops this. */
export function followSubject(): () => void {
  const update = () => {
    const next = subjectNow();
    if (!sameSubject(next, runSubjectStore.getState().flow)) runSubjectStore.setState({ flow: next });
  };
  update();
  const ends = [editorStore.subscribe(update), nestingStore.subscribe(update)];
  return () => {
    for (const end of ends) end();
  };
}

function subjectNow(): RunSubject | null {
  const flow = currentFlow();
  if (!flow) return null;
  const { outer, inner } = nestingStore.getState();
  const within = inner === flow.path ? waySteps(outer, flow.path) : [];
  return { ...subjectOf(flow), ...(within.length > 0 && { within }) };
}

function subjectOf({ path, parsed, report }: OpenFlow): Omit<RunSubject, 'within'> {
  return { path, text: parsed.text, errors: report?.problems.filter(({ severity }) => severity === 'error').length ?? 0 };
}

/** The steps from the outermost flow to the shown one; it starts after the last one that was closed or edited. */
function waySteps(outer: readonly NestingStep[], shown: string): OuterStep[] {
  const { flows } = editorStore.getState();
  let steps: OuterStep[] = [];
  for (const [index, { path, node: key }] of outer.entries()) {
    const flow = flows[path];
    const inner = flows[outer[index + 1]?.path ?? shown];
    const node = flow?.view.nodes.find((candidate) => candidate.key === key);
    const raw = flow?.readable?.nodes.find((candidate) => candidate.index === node?.index)?.raw;
    const ends = inner && innerFlowOf(inner.parsed);
    const leads = raw && inner && leadsTo(path, raw, inner.path);
    if (!flow || !node || !ends || !leads) steps = [];
    else steps.push({ flow: subjectOf(flow), ...leads, node: node.id, input: ends.input, output: ends.output });
  }
  return steps;
}

/** How a node of the flow at `path` runs another flow; null if it doesn't. */
function leadsTo(path: string, { kind, flow, agent }: JsonObject, inner: string): Pick<OuterStep, 'kind' | 'tool'> | null {
  if (kind === 'flow' || kind === 'each') return typeof flow === 'string' && flowPathIn(path, flow) === inner ? { kind } : null;
  const tools = isJsonObject(agent) && Array.isArray(agent.tools) ? agent.tools : [];
  const names = tools.map((use) => (isJsonObject(use) ? use.use : use)).filter((name) => typeof name === 'string');
  const tool = names.find((name) => name.startsWith('flow:') && flowPathIn(path, name.slice('flow:'.length)) === inner);
  return tool === undefined ? null : { kind: 'call', tool };
}

function sameSubject(one: RunSubject | null, other: RunSubject | null): boolean {
  if (one === null || other === null) return one === other;
  if (!sameFlow(one, other)) return false;
  const [a = [], b = []] = [one.within, other.within];
  return (
    a.length === b.length &&
    a.every((step, index) => {
      const known = b[index];
      return known && sameFlow(step.flow, known.flow) && step.node === known.node && step.kind === known.kind && step.input === known.input;
    })
  );
}

function sameFlow(one: Omit<RunSubject, 'within'>, other: Omit<RunSubject, 'within'>): boolean {
  return one.path === other.path && one.text === other.text && one.errors === other.errors;
}
