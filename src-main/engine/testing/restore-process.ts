// Restores runs that another process has begun, and finishes them. One line of JSON in, one out; ends with its input.
import { createInterface } from 'node:readline';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { History } from '#shared/run/message.ts';
import type { Snapshot } from '#shared/run/snapshot.ts';
import { callToEnd, type RestOfRun } from './drive.ts';
import { quietContext } from './flows.ts';

interface Request {
  readonly graph: FlowGraph;
  readonly restores: readonly { readonly snapshot: Snapshot; readonly history: History; readonly calls: number }[];
}

const folder = process.argv[2] as string;
const ctx = quietContext({ working_dir: folder, tools: builtInTools(), models: createModelClients({ folder }) });
for await (const line of createInterface({ input: process.stdin })) {
  const { graph, restores } = JSON.parse(line) as Request;
  const rests: RestOfRun[] = [];
  for (const { snapshot, history, calls } of restores) {
    const runtime = FlowRuntime.fromSnapshot(graph, snapshot).withHistory(history);
    rests.push(await callToEnd(runtime, ctx, calls));
  }
  process.stdout.write(`${JSON.stringify(rests)}\n`);
}
