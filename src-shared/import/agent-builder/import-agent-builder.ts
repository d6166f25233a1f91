import type { ForeignGraph } from '#shared/import/foreign-graph.ts';
import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { parseModule } from './module-source.ts';
import { readDeclarations } from './read-agents.ts';
import { findWorkflow, readWorkflow } from './read-workflow.ts';

/** Whether code is a workflow that OpenAI's Agent Builder has exported for its Agents SDK. */
export function isAgentBuilder(code: string): boolean {
  return /from\s*["']@openai\/agents["']/.test(code);
}

/**
 * Reads a workflow that OpenAI's Agent Builder has exported as TypeScript, its types stripped. Agents become agents; branches and loops of the code
 * that run agents become branches and loops of the flow; other code stays code, over fields with the names of its variables.
 */
export function importAgentBuilder(code: string, report: ReportForeign): ForeignGraph | null {
  let module: ReturnType<typeof parseModule>;
  try {
    module = parseModule(code);
  } catch (error) {
    const line = error instanceof SyntaxError && 'loc' in error ? Number((error.loc as { line: number }).line) : 1;
    report('import_format', line, `The code cannot be parsed: ${error instanceof Error ? error.message : String(error)}.`);
    return null;
  }
  const declarations = readDeclarations(module, report);
  const workflow = findWorkflow(module, declarations);
  if (!workflow) {
    report(
      'import_format',
      1,
      'The file has no function that runs agents (runWorkflow). Export the workflow as TypeScript for the Agents SDK.',
    );
    return null;
  }
  return readWorkflow(workflow, module, declarations, report);
}
