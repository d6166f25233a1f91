import type { PythonProcess } from '#main/engine/ports/python-process.ts';
import type { CompiledFlow, CompiledWorkflow } from '#shared/pyflow/compile-workflow.ts';
import type { ImportProblem } from '#shared/pyflow/import-problem.ts';
import { toTransferable } from '#shared/run/error.ts';

/**
 * Warns about code agents whose functions cannot be called: PyFlow, too, finds out when it runs. Imports their modules, so only for a trusted folder.
 * `path` is the flow's; `lineOf` finds the workflow's lines.
 */
export async function checkFunctions(
  python: PythonProcess,
  flow: CompiledFlow,
  path: string,
  lineOf: CompiledWorkflow['lineOf'],
): Promise<ImportProblem[]> {
  const problems: ImportProblem[] = [];
  for (const [index, node] of flow.document.nodes.entries()) {
    const session = 'session' in node ? node.session : undefined;
    if (!session || !('code' in session)) continue;
    const at = `${flow.origins[index]}/function`;
    const why = await whyNot(python, path, session.code, session.inputs ?? []);
    if (why === null) continue;
    if ('missing' in why) {
      // Of every function, so once.
      problems.push({ code: 'python_missing', severity: 'warning', message: why.missing, path: at, line: lineOf(at) });
      break;
    }
    const message = `The Python function ${session.code} cannot be called: ${why.reason}`;
    problems.push({ code: 'python_function', severity: 'warning', message, path: at, line: lineOf(at) });
  }
  return problems;
}

async function whyNot(
  python: PythonProcess,
  path: string,
  name: string,
  inputs: readonly string[],
): Promise<{ readonly reason: string } | { readonly missing: string } | null> {
  try {
    const why = await python.check(path, name, inputs);
    return why === null ? null : { reason: /[.!?]$/.test(why) ? why : `${why}.` };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return toTransferable(error).code === 'CONFIG_PYTHON_MISSING' ? { missing: error.message } : { reason: error.message };
  }
}
