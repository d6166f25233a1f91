import type { JsonObject } from '#shared/json.ts';
import { Fields } from './fields.ts';
import type { ReportImport } from './import-problem.ts';

/** Plugins whose work is done here without them. */
const plugins: Readonly<Record<string, string>> = {
  logging: 'The events of a run contain what it logs.',
  debug_logging: 'The events of a run contain what it logs.',
  reflect_and_retry: 'A failed tool call is a result that the model sees, so that it can try again.',
};

/** Keys of newer versions of PyFlow that have no effect here. */
const newer = /^(credential_service|resumable|mcp_servers|context_cache_.*|compaction_.*)$/;

/** Checks the `runtime` section. Nothing of it is needed here: each run is recorded in the folder's journal. */
export function readRuntime(value: JsonObject | null, report: ReportImport): void {
  if (!value) return;
  const path = ['runtime'];
  const fields = new Fields(value, path, 'the runtime', report);
  const session = fields.choice('session_service', ['in_memory', 'sqlite', 'database'], 'in_memory');
  fields.choice('memory_service', ['in_memory', 'none'], 'none');
  fields.choice('artifact_service', ['in_memory', 'file', 'none'], 'none');
  fields.text('session_db_url');
  if (session !== 'in_memory' && session !== null)
    report('pyflow_ignored', [...path, 'session_service'], 'Runs are recorded in the folder, so no session service is used.', 'warning');
  fields.text('session_db_path');
  if (fields.text('artifact_dir'))
    report(
      'pyflow_ignored',
      [...path, 'artifact_dir'],
      'Artifacts are stored in the folder’s .pravah, so "artifact_dir" is not used.',
      'warning',
    );
  for (const [index, plugin] of (fields.texts('plugins') ?? []).entries()) {
    const why = Object.hasOwn(plugins, plugin) ? plugins[plugin] : 'It is unknown here and skipped.';
    report('pyflow_ignored', [...path, 'plugins', index], `The plugin ${plugin} is not used. ${why}`, 'warning');
  }
  const others = Object.keys(value).filter((key) => newer.test(key));
  for (const key of others) report('pyflow_ignored', [...path, key], `"${key}" has no effect here.`, 'warning');
  fields.ignored(others);
}
