import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';

/** The flows that are open, as they were read last, by their paths. */
const open = new Map<string, WeakRef<ParsedFlow>>();

/** Remembers how the text of an open flow was read, for as long as it is used. */
export function rememberParsed(flow: ParsedFlow): void {
  if (open.get(flow.path)?.deref() !== flow) open.set(flow.path, new WeakRef(flow));
}

/**
 * Reads the text of a flow, such as the one that a run had. Where the open flow has the same text it is not read again, and where it has another one only
 * what differs is: reading a large flow freezes the page.
 */
export function parsedText(text: string, path: string): ParsedFlow {
  const known = open.get(path)?.deref();
  return known?.text === text ? known : parseFlow(text, path, known);
}
