import { createStore } from 'zustand/vanilla';
import { studio } from '#renderer/api/studio.ts';
import { flowPathIn } from '#renderer/document/graph/flow-path.ts';
import { readText } from '#renderer/document/reading/read-text.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { type EditorState, editorStore } from './editor.ts';

/** Paths of the flows that the nodes of a flow file run, by the file's path; only of files that were read and are not open. */
type NestedFiles = Readonly<Record<string, readonly string[]>>;

export const nestedFilesStore = createStore<{ readonly files: NestedFiles }>()(() => ({ files: {} }));

/** Files that are being read, or cannot be. */
const asked = new Set<string>();

/** Path of the flow that `file` names in the flow at `path`, and of those that it runs at any depth, as far as they are known. */
export function flowsInside(flows: EditorState['flows'], files: NestedFiles, path: string, file: string): string[] {
  const target = flowPathIn(path, file);
  return target === null ? [] : [...flowsFrom(flows, files, target)];
}

/** Reads which flows run inside `file`, at any depth. Open flows and files that are known are not read. */
export async function readFlowsInside(path: string, file: string): Promise<void> {
  const target = flowPathIn(path, file);
  if (target !== null) await readFlowsFrom(target);
}

/** Reads which flows run inside the flow at `path`, at any depth. */
export async function readFlowsFrom(path: string): Promise<void> {
  const { flows } = editorStore.getState();
  const { files } = nestedFilesStore.getState();
  const unknown = [...flowsFrom(flows, files, path)].filter((known) => !flows[known] && !files[known] && !asked.has(known));
  if (unknown.length === 0) return;
  await Promise.all(unknown.map(read));
  await readFlowsFrom(path);
}

/** Reads all files again when they are needed: a flow file has changed. */
export function forgetNestedFiles(): void {
  asked.clear();
  nestedFilesStore.setState({ files: {} });
}

/** The flow at `from` and those that it runs at any depth, as far as they are known. */
export function flowsFrom(flows: EditorState['flows'], files: NestedFiles, from: string): ReadonlySet<string> {
  // A set hands out what is added while it is walked.
  const found = new Set([from]);
  for (const path of found) {
    for (const inner of filesOf(path, flows[path]?.readable?.nodes) ?? files[path] ?? []) found.add(inner);
  }
  return found;
}

function filesOf(path: string, nodes: readonly OutlineNode[] | undefined): string[] | undefined {
  return nodes?.flatMap(({ raw }) => (typeof raw.flow === 'string' ? (flowPathIn(path, raw.flow) ?? []) : []));
}

async function read(path: string): Promise<void> {
  asked.add(path);
  try {
    const { text, draft } = await studio.flows.read({ path });
    const inner = filesOf(path, (await readText(draft?.text ?? text, path)).outline.nodes) ?? [];
    nestedFilesStore.setState(({ files }) => ({ files: { ...files, [path]: inner } }));
  } catch {
    // The problems of the flow report a file that is missing or broken.
  }
}
