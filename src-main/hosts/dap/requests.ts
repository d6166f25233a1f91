import { z } from 'zod';
import { json } from '#shared/contract/common.ts';
import { lineageSubject } from '#shared/contract/lineage.ts';
import { FlowError } from '#shared/run/error.ts';

const id = z.int().nonnegative();
const thread = z.looseObject({ threadId: z.int() });
const sourceSchema = z.looseObject({ path: z.string().optional(), name: z.string().optional(), sourceReference: id.optional() });
const conditions = { condition: z.string().optional(), hitCondition: z.string().optional() };
const common = {
  folder: z.string().optional(),
  token: z.string().optional(),
  stopOnEntry: z.boolean().optional(),
  /** Files of pins and mocks, relative to the folder. */
  mock: z.union([z.string(), z.array(z.string())]).optional(),
  /** Pins and mocks; true: those of the folder. */
  supplied: z.union([z.boolean(), z.array(z.looseObject({}))]).optional(),
};

/** Arguments of each request. What they do not name is ignored, as the protocol asks. */
export const requestSchemas = {
  initialize: z.looseObject({ linesStartAt1: z.boolean().default(true), pathFormat: z.literal('path').default('path') }),
  launch: z.looseObject({
    ...common,
    program: z.string(),
    input: json.optional(),
    model: z.union([z.string(), z.array(z.string())]).optional(),
    noDebug: z.boolean().optional(),
  }),
  attach: z.looseObject({ ...common, run: z.string() }),
  restart: z.looseObject({}).optional(),
  disconnect: z.looseObject({ terminateDebuggee: z.boolean().optional() }).optional(),
  terminate: z.looseObject({}).optional(),
  configurationDone: z.looseObject({}).optional(),
  threads: z.looseObject({}).optional(),
  setBreakpoints: z.looseObject({
    source: sourceSchema,
    breakpoints: z.array(z.looseObject({ ...conditions, line: z.int(), logMessage: z.string().optional() })).default([]),
  }),
  setFunctionBreakpoints: z.looseObject({ breakpoints: z.array(z.looseObject({ ...conditions, name: z.string() })) }),
  setExceptionBreakpoints: z.looseObject({ filters: z.array(z.string()) }),
  dataBreakpointInfo: z.looseObject({ name: z.string(), variablesReference: id.optional(), frameId: id.optional() }),
  setDataBreakpoints: z.looseObject({
    breakpoints: z.array(
      z.looseObject({ ...conditions, dataId: z.string(), accessType: z.enum(['read', 'write', 'readWrite']).default('write') }),
    ),
  }),
  stackTrace: thread.extend({ startFrame: id.optional(), levels: id.optional() }),
  scopes: z.looseObject({ frameId: id }),
  variables: z.looseObject({
    variablesReference: id,
    filter: z.enum(['indexed', 'named']).optional(),
    start: id.optional(),
    count: id.optional(),
  }),
  source: z.looseObject({ source: sourceSchema.optional(), sourceReference: id }),
  exceptionInfo: thread,
  next: thread,
  stepIn: thread.extend({ targetId: id.optional() }),
  stepInTargets: z.looseObject({ frameId: id }),
  stepOut: thread,
  continue: thread,
  pause: thread,
  stepBack: thread,
  reverseContinue: thread,
  evaluate: z.looseObject({ expression: z.string(), frameId: id.optional(), context: z.string().optional() }),
  setExpression: z.looseObject({}),
  setVariable: z.looseObject({}),
  'pravah/fork': z.looseObject({ seq: id.optional() }).optional(),
  'pravah/compare': z.looseObject({ run: z.string() }),
  'pravah/lineage': z.looseObject({ ...lineageSubject, seq: id.optional() }),
  'pravah/answer': z.looseObject({ payload: json }),
} as const;

export type Command = keyof typeof requestSchemas;
export type Arguments<C extends Command> = z.output<(typeof requestSchemas)[C]>;

export function isCommand(command: string): command is Command {
  return Object.hasOwn(requestSchemas, command);
}

/** Reads the arguments of a request. Throws `FlowError` `Invalid`. */
export function readArguments<C extends Command>(command: C, args: unknown): Arguments<C> {
  const parsed = requestSchemas[command].safeParse(args);
  if (parsed.success) return parsed.data as Arguments<C>;
  const [issue] = parsed.error.issues;
  const where = issue && issue.path.length > 0 ? ` at ${issue.path.join('.')}` : '';
  throw new FlowError('Invalid', `The arguments of "${command}" are invalid: ${issue?.message ?? 'they have another form'}${where}.`);
}
