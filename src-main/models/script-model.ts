import { z } from 'zod';
import type { ModelClient, ModelRequest } from '#main/engine/ports/model-client.ts';
import { decodeText, readBytes } from '#main/platform/files/file-access.ts';
import { resolveReadable } from '#main/platform/files/resolve-path.ts';
import { modelTurnSchema } from '#shared/contract/supplied.ts';
import type { ModelUrl } from '#shared/flow/model-url.ts';
import { type FailureCategory, FlowError, ToolError } from '#shared/run/error.ts';
import { messageText } from './message-text.ts';
import { turnResponse } from './turn-response.ts';

/** A turn of a script: the model's answer, or the error that it fails with. With both, the answer is cut off by the error. */
const turnSchema = modelTurnSchema.extend({
  /** The turn is skipped unless the messages since the model's last turn contain this. */
  when: z.strictObject({ contains: z.string() }).optional(),
  expect: z.strictObject({ contains: z.string() }).optional(),
  error: z.strictObject({ code: z.string(), message: z.string().optional() }).optional(),
});

/**
 * A `script://` file: answers written by hand or recorded, turn by turn. `nodes` contains turns for single nodes by id, such as the replicas
 * of a redundant agent (`Ticket::replica_2`); all other nodes use `turns`.
 */
export const scriptSchema = z
  .strictObject({ turns: z.array(turnSchema).optional(), nodes: z.record(z.string(), z.array(turnSchema)).optional() })
  .refine(({ turns, nodes }) => turns || nodes, { error: 'expected "turns", "nodes" or both' });

type Turn = z.infer<typeof turnSchema>;
type Script = z.infer<typeof scriptSchema>;

/** A model that answers from a file, in order, starting after the node's last call in this run. */
export function scriptModel(model: ModelUrl, { folder }: { readonly folder: string }): ModelClient {
  const path = 'path' in model ? model.path : '';
  return {
    async complete(request) {
      request.signal.throwIfAborted();
      const script = await readScript(folder, path);
      const said = textsSinceLastTurn(request);
      const turns = turnsFor(script, request.node);
      const position = turns.findIndex(({ when }, index) => index >= request.turn && (!when || includesText(said, when.contains)));
      const turn = turns[position];
      if (!turn) throw failure(noTurnLeft(path, turns.length, script, request.node));
      checkExpectation(path, turn, position, said);
      const response = turnResponse(turn, request);
      if (turn.error) throw scriptedError(path, turn.error);
      return { ...response, next_turn: position + 1 };
    },
  };
}

/** The turns of a node: its own if the script has any, otherwise those for all nodes. */
function turnsFor({ turns = [], nodes }: Script, node: string | undefined): readonly Turn[] {
  return (node !== undefined && nodes && Object.hasOwn(nodes, node) && nodes[node]) || turns;
}

function noTurnLeft(path: string, length: number, { nodes }: Script, node: string | undefined): string {
  const count = `${length} ${length === 1 ? 'turn' : 'turns'}`;
  const whose = nodes && node !== undefined ? ` for ${node}` : '';
  return `script://${path} has ${count}${whose}, and no remaining turn matches the conversation. Add a turn to the script.`;
}

async function readScript(folder: string, path: string): Promise<Script> {
  let text: string;
  try {
    const scope = { working_dir: folder, writable: [], protected_files: new Set<string>() };
    const place = await resolveReadable(scope, path);
    const bytes = await readBytes(scope, place);
    if (!bytes) throw failure(`Script ${path} does not exist in the workspace. Write it, or record one.`);
    text = decodeText(place, bytes).replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof ToolError) throw failure(`script://${path} cannot be read: ${error.message}`);
    throw error;
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw failure(`script://${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const parsed = scriptSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw failure(`script://${path} isn't a valid script: ${issue?.path.join('.') || 'its root'}: ${issue?.message}.`);
}

function textsSinceLastTurn({ messages }: ModelRequest): string[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1).map(messageText);
}

function includesText(said: readonly string[], wanted: string): boolean {
  return said.some((text) => text.includes(wanted));
}

/** Fails if the script no longer matches the conversation. */
function checkExpectation(path: string, { expect }: Turn, position: number, said: readonly string[]): void {
  if (!expect || includesText(said, expect.contains)) return;
  const last = said.at(-1) ?? '';
  const end = JSON.stringify(last.length > 200 ? `…${last.slice(-200)}` : last);
  const message = `script://${path} is out of date: turn ${position + 1} expects a message that contains ${JSON.stringify(expect.contains)}, but the last message is ${end}.`;
  throw failure(message, 'INFERENCE_ENGINE_ERROR');
}

const categories: readonly (readonly [prefix: string, category: FailureCategory])[] = [
  ['TOOL_', 'tool'],
  ['CONSTRAINT_', 'constraint'],
  ['VALIDATION_', 'validation'],
  ['ORCHESTRATION_', 'orchestration'],
  ['CONFIG_', 'configuration'],
  ['CANCELLED', 'cancellation'],
];

function scriptedError(path: string, { code, message }: NonNullable<Turn['error']>): FlowError {
  const category = categories.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'inference';
  return new FlowError('AgentError', message ?? `script://${path} failed with ${code}, as scripted.`, {
    code,
    category,
    retryable: false,
  });
}

function failure(message: string, code = 'INFERENCE_MODEL_UNAVAILABLE'): FlowError {
  return new FlowError('AgentError', message, { code, retryable: false });
}
