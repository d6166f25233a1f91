import { parseFlow } from '#shared/flow/parse-flow.ts';
import { folderOf, resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import type { AnchorFlow } from './anchors.ts';

/** Returns the current text of a flow, saved or not; null if there is none. */
export type ReadText = (path: string) => Promise<string | null>;

/** Reads the nodes and states of a flow file as breakpoints refer to them: a `flow` node by the input of its inner flow. Null if the file is missing. */
export async function anchorFlow(path: string, read: ReadText): Promise<AnchorFlow | null> {
  const text = await read(path);
  if (text === null) return null;
  const { outline } = parseFlow(text, path);
  const states = new Set(Object.keys(outline.schemas ?? {}));
  const nodes = await Promise.all(
    (outline.nodes ?? []).map(async ({ kind, id, to, from, index, raw }) => {
      for (const state of [...from, ...to]) states.add(state);
      const title = typeof raw.title === 'string' ? { title: raw.title } : {};
      return { id: kind === 'flow' ? await inputOf(path, id, read) : id, kind, to: [...to], index, ...title };
    }),
  );
  return { nodes, states };
}

async function inputOf(path: string, inner: string, read: ReadText): Promise<string> {
  const file = resolveWorkspacePath(folderOf(path), inner);
  const text = file === null ? null : await read(file);
  return (text !== null && file !== null && parseFlow(text, file).outline.input) || inner;
}
