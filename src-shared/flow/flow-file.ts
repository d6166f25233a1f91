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

/** Whether a file may be a PyFlow workflow by its name: YAML that is not a flow. Its text decides. */
export function mayBeWorkflow(path: string): boolean {
  return /\.ya?ml$/i.test(path) && !document.test(path);
}

/** Whether a flow is shown but not edited here: it is written in code, or it is a PyFlow workflow. */
export function isReadOnlyFlow(path: string): boolean {
  return isCodeFlow(path) || mayBeWorkflow(path);
}

/** Whether a node of a document can run a flow: another document, or in a trusted folder a flow in code. A workflow is imported first. */
export function canBeNested(path: string, trusted: boolean): boolean {
  return isCodeFlow(path) ? trusted : !mayBeWorkflow(path);
}

/** A flow's path without what says that it is a flow. */
export function withoutFlowEnding(path: string): string {
  return path.replace(document, '').replace(code, '');
}
