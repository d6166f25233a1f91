import type { FlowEnvironment } from '#shared/flow/environment.ts';
import { parseExpression } from '#shared/flow/expression.ts';
import { memoizeByText } from '#shared/flow/memoize-by-text.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { readRunFileSource, readRunSource } from '#shared/flow/source/body-source.ts';
import { readModuleExports } from '#shared/flow/source/module-exports.ts';
import type { SourceFault } from '#shared/flow/source/source-fault.ts';
import { folderOf, resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { isJsonObject } from '#shared/json.ts';
import { parseTree } from '#shared/python/parse-tree.ts';
import { checkConversation } from './conversation.ts';
import { checkModelUrl } from './model-url.ts';
import { capitalized, nodeLabel } from './node-label.ts';
import { checkPlan, planModule, stepAgents } from './plan.ts';
import type { Report } from './report.ts';
import { whyNot } from './why-not.ts';

/** What the checks of bodies and tools need besides the node. */
export interface BodyContext {
  /** Path of the document, to which its files are relative. */
  readonly file: string;
  readonly environment: FlowEnvironment;
  readonly report: Report;
}

const readExpression = memoizeByText(parseExpression, 20_000);
const bodyKeys = ['run', 'run_file', 'module', 'expr', 'tool', 'session'] as const;

/** Checks a node's code and model. Values of the wrong type are left to the format check. */
export function checkBody(node: OutlineNode, context: BodyContext): void {
  const { raw, path, id, kind } = node;
  const { report } = context;
  if (kind === 'agent') {
    checkModelUrl(node, report);
    checkConversation(node, report);
    checkToolConditions(node, report);
    checkGuards(node, report);
    checkControl(node, context);
    checkPlan(node, report);
    const planner = planModule(node);
    if (planner) checkModule({ ...node, ...planner }, String(planner.raw.module), context);
    checkCallbacks(node, context);
    return;
  }
  if (kind === 'either' && !bodyKeys.some((key) => Object.hasOwn(raw, key))) {
    report(
      'missing_body',
      path,
      [id],
      `${capitalized(nodeLabel(node))} has no condition. Add an "expr" that is true or false, or a "run" that returns {left: …} or {right: …}.`,
    );
  }
  if (typeof raw.run === 'string') {
    const body = readRunSource(raw.run, context.environment.stripTypes);
    if (!body.ok) report('bad_code', `${path}/run`, [id], `Invalid code in ${nodeLabel(node)}, ${located(body.fault)}`);
  }
  if (typeof raw.expr === 'string') {
    const parsed = readExpression(raw.expr);
    if (!parsed.ok) report('bad_expr', `${path}/expr`, [id], `Invalid expression in ${nodeLabel(node)}, ${located(parsed.fault)}`);
  }
  checkSession(node, context);
  if (typeof raw.run_file === 'string') checkRunFile(node, raw.run_file, context);
  if (typeof raw.module === 'string') checkModule(node, raw.module, context);
}

/** Checks the body that steers an agent. */
function checkControl(node: OutlineNode, context: BodyContext): void {
  const { report, environment } = context;
  const { raw, path, id } = node;
  const agent = isJsonObject(raw.agent) ? raw.agent : {};
  const { control, mode } = agent;
  if (!isJsonObject(control)) return;
  const place = `${path}/agent/control`;
  if (mode === 'plan' || mode === 'redundant') {
    const why = `has the mode ${mode}, whose inner agents cannot be steered. Remove "control", or use the mode structured or chat.`;
    report('bad_control', place, [id], `${capitalized(nodeLabel(node))} ${why}`);
  }
  const { expr, run, run_file: runFile, module } = control;
  const written = { ...node, raw: control, path: place };
  if (typeof runFile === 'string') checkRunFile(written, runFile, context);
  if (typeof module === 'string') checkModule(written, module, context);
  if (typeof expr === 'string') {
    const parsed = readExpression(expr);
    if (!parsed.ok)
      report('bad_expr', `${place}/expr`, [id], `Invalid expression in the controller of ${nodeLabel(node)}, ${located(parsed.fault)}`);
  }
  if (typeof run === 'string') {
    const body = readRunSource(run, environment.stripTypes);
    if (!body.ok) report('bad_code', `${place}/run`, [id], `Invalid code in the controller of ${nodeLabel(node)}, ${located(body.fault)}`);
  }
}

/** Checks the conditions under which an agent has its tools. */
function checkToolConditions(node: OutlineNode, report: Report): void {
  const { raw, path, id } = node;
  const own = isJsonObject(raw.agent) ? [{ agent: raw.agent, path: `${path}/agent` }] : [];
  for (const { agent, path: place } of [...own, ...stepAgents(node)]) {
    for (const [index, use] of (Array.isArray(agent.tools) ? agent.tools : []).entries()) {
      const when = isJsonObject(use) ? use.when : undefined;
      const parsed = typeof when === 'string' ? readExpression(when) : undefined;
      if (parsed?.ok !== false) continue;
      report(
        'bad_expr',
        `${place}/tools/${index}/when`,
        [id],
        `Invalid condition of a tool of ${nodeLabel(node)}, ${located(parsed.fault)}`,
      );
    }
  }
}

/** Checks the expressions that guard an agent's input and output. */
function checkGuards(node: OutlineNode, report: Report): void {
  const { raw, path, id } = node;
  const guards = isJsonObject(raw.agent) && isJsonObject(raw.agent.guards) ? raw.agent.guards : {};
  for (const stage of ['input', 'output'] as const) {
    const rules = guards[stage];
    for (const [index, rule] of (Array.isArray(rules) ? rules : []).entries()) {
      const parsed = isJsonObject(rule) && typeof rule.expr === 'string' ? readExpression(rule.expr) : undefined;
      if (parsed?.ok !== false) continue;
      const place = `${path}/agent/guards/${stage}/${index}/expr`;
      report('bad_expr', place, [id], `Invalid check of the ${stage} of ${nodeLabel(node)}, ${located(parsed.fault)}`);
    }
  }
}

/** Callbacks are Python functions, which need trust. */
function checkCallbacks(node: OutlineNode, { report, environment }: BodyContext): void {
  const { raw, path, id } = node;
  const callbacks = isJsonObject(raw.session) && isJsonObject(raw.session.callbacks) ? Object.values(raw.session.callbacks) : [];
  if (callbacks.length === 0 || environment.trusted) return;
  const why = `has Python callbacks (${callbacks.join(', ')}), which run outside the sandbox. Only a trusted folder may do that`;
  report('needs_trust', `${path}/session/callbacks`, [id], `${capitalized(nodeLabel(node))} ${why}. Trust the folder (--trust).`);
}

/** Checks the Python of a session: an expression, or a function, which needs trust. */
function checkSession(node: OutlineNode, { report, environment }: BodyContext): void {
  const { raw, path, id } = node;
  const session = isJsonObject(raw.session) ? raw.session : {};
  if (typeof session.code === 'string' && !environment.trusted) {
    const why = `calls the Python function ${session.code}, which runs outside the sandbox. Only a trusted folder may do that`;
    report('needs_trust', `${path}/session/code`, [id], `${capitalized(nodeLabel(node))} ${why}. Trust the folder (--trust).`);
  }
  const expression = session.expr;
  if (typeof expression !== 'string') return;
  const parsed = parseTree(expression);
  if ('problem' in parsed) report(parsed.problem.code, `${path}/session/expr`, [id], parsed.problem.message);
}

function located({ line, column, message }: SourceFault): string {
  return `line ${line}, column ${column}: ${message}.`;
}

function checkRunFile(node: OutlineNode, file: string, context: BodyContext): void {
  const { path, id } = node;
  const text = readNamed(`${path}/run_file`, node, file, context);
  const body = text === null ? null : readRunFileSource(text, context.environment.stripTypes);
  if (body?.ok === false)
    context.report('bad_code', `${path}/run_file`, [id], `Invalid code in ${nodeLabel(node)}: ${file}, ${located(body.fault)}`);
}

function checkModule(node: OutlineNode, file: string, context: BodyContext): void {
  const { path, id, raw } = node;
  const { report, environment } = context;
  if (!environment.trusted) {
    report(
      'needs_trust',
      `${path}/module`,
      [id],
      `${capitalized(nodeLabel(node))} uses the module ${file}, which runs outside the sandbox. Only a trusted folder may do that. Trust the folder (--trust), or use a "run" body, which is sandboxed.`,
    );
  }
  const text = readNamed(`${path}/module`, node, file, context);
  const exports = text === null ? null : readModuleExports(text, environment.stripTypes);
  if (!exports) return;
  const name = typeof raw.export === 'string' ? raw.export : 'default';
  if (!exports.ok) report('bad_code', `${path}/module`, [id], `Invalid module in ${nodeLabel(node)}: ${file}, ${located(exports.fault)}`);
  else if (!exports.names.has(name) && !exports.open) {
    const key = raw.export === undefined ? `${path}/module` : `${path}/export`;
    report(
      'bad_code',
      key,
      [id],
      `${file} does not export ${name === 'default' ? 'a default function' : name}. It exports ${[...exports.names].join(', ') || 'nothing'}.`,
    );
  }
}

/** The text of a file that a body names; null, with the problem reported, when it cannot be read. */
function readNamed(path: string, node: OutlineNode, file: string, { file: from, environment, report }: BodyContext): string | null {
  const resolved = resolveWorkspacePath(folderOf(from), file);
  if (resolved === null) {
    report('bad_code', path, [node.id], `${file} is outside the workspace. Use a path inside it, with / between folders.`);
    return null;
  }
  const reading = environment.readFile(resolved);
  if (reading.ok) return reading.text;
  report('bad_code', path, [node.id], `The file ${file} of ${nodeLabel(node)} ${whyNot(reading.reason, resolved, reading.message)}`);
  return null;
}
