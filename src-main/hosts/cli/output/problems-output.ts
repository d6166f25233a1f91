import type { ValidationReport } from '#shared/flow/problem.ts';
import { countOf, printLine, styled } from './terminal.ts';

/** Prints a validation report as one JSON object or as readable lines. */
export function printReport(report: ValidationReport, json: boolean): void {
  if (json) {
    printLine(JSON.stringify(report));
    return;
  }
  for (const problem of report.problems) {
    const label = problem.severity === 'error' ? styled('red', 'error') : styled('yellow', 'warning');
    printLine(`${label}  ${problem.code}  ${problem.path || '/'}\n       ${problem.message}`);
  }
  const errors = report.problems.filter((problem) => problem.severity === 'error').length;
  const warnings = report.problems.length - errors;
  const verdict = report.valid ? styled('green', 'valid') : styled('red', 'invalid');
  const counts = [countOf(report.nodes, 'node'), countOf(errors, 'error'), countOf(warnings, 'warning')].join(', ');
  printLine(`${verdict}  ${counts}, soundness ${report.soundness.status}`);
}
