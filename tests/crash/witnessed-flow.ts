import type { Context } from '#main/engine/ports/context.ts';
import type { ModelClient } from '#main/engine/ports/model-client.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import { defineFlow } from '#main/sdk/builder/define-flow.ts';
import { flowTool } from '#main/sdk/builder/flow-tool.ts';
import { jsonSchema, state } from '#main/sdk/builder/state.ts';
import { createContext } from '#main/sdk/create-context.ts';
import type { Json } from '#shared/json.ts';
import type { Message, MessagePart, MessagePartOf } from '#shared/run/message.ts';
import type { WitnessClient } from './witness-client.ts';

/** What the witness did for one run, by what it was asked for: the number in its log. */
export interface Witnessed {
  readonly run: string;
  readonly steps: number;
  readonly done: Readonly<Record<string, number>>;
}

const witnessed = jsonSchema<Witnessed>({ type: 'object', required: ['run', 'done'] });
const [A, B, C] = [state('A', witnessed), state('B', witnessed), state('C', witnessed)];
const [D, E, F] = [state('D', witnessed), state('E', witnessed), state('F', witnessed)];
const [G, H, I] = [state('G', witnessed), state('H', witnessed), state('I', witnessed)];
const [X, Y, Z] = [state('X', witnessed), state('Y', witnessed), state('Z', witnessed)];

/** Names of the nodes whose step has an effect. `E` is the agent. */
export const effectNodes: ReadonlySet<string> = new Set(['C', 'E', 'G', 'H']);

const count = (value: Witnessed): Witnessed => ({ ...value, steps: value.steps + 1 });

/** A flow in which pure steps and steps with an effect follow each other in each order: handlers, two calls of a model, two calls of a tool at once, a called flow. */
export function witnessedFlow(witness: WitnessClient) {
  const doing = (what: string) => async (value: Witnessed) => {
    const number = await witness.do(`${value.run} ${what}`);
    return { ...count(value), done: { ...value.done, [what]: number } };
  };
  // Each step of the called flow has an effect, so each is on disk when it is reported.
  const inside = defineFlow({ input: X, output: Z, name: 'Inside' }).work(X, Y, doing('handler X')).work(Y, Z, doing('handler Y')).build();
  return defineFlow({ input: A, output: I, name: 'Witnessed', tools: ['witness'] })
    .work(A, B, count, { pure: true })
    .work(B, C, count, { pure: true })
    .work(C, D, doing('handler C'))
    .work(D, E, count, { pure: true })
    .agent(E, F, {
      preamble: 'Have it witnessed.',
      prompt: '{run}',
      model: 'openai://witness',
      tools: [{ use: 'witness', approve: 'never' }, flowTool(inside, { name: 'inside' })],
    })
    .work(F, G, count, { pure: true })
    .work(G, H, doing('handler G'))
    .work(H, I, doing('handler H'))
    .build();
}

/** A context whose tool and model are witnessed. */
export function witnessedContext(witness: WitnessClient): Promise<Context> {
  const tool: Tool = {
    name: 'witness',
    description: 'Does something outside',
    input_schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'], additionalProperties: false },
    effect: 'write',
    approve: 'never',
    call: (input) => witness.do(input.what as string),
  };
  const model: ModelClient = {
    complete: async ({ messages, turn }) => {
      const run = partsOf(messages, 'text').find(({ text }) => text.startsWith('run '))?.text ?? '';
      const number = await witness.do(`${run} model ${turn + 1}`);
      const [one, two, inside] = partsOf(messages, 'tool_result').map(({ result }) => result);
      const done: Json = {
        'call 1': one ?? null,
        'call 2': two ?? null,
        'model 2': number,
        ...(inside as { done?: object } | undefined)?.done,
      };
      const content =
        turn === 0
          ? [
              toolCall('witness', { what: `${run} call 1` }),
              toolCall('witness', { what: `${run} call 2` }),
              toolCall('flow:inside', { run, steps: 0, done: {} }),
            ]
          : [toolCall('submit', { run, steps: 0, done })];
      return { message: { role: 'assistant', content }, finish_reason: 'tool', usage: { tokens_in: 1, tokens_out: 1 } };
    },
  };
  return createContext({ tools: [tool], models: () => model });
}

function partsOf<T extends MessagePart['type']>(messages: readonly Message[], type: T): MessagePartOf<T>[] {
  return messages.flatMap(({ content }) => content.filter((part): part is MessagePartOf<T> => part.type === type));
}

/** A call that the model asks for; the engine names it. */
function toolCall(tool: string, input: Json): MessagePart {
  return { type: 'tool_call', tool_call_id: '', tool, input };
}
