import { checkModelUrl } from '#shared/flow/checks/model-url.ts';
import type { Report } from '#shared/flow/checks/report.ts';
import { whyNot } from '#shared/flow/checks/why-not.ts';
import type { FlowEnvironment } from '#shared/flow/environment.ts';
import { parseExpression } from '#shared/flow/expression.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { rememberByText } from '#shared/flow/remember-by-text.ts';
import { readRunFileSource, readRunSource } from '#shared/flow/source/body-source.ts';
import { readModuleExports } from '#shared/flow/source/module-exports.ts';
import type { SourceFault } from '#shared/flow/source/source-fault.ts';
import { folderOf, resolveWorkspacePath } from '#shared/flow/workspace-path.ts';

/** What the rules about bodies and tools need besides the node. */
export interface BodyContext {
  /** Path of the document, to which its files are relative. */
  readonly file: string;
  readonly environment: FlowEnvironment;
  readonly report: Report;
}

const readExpression = rememberByText(parseExpression, 20_000);
const bodyKeys = ['run', 'run_file', 'module', 'expr', 'tool'] as const;

/** Rules about a node's code and model. What is not of its type is left to the format check. */
export function checkBody(node: OutlineNode, context: BodyContext): void {
  const { raw, path, id, kind } = node;
  const { report } = context;
  if (kind === 'agent') {
    checkModelUrl(node, report);
    return;
  }
  if (kind === 'either' && !bodyKeys.some((key) => Object.hasOwn(raw, key))) {
    report(
      'missing_body',
      path,
      [id],
      `The either node ${id} has nothing that decides. Give it an "expr" that is true or false, or a "run" that returns {left: …} or {right: …}.`,
    );
  }
  if (typeof raw.run === 'string') {
    const body = readRunSource(raw.run, context.environment.stripTypes);
    if (!body.ok) report('bad_code', `${path}/run`, [id], `The code of ${id} cannot be used: ${place(body.fault)}`);
  }
  if (typeof raw.expr === 'string') {
    const parsed = readExpression(raw.expr);
    if (!parsed.ok) report('bad_expr', `${path}/expr`, [id], `The expression of ${id} cannot be used: ${place(parsed.fault)}`);
  }
  if (typeof raw.run_file === 'string') checkRunFile(node, raw.run_file, context);
  if (typeof raw.module === 'string') checkModule(node, raw.module, context);
}

function place({ line, column, message }: SourceFault): string {
  return `line ${line}, column ${column}: ${message}.`;
}

function checkRunFile({ path, id }: OutlineNode, file: string, context: BodyContext): void {
  const text = readNamed(`${path}/run_file`, id, file, context);
  const body = text === null ? null : readRunFileSource(text, context.environment.stripTypes);
  if (body?.ok === false)
    context.report('bad_code', `${path}/run_file`, [id], `The code of ${id} cannot be used: ${file}, ${place(body.fault)}`);
}

function checkModule({ path, id, raw }: OutlineNode, file: string, context: BodyContext): void {
  const { report, environment } = context;
  if (!environment.trusted) {
    report(
      'needs_trust',
      `${path}/module`,
      [id],
      `The module ${file} of ${id} runs as ordinary code of this machine, which only a trusted folder may do. Trust the folder (--trust), or use a "run" body, which is sandboxed.`,
    );
  }
  const text = readNamed(`${path}/module`, id, file, context);
  const exports = text === null ? null : readModuleExports(text, environment.stripTypes);
  if (!exports) return;
  const name = typeof raw.export === 'string' ? raw.export : 'default';
  if (!exports.ok) report('bad_code', `${path}/module`, [id], `The module of ${id} cannot be used: ${file}, ${place(exports.fault)}`);
  else if (!exports.names.has(name) && !exports.open) {
    const place = raw.export === undefined ? `${path}/module` : `${path}/export`;
    report(
      'bad_code',
      place,
      [id],
      `${file} exports no ${name === 'default' ? 'default function' : name}; it exports ${[...exports.names].join(', ') || 'nothing'}.`,
    );
  }
}

/** The text of a file that a body names; null, with the problem reported, when it cannot be had. */
function readNamed(path: string, id: string, file: string, { file: from, environment, report }: BodyContext): string | null {
  const resolved = resolveWorkspacePath(folderOf(from), file);
  if (resolved === null) {
    report('bad_code', path, [id], `${file} lies outside the workspace. Name a file inside it, with / between folders.`);
    return null;
  }
  const reading = environment.readFile(resolved);
  if (reading.ok) return reading.text;
  report('bad_code', path, [id], `The file ${file} of ${id} ${whyNot(reading.reason, resolved, reading.message)}`);
  return null;
}
