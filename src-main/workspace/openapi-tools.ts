import type { Tool } from '#main/engine/ports/tool.ts';
import { checkSchema } from '#main/engine/values/schema-validator.ts';
import { openApiTool } from '#main/tools/openapi/openapi-tool.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { toolNamesIn } from '#shared/flow/tool-names-in.ts';
import { parseToolReference } from '#shared/flow/tool-use.ts';
import type { OpenApiSettings } from '#shared/openapi/openapi-settings.ts';
import { type FoundApi, openApiOf } from './open-apis.ts';

/** The folder, and the APIs that its settings name. */
export interface OpenApiFolder {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly settings: WorkspaceSettings;
}

/** The tools `openapi:API/OPERATION` of the APIs that a flow uses. An API that cannot be called has none. */
export function openApiToolsOf({ folder, settings }: OpenApiFolder, graph: FlowGraph): Tool[] {
  const apis = new Set<string>();
  for (const name of toolNamesIn(graph)) {
    const reference = parseToolReference(name);
    if (reference.type === 'openapi') apis.add(reference.api);
  }
  return [...apis].flatMap((name) => toolsOf(folder, settings.openapi_tools, name));
}

/** The tools of all APIs that the folder's settings name. */
export function allOpenApiTools({ folder, settings }: OpenApiFolder): Tool[] {
  return Object.keys(settings.openapi_tools).flatMap((name) => toolsOf(folder, settings.openapi_tools, name));
}

function toolsOf(folder: string, settings: Readonly<Record<string, OpenApiSettings>>, name: string): Tool[] {
  const api = openApiOf(folder, settings, name);
  return api && !('problem' in api) ? describedTools(name, api) : [];
}

function describedTools(api: string, { operations, server, settings }: FoundApi): Tool[] {
  return operations.map((offered) => openApiTool(offered, { api, server, settings }, (schema) => checkSchema(schema) === null));
}
