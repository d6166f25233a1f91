import { useEffect } from 'react';
import { useStore } from 'zustand';
import { flowsFrom, nestedFilesStore, readFlowsFrom } from '#renderer/document/flows/nested-files.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { type PinSign, places } from '#renderer/runs/breakpoints/breakpoint-index.ts';
import { breakpointStore } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import type { DebugState } from '#shared/contract/debug.ts';
import type { Mock } from '#shared/contract/supplied.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { isOn } from './supplied-edits.ts';

/** The pin of a node of the shown flow, as its card shows it. */
export function useNodePin(node: string): PinSign | undefined {
  const path = useCurrentFlow((flow) => flow?.path ?? '');
  return useStore(breakpointStore, ({ pins }) => pins[places.pin(path, node)]);
}

/** Whether a mock answers calls of a node of the shown flow: its tool, a tool of its agent, or its model. */
export function useIsMocked(node: string): boolean {
  const mocks = useStore(breakpointStore, mocksOf);
  const path = useCurrentFlow((flow) => flow?.path ?? '');
  // Looks for the node only where there are mocks: each card in sight asks at each change of the flow.
  const tools = useCurrentFlow((flow) =>
    mocks.length === 0 ? '' : namesOf(flow?.readable?.nodes.find(({ id }) => id === node)).join('\n'),
  );
  if (tools === '') return false;
  const names = new Set(tools.split('\n'));
  return mocks.some((mock) => {
    const isHere = mock.node === undefined || (mock.flow === path && mock.node === node);
    return isHere && names.has(mock.kind === 'tool' ? mock.tool : modelMark);
  });
}

/** The mocks that count now; the same list until the stored ones change. */
function mocksOf({ supplied, supplied_on }: DebugState): readonly Mock[] {
  if (!supplied_on) return noMocks;
  const known = mockLists.get(supplied) ?? supplied.filter((each): each is Mock => each.kind !== 'pin' && isOn(each));
  mockLists.set(supplied, known);
  return known;
}

const noMocks: readonly Mock[] = [];
const mockLists = new WeakMap<DebugState['supplied'], readonly Mock[]>();

/** Stands for the model of an agent. */
const modelMark = '*';

function namesOf(node: OutlineNode | undefined): string[] {
  if (!node) return [];
  return [...toolsOfNode(node), ...(node.kind === 'agent' ? [modelMark] : [])];
}

/** The tools that a node names. */
export function toolsOfNode({ raw }: Pick<OutlineNode, 'raw'>): string[] {
  const agent = isJsonObject(raw.agent) ? raw.agent.tools : undefined;
  const uses = [agent, raw.tools].flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  const names = uses.map((use) => (isJsonObject(use) ? use.use : use));
  return [...new Set([raw.tool, ...names].filter((name) => typeof name === 'string'))];
}

/** How many pins and mocks count in runs of the shown flow now, with those in the flows that it runs at any depth. */
export function useSuppliedCount(): number {
  const { supplied, supplied_on, unverified } = useStore(breakpointStore);
  const counting = supplied_on ? supplied.filter((each) => isOn(each) && !unverified.includes(each.id)) : [];
  const isAny = counting.length > 0;
  const path = useCurrentFlow((flow) => flow?.path ?? '');
  const files = useStore(nestedFilesStore, (state) => state.files);
  const inside = useEditor(({ flows }) => (isAny && path !== '' ? [...flowsFrom(flows, files, path)].join('\n') : ''));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a flow that calls another one now, or a file that was forgotten, is read again
  useEffect(() => {
    if (isAny && path !== '') void readFlowsFrom(path);
  }, [isAny, path, inside, files]);
  const paths = new Set(inside.split('\n'));
  // A mock without a flow answers calls everywhere.
  return counting.filter(({ flow }) => flow === undefined || paths.has(flow)).length;
}
