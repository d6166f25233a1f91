import { isJsonObject, type Json } from '#shared/json.ts';
import { Fields } from './fields.ts';
import type { ReportImport } from './import-problem.ts';
import type { DagNode, Orchestration } from './workflow.ts';

const types = ['sequential', 'parallel', 'loop', 'react', 'dag', 'llm_routed'] as const;
const keys = ['type', 'agents', 'nodes', 'agent', 'router', 'planner', 'planner_config', 'max_iterations'];

/** Reads how the agents run together; null if the type is unknown. */
export function readOrchestration(value: Json | undefined, report: ReportImport): Orchestration | null {
  if (!isJsonObject(value)) {
    report('pyflow_format', value === undefined ? [] : ['orchestration'], 'The workflow needs an "orchestration" with a "type".');
    return null;
  }
  const fields = new Fields(value, ['orchestration'], 'the orchestration', report);
  const type = fields.choice('type', types, null);
  const found = type && orchestrationOf(type, fields, report);
  fields.ignored(keys);
  return found;
}

function orchestrationOf(type: (typeof types)[number], fields: Fields, report: ReportImport): Orchestration {
  switch (type) {
    case 'sequential':
    case 'parallel':
      return { type, agents: fields.requiredTexts('agents') };
    case 'loop':
      return { type, agents: fields.requiredTexts('agents'), max_iterations: fields.number('max_iterations', true) };
    case 'dag':
      return { type, nodes: readNodes(fields, report) };
    case 'react': {
      const config = fields.object('planner_config');
      const budget = config?.thinking_budget;
      return {
        type,
        agent: fields.requiredText('agent'),
        planner: fields.text('planner'),
        thinking_budget: typeof budget === 'number' ? budget : null,
      };
    }
    case 'llm_routed':
      return { type, router: fields.requiredText('router'), agents: fields.requiredTexts('agents') };
  }
}

function readNodes(fields: Fields, report: ReportImport): DagNode[] {
  const list = fields.list('nodes');
  if (!list?.length) fields.missing('nodes');
  return (list ?? []).map((item, index) => {
    const path = ['orchestration', 'nodes', index];
    if (!isJsonObject(item)) {
      report('pyflow_format', path, 'A node of the dag must be an object with "agent" and "depends_on".');
      return { agent: '', depends_on: [] };
    }
    const node = new Fields(item, path, `node ${index + 1} of the dag`, report);
    const found = { agent: node.requiredText('agent'), depends_on: node.texts('depends_on') ?? [] };
    node.ignored();
    return found;
  });
}
