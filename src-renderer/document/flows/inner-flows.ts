import { studio } from '#renderer/api/studio.ts';
import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { flowPathIn } from '#renderer/document/graph/flow-path.ts';
import type { InnerPorts } from '#renderer/document/graph/readable-flow.ts';
import { readText } from '#renderer/document/reading/read-text.ts';
import { editorStore, takeInnerPorts } from './editor.ts';

/** The nested flows of the last request, by the path of the outer flow. */
const asked = new Map<string, string>();

/** Asks again: a flow file has changed. */
export function readInnerFlowsAgain(): void {
  for (const flow of Object.values(editorStore.getState().flows)) {
    const names = innerNames(flow);
    if (names.length > 0) void readPorts(flow.path, names).then((inner) => takeInnerPorts(flow.path, inner));
  }
}

/** Loads what nested flows consume and produce, whenever an open flow refers to other ones. Returns the function that stops this. */
export function followInnerFlows(): () => void {
  return editorStore.subscribe(({ flows }, before) => {
    if (flows === before.flows) return;
    for (const flow of Object.values(flows)) {
      const names = innerNames(flow);
      const question = names.join('\n');
      if (asked.get(flow.path) === question) continue;
      asked.set(flow.path, question);
      if (names.length > 0) void readPorts(flow.path, names).then((inner) => takeInnerPorts(flow.path, inner));
    }
    for (const path of asked.keys()) if (!flows[path]) asked.delete(path);
  });
}

function innerNames(flow: OpenFlow): string[] {
  const named = flow.parsed.outline.nodes?.filter((node) => node.kind === 'flow').map((node) => String(node.raw.flow)) ?? [];
  return [...new Set(named)].sort();
}

/** Omits a flow that is missing or broken; the findings report it. */
async function readPorts(path: string, names: readonly string[]): Promise<InnerPorts> {
  const found: Record<string, { input: string; output: string }> = {};
  await Promise.all(
    names.map(async (name) => {
      const target = flowPathIn(path, name);
      if (target === null) return;
      try {
        const { text, draft } = await studio.flows.read({ path: target });
        const { input, output } = (await readText(draft?.text ?? text, target)).outline;
        if (input !== undefined && output !== undefined) found[name] = { input, output };
      } catch {
        // See above.
      }
    }),
  );
  return found;
}
