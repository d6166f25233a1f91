import { innerFlowOf } from '#renderer/document/editing/inner-flow.ts';
import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { currentFlow, editorStore } from '#renderer/document/flows/editor.ts';
import { type NestingStep, nestingStore } from '#renderer/document/flows/nesting.ts';
import { flowPathIn } from '#renderer/document/graph/flow-path.ts';
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
    const named = flow?.readable?.nodes.find((candidate) => candidate.index === node?.index)?.raw.flow;
    const ends = inner && innerFlowOf(inner.parsed);
    const follows = flow && typeof named === 'string' && flowPathIn(path, named) === inner?.path;
    if (!flow || !node || !ends || !follows || (node.kind !== 'flow' && node.kind !== 'each')) steps = [];
    else steps.push({ flow: subjectOf(flow), kind: node.kind, node: node.id, input: ends.input, output: ends.output });
  }
  return steps;
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
