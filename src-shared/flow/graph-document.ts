import { type Json, type JsonObject, toJson } from '#shared/json.ts';
import type { FlowGraph, GraphNode, NodeBody } from './graph.ts';
import { kindFacts } from './node-kinds.ts';

/**
 * A graph in the form of a document, to be drawn and read: what a flow in code looks like. Handlers stand as the code of their nodes, nested flows are
 * unfolded, and an `each` node shows the name of its inner flow. It is no document that could be run or saved in the flow's place.
 */
export function documentOfGraph({ name, description, input, output, schemas, nodes, limits, parallel }: FlowGraph): JsonObject {
  return {
    pravah: 1,
    name,
    ...(description !== undefined && { description }),
    input,
    output,
    schemas: schemas as JsonObject,
    nodes: nodes.map(nodeDocument),
    limits: { ...limits },
    ...(parallel && { parallel: { ...parallel } }),
  };
}

function nodeDocument({ kind, title, note, from, to, body }: GraphNode): JsonObject {
  return {
    kind,
    ...(title !== undefined && { title }),
    ...(note !== undefined && { note }),
    from: kindFacts[kind].inputs === 'all' ? [...from] : (from[0] ?? ''),
    to: kindFacts[kind].outputs === 'one' ? (to[0] ?? '') : [...to],
    ...bodyDocument(body),
  };
}

function bodyDocument(body: NodeBody): JsonObject {
  switch (body.type) {
    case 'handler':
    case 'run':
      return { run: body.source, ...(body.tools.length > 0 && { tools: body.tools as Json }) };
    case 'expr':
      return { expr: body.source, ...(body.into !== undefined && { into: body.into }) };
    case 'tool':
      return { tool: body.tool, with: body.with, ...(body.into !== undefined && { into: body.into }) };
    case 'module':
      return { module: body.file, export: body.export, ...(body.tools.length > 0 && { tools: body.tools as Json }) };
    case 'agent':
      return { agent: toJson(body.agent), ...(body.session && { session: toJson(body.session) }) };
    case 'session':
      return { session: toJson(body.session) };
    case 'each':
      return { flow: body.flow.name, ...(body.parallel !== undefined && { parallel: body.parallel }) };
    case 'function':
    case 'builtin':
    case 'default':
    case 'suspend':
      return {};
  }
}
