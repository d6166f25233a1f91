import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tool } from '#main/engine/ports/tool.ts';
import type { RunContext } from '#main/engine/step/run-context.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { quietContext } from './flows.ts';

/** A folder with the real tools and scripted models; it is gone at the end of the block that declares it (`using`). */
export class TestWorkspace {
  readonly folder: string;
  readonly events: RunEvent[] = [];
  readonly context: RunContext;

  constructor(overrides: Partial<RunContext> = {}, tools: readonly Tool[] = []) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-runtime-')));
    this.context = quietContext({
      working_dir: this.folder,
      tools: new Map([...builtInTools(), ...tools.map((tool) => [tool.name, tool] as const)]),
      models: createModelClients({ folder: this.folder }),
      onEvent: (event) => this.events.push(event),
      ...overrides,
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  write(name: string, content: string): void {
    writeFileSync(join(this.folder, name), content);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** Writes a script of these turns and returns its URL. */
  script(...turns: readonly Json[]): string {
    this.write('script.json', JSON.stringify({ turns }));
    return 'script://script.json';
  }

  /** Tool calls emitted so far, each with its result: `[tool, is_error]`. */
  get calls(): (readonly [tool: string, result: Json, isError: boolean])[] {
    return this.events.flatMap((event) => (event.type === 'tool_result' ? [[event.tool_name, event.result, event.is_error] as const] : []));
  }

  count(type: RunEvent['type']): number {
    return this.events.filter((event) => event.type === type).length;
  }
}
