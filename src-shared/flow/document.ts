import { z } from 'zod';
import type { Json, JsonSchema } from '#shared/json.ts';
import { aheadEffects, mostAhead } from './parallel.ts';
import { schemaNamePattern } from './schema-name.ts';
import {
  agentSessionSchema,
  eitherSessionSchema,
  forkSessionSchema,
  joinSessionSchema,
  pyflowRecordSchema,
  workSessionSchema,
} from './session.ts';

const stateName = z.string().regex(schemaNamePattern, 'a name of letters, digits and _ that does not begin with a digit');
/** Any value: what was read from a document is JSON already, and checking that again would cost most of the time. */
const json = z.unknown() as z.ZodType<Json>;
const jsonSchema = z.union([z.boolean(), z.record(z.string(), json)]) as z.ZodType<JsonSchema>;
const positive = z.number().positive();
const positiveInteger = z.int().positive();
const atOnce = positiveInteger.max(mostAhead);

const template = z.string().regex(/^\{[A-Za-z_][\w.]*\}$/, 'a value, or the template of one field: "{field}"');
/** Settings, each of which may be a template that gives it: `{field}`. */
const orFilled = <Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([key, setting]) => [key, z.union([setting, template])])) as {
    [Key in keyof Shape]: z.ZodUnion<[Shape[Key], z.ZodString]>;
  };

/** A tool that a node may call: its name, or its name with a stricter policy. */
const toolUse = z.union([z.string().min(1), z.strictObject({ use: z.string().min(1), approve: z.enum(['always', 'never']).optional() })]);

/** A tool of an agent, also with how often it may be called in a visit, and for which inputs the agent has it. */
const agentToolUse = z.union([
  z.string().min(1),
  z.strictObject({
    use: z.string().min(1),
    approve: z.enum(['always', 'never']).optional(),
    calls: positiveInteger.optional(),
    when: z.string().min(1).optional(),
  }),
]);

const forPeople = { title: z.string().optional(), note: z.string().optional() };

const body = {
  run: z.string().optional(),
  run_file: z.string().optional(),
  module: z.string().optional(),
  export: z.string().optional(),
  expr: z.string().optional(),
  tool: z.string().optional(),
  with: z.record(z.string(), json).optional(),
  into: z.string().min(1).optional(),
  tools: z.array(toolUse).optional(),
};

/** Where an agent keeps what it and others have said under a key. */
const conversation = z.strictObject({
  key: z.string().min(1).optional(),
  scope: z.enum(['visit', 'run', 'workspace']).optional(),
  busy: z.enum(['fail', 'wait']).optional(),
  wait_seconds: positive.optional(),
});

/** When and how the older part of a kept conversation is summarised. */
const summarise = z.strictObject({
  at: z.number().positive().max(1).optional(),
  keep: z.int().nonnegative().optional(),
  model: z.string().optional(),
  prompt: z.string().optional(),
  max_tokens: positiveInteger.optional(),
});

/** A check of what goes into an agent or comes out of it: an expression, or a question to a model. */
const guard = {
  name: z.string().min(1),
  expr: z.string().min(1).optional(),
  judge: z.strictObject({ model: z.string().optional(), question: z.string().min(1), min: z.number().min(0).max(1).optional() }).optional(),
};
const eitherOf = ({ expr, judge }: { readonly expr?: unknown; readonly judge?: unknown }) => (expr === undefined) !== (judge === undefined);
const inputGuard = z
  .strictObject({ ...guard, on_fail: z.enum(['fail', 'suspend']).optional() })
  .refine(eitherOf, 'either "expr" or "judge"');
const outputGuard = z
  .strictObject({ ...guard, on_fail: z.enum(['ask_again', 'fail', 'suspend']).optional() })
  .refine(eitherOf, 'either "expr" or "judge"');

const params = {
  temperature: z.number().min(0),
  max_tokens: positiveInteger,
  top_p: z.number().min(0).max(1),
  top_k: z.int().nonnegative(),
};
const limits = {
  turns: positiveInteger,
  seconds: positive,
  tool_calls: positiveInteger,
  tokens: positiveInteger,
  cost: positive,
};

const options = { options: z.record(z.string(), json) };
const conclude = { conclude: z.boolean() };

