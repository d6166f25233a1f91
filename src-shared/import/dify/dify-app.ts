import type { ForeignReading } from '#shared/import/foreign-graph.ts';
import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { listAt, objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { DifyReader } from './dify-reader.ts';
import { reportFeatures } from './left-out-settings.ts';
import { simpleApp } from './simple-app.ts';

/** Whether a value is an app in Dify's format ("DSL"). */
export function isDify(value: Json): boolean {
  return (
    isJsonObject(value) &&
    value.kind === 'app' &&
    isJsonObject(value.app) &&
    (isJsonObject(value.workflow) || isJsonObject(value.model_config))
  );
}

/** Reads a Dify app: a workflow, a chatflow, or a simple app with one model. */
export function importDify(value: Json, report: ReportForeign): ForeignReading | null {
  const app = objectAt(value, 'app');
  const name = textAt(app, 'name') || 'Dify app';
  const description = textAt(app, 'description');
  if (!isJsonObject((value as JsonObject).workflow)) return { graph: simpleApp(value as JsonObject, name, description, report), files: [] };
  const graph = objectAt(objectAt(value, 'workflow'), 'graph');
  const nodes = objectsAt(graph, 'nodes');
  if (!nodes.some((node) => textAt(objectAt(node, 'data'), 'type') === 'start')) {
    const trigger = nodes.find((node) => textAt(objectAt(node, 'data'), 'type').startsWith('trigger'));
    report(
      'import_format',
      ['workflow', 'graph', 'nodes'],
      trigger ? 'The workflow begins with a trigger. Triggers are not supported: give it a Start node.' : 'The workflow has no Start node.',
    );
    return null;
  }
  for (const { id } of objectsAt(objectAt(value, 'workflow'), 'rag_pipeline_variables'))
    report('import_ignored', ['workflow', 'rag_pipeline_variables'], `The pipeline variable ${String(id)} is left out.`);
  reportFeatures(objectAt(value, 'workflow'), report);
  const reader = new DifyReader(name, textAt(app, 'mode') === 'advanced-chat', objectAt(value, 'workflow'), report);
  return reader.read(description, listAt(graph, 'nodes'), objectsAt(graph, 'edges'));
}
