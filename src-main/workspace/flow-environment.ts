import { createHash } from 'node:crypto';
import { checkSchema } from '#main/engine/values/schema-validator.ts';
import { stripTypes } from '#main/sandbox/strip-types.ts';
import type { FileReading, FlowEnvironment } from '#shared/flow/environment.ts';
import { toolNames } from '#shared/flow/tools/built-in-tools.ts';
import { openApi } from './open-apis.ts';
import { readWorkspaceFile } from './read-workspace-file.ts';
import type { WorkspaceSettings } from './settings.ts';

export interface FlowEnvironmentOptions {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly trusted: boolean;
  readonly settings: WorkspaceSettings;
  /** Names of tools in addition to the built-in ones. */
  readonly tools?: Iterable<string>;
  /** Texts of files that are not on disk, by path relative to the workspace: flows compiled from a workflow. */
  readonly overlay?: ReadonlyMap<string, string>;
  /** See `FlowEnvironment.codeFlow`. */
  readonly codeFlow?: FlowEnvironment['codeFlow'];
}

/** An environment for building flows, with the files read through it. */
export interface RecordingEnvironment extends FlowEnvironment {
  /** Real paths of the files. */
  readonly files: ReadonlySet<string>;
  /** Texts of the files, by path relative to the workspace. */
  texts(): Map<string, string>;
}

/** Creates the environment in which the flows of a folder are built. Each file is read once, so that a build sees one version of it. */
export function flowEnvironment({
  folder,
  trusted,
  settings,
  tools = [],
  overlay,
  codeFlow,
}: FlowEnvironmentOptions): RecordingEnvironment {
  const readings = new Map<string, FileReading>();
  const files = new Set<string>();
  const readFile = (path: string): FileReading => {
    const known = readings.get(path);
    if (known) return known;
    const text = overlay?.get(path);
    const reading: FileReading = text === undefined ? readWorkspaceFile(folder, path, files) : { ok: true, text };
    readings.set(path, reading);
    return reading;
  };
  return {
    files,
    texts: () => new Map([...readings].flatMap(([path, reading]) => (reading.ok ? [[path, reading.text] as const] : []))),
    trusted,
    tools: new Set([...toolNames, ...tools]),
    mcpServers: new Set(Object.keys(settings.mcp_servers)),
    checkSchema,
    stripTypes,
    ...(codeFlow && { codeFlow }),
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    readFile,
    openApi(name) {
      const api = Object.hasOwn(settings.openapi_tools, name) ? settings.openapi_tools[name] : undefined;
      if (!api) return null;
      const found = openApi(api, readFile);
      return 'problem' in found ? found : { operations: found.operations.map((operation) => operation.name) };
    },
    openApiNames: Object.keys(settings.openapi_tools),
  };
}