/** The settings of every agent with what its input gives filled in. */
const anyAgent = z.strictObject({
  model: z.string(),
  preamble: z.string().optional(),
  prompt: z.string().optional(),
  tools: z.array(agentToolUse).optional(),
  mode: z.enum(['structured', 'chat', 'plan', 'redundant']).optional(),
  conversation: conversation.optional(),
  memory: z.string().optional(),
  context: z
    .union([
      z.strictObject({ last: positiveInteger, summarise: summarise.optional() }),
      z.strictObject({ tokens: positiveInteger, count: z.enum(['estimate', 'provider']).optional(), summarise: summarise.optional() }),
    ])
    .optional(),
  params: z
    .strictObject({ ...params, ...options })
    .partial()
    .optional(),
  limits: z
    .strictObject({ ...limits, ...conclude })
    .partial()
    .optional(),
  // biome-ignore lint/suspicious/noThenProperty: a key of the format; nothing awaits a schema
  stall: z.strictObject({ repeats: positiveInteger.optional(), then: z.enum(['guide', 'conclude', 'fail']).optional() }).optional(),
  control: z
    .union([
      z.strictObject({ expr: z.string().min(1) }),
      z.strictObject({ run: z.string().min(1) }),
      z.strictObject({ run_file: z.string().min(1) }),
      z.strictObject({ module: z.string().min(1), export: z.string().optional() }),
    ])
    .optional(),
  trust_content: z.boolean().optional(),
  guards: z.strictObject({ input: z.array(inputGuard).optional(), output: z.array(outputGuard).optional() }).optional(),
  output: z
    .strictObject({
      repair: z.boolean().optional(),
      strict: z.boolean().optional(),
      attempts: z.int().nonnegative().optional(),
      grammar: z.string().min(1).optional(),
    })
    .optional(),
  redundant: z
    .strictObject({
      replicas: z.int().min(2).optional(),
      vote: z.enum(['majority', 'first_valid', 'judge']).optional(),
      min_agreement: z.number().min(0).max(1).optional(),
    })
    .optional(),
});

type AnyAgent = z.infer<typeof anyAgent>;

/** An agent that does the steps of one type. */
export type StepAgent = Omit<AnyAgent, 'mode' | 'conversation' | 'redundant' | 'control' | 'guards'>;
const stepAgent = anyAgent.omit({ mode: true, conversation: true, redundant: true, control: true, guards: true });

/** What does the steps of one type. `description` tells the planner what the type is for. */
export type StepType =
  | { readonly description?: string | undefined; readonly agent: StepAgent }
  | { readonly description?: string | undefined; readonly flow: string };
const stepType = z.union([
  z.strictObject({ description: z.string().optional(), agent: stepAgent }),
  z.strictObject({ description: z.string().optional(), flow: z.string().min(1) }),
]);

const fixedStep = z.strictObject({
  name: z.string().min(1),
  type: z.string().min(1).optional(),
  input: json,
  needs: z.array(z.string()).optional(),
});

/** How an agent of mode `plan` plans. Written out, since the type that zod infers would be most of the library's declarations. */
export type PlanSettings = {
  readonly max_steps?: number | undefined;
  readonly seconds_per_step?: number | undefined;
  readonly linear?: boolean | undefined;
  readonly steps?: Readonly<Record<string, StepType>> | undefined;
  readonly planner?: 'model' | { readonly flow: string } | { readonly module: string; readonly export?: string | undefined } | undefined;
  readonly fixed?: readonly z.infer<typeof fixedStep>[] | undefined;
  readonly parallel?: number | undefined;
};
const plan: z.ZodType<PlanSettings> = z
  .strictObject({
    max_steps: positiveInteger.optional(),
    seconds_per_step: positive.optional(),
    linear: z.boolean().optional(),
    steps: z.record(stateName, stepType).optional(),
    planner: z
      .union([
        z.literal('model'),
        z.strictObject({ flow: z.string().min(1) }),
        z.strictObject({ module: z.string().min(1), export: z.string().optional() }),
      ])
      .optional(),
    fixed: z.array(fixedStep).min(1).optional(),
    parallel: atOnce.optional(),
  })
  .refine(({ planner, fixed }) => planner === undefined || fixed === undefined, 'either "planner" or "fixed"')
  .refine(({ steps }) => steps === undefined || Object.keys(steps).length > 0, 'at least one type of step in "steps"');

