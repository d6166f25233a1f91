import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tool } from '#main/engine/ports/tool.ts';
import { Journal } from '#main/journal/journal.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { createContext } from '#main/workspace/create-context.ts';
import { openFlowText } from '#main/workspace/open-flow.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { type ExecutorOptions, RunExecutor } from './run-executor.ts';

/** A workspace with a journal for one executor test. */
export class TestWorkspace {
  readonly root: string;
  /** Real path of the workspace. */
  readonly folder: string;
  readonly journal: Journal;
  readonly events: RunEvent[] = [];
  /** Whether runs may use flows in code. */
  trusted = false;

  constructor() {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-executor-')));
    this.folder = join(this.root, 'workspace');
    mkdirSync(join(this.folder, '.pravah'), { recursive: true });
    this.journal = Journal.open(this.journalPath);
  }

  get journalPath(): string {
    return join(this.folder, '.pravah', 'runs.db');
  }

  write(name: string, content: string | Json): void {
    writeFileSync(join(this.folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** Returns executor options for this workspace. `tools` are added to the built-in ones. */
  async options(tools: readonly Tool[] = [], journal: Journal = this.journal): Promise<ExecutorOptions> {
    const { folder } = this;
    const context = await createContext({
      folder,
      tools,
      consented: true,
      trusted: this.trusted,
      settings: defaultSettings,
      models: createModelClients({ folder }),
    });
    return { journal, context, token: randomUUID(), onEvent: (event) => this.events.push(event) };
  }

  /** Starts a run of a document and returns its executor. */
  async start(document: Json, input: Json, tools: readonly Tool[] = []): Promise<RunExecutor> {
    const flow_text = JSON.stringify(document);
    const names = tools.map(({ name }) => name);
    const built = await openFlowText(flow_text, 'test.flow.json', {
      folder: this.folder,
      trusted: this.trusted,
      settings: defaultSettings,
      tools: names,
    });
    if (!built.graph) throw new Error(JSON.stringify(built.problems));
    return RunExecutor.start(await this.options(tools), { graph: built.graph, flow_path: 'test.flow.json', flow_text, input });
  }

  remove(): void {
    this.journal.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

const anything: Json = {};

/** Builds a document from nodes and states; every state accepts any value. */
export function documentOf(input: string, output: string, nodes: readonly Json[]): Json {
  const names = nodes.flatMap((node) => {
    const { from, to } = node as { from: string | string[]; to: string | string[] };
    return [from, to].flat();
  });
  return { pravah: 1, name: 'Test', input, output, schemas: Object.fromEntries(names.map((name) => [name, anything])), nodes: [...nodes] };
}
