import type { PyflowProject } from '#shared/pyflow/project.ts';
import { openApiOf } from './open-apis.ts';
import { projectTools } from './project-tools.ts';
import { isNewestPyflow } from './pyflow-project.ts';
import type { WorkspaceSettings } from './settings.ts';

/** What the project of a workflow offers. `path` is the workflow's or the flow's, relative to the workspace. `dialect` overrides what its files say. */
export function workflowProject(
  folder: string,
  path: string,
  settings: WorkspaceSettings,
  dialect?: PyflowProject['dialect'],
): PyflowProject {
  return {
    dialect: dialect ?? (isNewestPyflow(folder, path) ? 'latest' : 'seed'),
    tools: projectTools(folder, path),
    openApi: (name) => {
      const api = openApiOf(folder, settings.openapi_tools, name);
      return api && !('problem' in api) ? { operations: api.operations.map((operation) => operation.name) } : api;
    },
  };
}
