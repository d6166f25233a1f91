import { pointerSegments } from '#shared/flow/parse-flow.ts';
import { lineOfPath } from '#shared/flow/source/line-of-path.ts';
import { positionsOf } from '#shared/flow/source/position.ts';
import { readYaml } from '#shared/flow/source/read-yaml.ts';
import { isJsonObject, type Json, jsonPointer } from '#shared/json.ts';
import { Fields } from './fields.ts';
import type { ImportProblem, ReportImport } from './import-problem.ts';
import { readA2a } from './read-a2a.ts';
import { readAgent } from './read-agent.ts';
import { readOrchestration } from './read-orchestration.ts';
import { readRuntime } from './read-runtime.ts';
import type { PyflowAgent, Workflow } from './workflow.ts';
import { valueAsPyYaml } from './yaml-words.ts';

/** A workflow's text, as far as it could be read. */
export interface WorkflowReading {
  /** Null if its shape cannot be read at all. What can be read is checked further even where the rest has errors. */
  readonly workflow: Workflow | null;
  readonly problems: ImportProblem[];
  /** Names of agents whose type cannot be read. */
  readonly unread: ReadonlySet<string>;
  readonly report: ReportImport;
  /** The line of a JSON Pointer in the text, from 1. */
  readonly lineOf: (pointer: string) => number;
}

/** Reads a workflow and checks its shape as PyFlow's models do. Every problem is reported. */
export function readWorkflow(source: string): WorkflowReading {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const problems: ImportProblem[] = [];
  const positionAt = positionsOf(text);
  const reading = readYaml(text, { mergeKeys: true });
  if (!reading.ok) {
    for (const { message, path, position } of reading.faults) {
      const { line, column } = positionAt(position);
      problems.push({ code: 'pyflow_format', severity: 'error', message: `Line ${line}, column ${column}: ${message}.`, path, line });
    }
    return { workflow: null, problems, unread: new Set(), report: () => undefined, lineOf: () => 1 };
  }
  const { root } = reading;
  const report: ReportImport = (code, path, message, severity = 'error') => {
    problems.push({ code, severity, message, path: jsonPointer(path), line: lineOfPath(root, path, positionAt) });
  };
  const value = valueAsPyYaml(root, text);
  const workflow = workflowOf(value, report);
  const list = isJsonObject(value) && Array.isArray(value.agents) ? (value.agents as readonly Json[]) : [];
  const names = list.flatMap((agent) => (isJsonObject(agent) && typeof agent.name === 'string' ? [agent.name] : []));
  const read = new Set(workflow?.agents.map(({ name }) => name));
  return {
    workflow,
    problems,
    unread: new Set(names.filter((name) => !read.has(name))),
    report,
    lineOf: (pointer) => lineOfPath(root, pointerSegments(pointer), positionAt),
  };
}

function workflowOf(value: Json, report: ReportImport): Workflow | null {
  if (!isJsonObject(value)) {
    report('pyflow_format', [], 'A workflow must be an object with "name", "agents" and "orchestration".');
    return null;
  }
  const fields = new Fields(value, [], 'the workflow', report);
  const name = fields.requiredText('name');
  const description = fields.text('description') ?? '';
  const list = fields.list('agents');
  if (!list) fields.missing('agents');
  const agents = (list ?? []).map((item, index) => readAgent(item, index, report)).filter((agent): agent is PyflowAgent => agent !== null);
  const orchestration = readOrchestration(value.orchestration, report);
  readRuntime(fields.object('runtime'), report);
  const a2a = readA2a(fields.object('a2a'), report);
  fields.ignored(['orchestration', 'runtime', 'a2a']);
  return { name, description, agents, orchestration: orchestration ?? { type: 'sequential', agents: [] }, a2a };
}
