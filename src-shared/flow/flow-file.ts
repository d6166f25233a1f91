const document = /\.flow\.(?:yaml|yml|json)$/i;
const code = /\.flow\.(?:ts|mts|js|mjs)$/i;

/** Whether a file's name is that of a flow, as a document or in code. */
export function isFlowFile(path: string): boolean {
  return document.test(path) || code.test(path);
}

/** Whether a file's name is that of a flow in code: a module that exports what `defineFlow(…).build()` made. */
export function isCodeFlow(path: string): boolean {
  return code.test(path);
}

/** A flow's path without what says that it is a flow. */
export function withoutFlowEnding(path: string): string {
  return path.replace(document, '').replace(code, '');
}
