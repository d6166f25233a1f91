import { type OpenFlow, openFlow } from '#renderer/document/editing/open-flow.ts';
import type { FlowContent } from '#shared/contract/flows.ts';
import { readText } from './read-text.ts';

/** Opens a flow that the host has read, as `openFlow` does. Its texts are read in a worker. */
export async function openedFlow(content: FlowContent): Promise<OpenFlow> {
  const { path, text, draft } = content;
  const texts = [...new Set([text, draft?.text ?? text])];
  const read = new Map(await Promise.all(texts.map(async (each) => [each, await readText(each, path)] as const)));
  return openFlow(content, (each) => read.get(each) ?? unread(path));
}

function unread(path: string): never {
  throw new Error(`A text of ${path} was not read.`);
}
