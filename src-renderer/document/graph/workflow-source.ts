import { pointerSegments } from '#shared/flow/parse-flow.ts';
import { positionsOf } from '#shared/flow/source/position.ts';
import { readYaml } from '#shared/flow/source/read-yaml.ts';
import { locate } from '#shared/flow/source/source-tree.ts';

/** A part of a workflow's YAML. */
export interface WorkflowExcerpt {
  /** First line, from 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines of a workflow that a JSON Pointer names; null if it has none. */
export function workflowExcerpt(source: string, pointer: string): WorkflowExcerpt | null {
  const reading = readYaml(source, { mergeKeys: true });
  const found = reading.ok ? locate(reading.root, pointerSegments(pointer)) : undefined;
  if (!found) return null;
  const positionAt = positionsOf(source);
  const first = positionAt(found.entryStart).line;
  const last = positionAt(Math.max(found.entryStart, found.end - 1)).line;
  const lines = source.split('\n').slice(first - 1, last);
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length));
  return {
    line: first,
    text: lines
      .map((line) => line.slice(indent))
      .join('\n')
      .trimEnd(),
  };
}

/** Index of the node that a problem of a workflow is about, by the origins of the nodes; undefined if it is about none. */
export function nodeOfPointer(origins: readonly string[], pointer: string): number | undefined {
  const about = origins.findIndex((origin) => /^\/agents\/\d+/.test(origin) && (pointer === origin || pointer.startsWith(`${origin}/`)));
  return about < 0 ? undefined : about;
}
