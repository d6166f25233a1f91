import { matchesPattern } from '#shared/openapi/operation-tools.ts';
import type { ListedTool } from './workflow.ts';

/** What a workflow's project offers. */
export interface PyflowProject {
  /** `latest`: the newest PyFlow, whose projects have a `pyflow.yaml`. */
  readonly dialect: 'seed' | 'latest';
  /** Tools that the project defines in Python. */
  readonly tools: ReadonlySet<string>;
  /** The names of an API's operations, or why it cannot be called; null for a name that is no API. */
  readonly openApi: (name: string) => ProjectApi | null;
}

export type ProjectApi = { readonly operations: readonly string[] } | { readonly problem: string };

/** A project without files. */
export const emptyProject: PyflowProject = { dialect: 'seed', tools: new Set(), openApi: () => null };

/** The operations of an API that an agent lists. */
export function listedOperations(api: ProjectApi, { patterns }: ListedTool): readonly string[] {
  if ('problem' in api) return [];
  return patterns ? api.operations.filter((name) => patterns.some((pattern) => matchesPattern(name, pattern))) : api.operations;
}

/** Whether a name is a dotted one of Python, which the newest PyFlow imports. */
export function isDottedName(name: string): boolean {
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/.test(name);
}
