import { parseTree } from '#shared/python/parse-tree.ts';
import type { ReportImport } from './import-problem.ts';
import type { Workflow } from './workflow.ts';

/** Checks the Python expressions of a workflow: their syntax, and that the interpreter takes them. */
export function checkExpressions({ agents }: Workflow, report: ReportImport): void {
  for (const agent of agents) {
    if (agent.type !== 'expr' || agent.expression === '') continue;
    const parsed = parseTree(agent.expression);
    if ('problem' in parsed) report(parsed.problem.code, ['agents', agent.index, 'expression'], parsed.problem.message);
  }
}