/** The settings of an agent with what its input gives filled in. */
const agent = anyAgent.extend({ plan: plan.optional() });

/** Models by name, and the field of the input whose value is the name of the one that is used. */
const modelChoice = z
  .object({ by: z.string().min(1), else: z.string().min(1) })
  .catchall(z.string().min(1))
  .refine(
    (choice) => Object.hasOwn(choice, choice.else) && choice.else !== 'by' && choice.else !== 'else',
    '"else" names one of the models',
  );

/** The settings of an agent as a document has them: some may be templates, which its input fills. */
const writtenAgent = agent.extend({
  model: z.union([z.string(), modelChoice]),
  params: z
    .strictObject({ ...orFilled(params), ...options })
    .partial()
    .optional(),
  limits: z
    .strictObject({ ...orFilled(limits), ...conclude })
    .partial()
    .optional(),
});

export const nodeSchemas = {
  work: z.strictObject({
    kind: z.literal('work'),
    ...forPeople,
    from: stateName,
    to: stateName,
    ...body,
    session: workSessionSchema.optional(),
  }),
  either: z.strictObject({
    kind: z.literal('either'),
    ...forPeople,
    from: stateName,
    to: z.tuple([stateName, stateName]),
    ...body,
    session: eitherSessionSchema.optional(),
  }),
  fork: z.strictObject({
    kind: z.literal('fork'),
    ...forPeople,
    from: stateName,
    to: z.array(stateName),
    ...body,
    session: forkSessionSchema.optional(),
  }),
  join: z.strictObject({
    kind: z.literal('join'),
    ...forPeople,
    from: z.array(stateName),
    to: stateName,
    ...body,
    session: joinSessionSchema.optional(),
  }),
  agent: z.strictObject({
    kind: z.literal('agent'),
    ...forPeople,
    from: stateName,
    to: stateName,
    agent: writtenAgent,
    session: agentSessionSchema.optional(),
  }),
  flow: z.strictObject({ kind: z.literal('flow'), ...forPeople, flow: z.string().min(1) }),
  suspend: z.strictObject({ kind: z.literal('suspend'), ...forPeople, from: stateName, to: stateName }),
  each: z.strictObject({
    kind: z.literal('each'),
    ...forPeople,
    from: stateName,
    to: stateName,
    flow: z.string().min(1),
    parallel: atOnce.optional(),
  }),
} as const;

/** The document without its nodes, each of which is checked by the schema of its kind. */
export const documentHeadSchema = z.strictObject({
  pravah: z.literal(1),
  name: z.string(),
  description: z.string().optional(),
  pyflow: pyflowRecordSchema.optional(),
  input: stateName,
  output: stateName,
  schemas: z.record(stateName, jsonSchema),
  nodes: z.array(z.unknown()),
  limits: z
    .strictObject({
      steps: positiveInteger.optional(),
      seconds: positive.optional(),
      model_calls: positiveInteger.optional(),
      tokens: positiveInteger.optional(),
      cost: positive.optional(),
    })
    .optional(),
  parallel: z.strictObject({ ahead: atOnce.optional(), effects: z.enum(aheadEffects).optional() }).optional(),
});

export type NodeKind = keyof typeof nodeSchemas;
export const nodeKinds = Object.keys(nodeSchemas) as NodeKind[];

/** Kinds of node that the engine runs: `flow` nodes vanish by inlining. */
export type GraphNodeKind = Exclude<NodeKind, 'flow'>;
export const graphNodeKinds: readonly GraphNodeKind[] = nodeKinds.filter((kind) => kind !== 'flow');

export type DocumentNode = { [K in NodeKind]: z.infer<(typeof nodeSchemas)[K]> }[NodeKind];

/** Settings of an agent that its input gives, apart from those that are fixed: templates by key, and models by the value of a field. */
export interface SettingsByInput {
  readonly model?: { readonly by: string; readonly urls: Readonly<Record<string, string>> };
  readonly params?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

export type AgentSettings = AnyAgent & { readonly plan?: PlanSettings | undefined; readonly by_input?: SettingsByInput };
export type ToolUse = z.infer<typeof toolUse>;

/** A flow document: the content of a `*.flow.yaml` or `*.flow.json` file. */
export type FlowDocument = Omit<z.infer<typeof documentHeadSchema>, 'nodes'> & { nodes: DocumentNode[] };
