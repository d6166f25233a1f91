import { printLine, styled } from '#main/hosts/cli/terminal.ts';
import type { ValidationReport } from '#shared/flow/problem.ts';

/** Prints what is found about a flow: one JSON object, or lines for people. */
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
  printLine(`${verdict}  ${report.nodes} nodes, ${errors} errors, ${warnings} warnings, soundness ${report.soundness.status}`);
}
