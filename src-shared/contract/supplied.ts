import { z } from 'zod';
import { toolErrorVariants } from '#shared/run/error.ts';
import { recordPlaceSchema } from '#shared/run/supplied.ts';
import { anchorSchema } from './anchor.ts';
import { json } from './common.ts';

const common = {
  id: z.string().min(1).max(100),
  /** Default: true. */
  enabled: z.boolean().optional(),
};

const pinShape = {
  ...common,
  kind: z.literal('pin'),
  /** As in the file, so one inside a nested flow holds wherever that flow runs. */
  flow: z.string().min(1),
  node: z.string().min(1),
  anchor: anchorSchema.optional(),
  /** What the node produces; of a `fork` an object with a value for each state. */
  value: json.optional(),
  /** Instead of `value`: the node is disabled, and produces what it consumes. */
  disabled: z.literal(true).optional(),
  /** Of an `either`: the state that it produces. */
  branch: z.string().min(1).optional(),
  /** The record that the value was taken from. */
  from: recordPlaceSchema.optional(),
};

/** A value in the place of what a node produces. */
export const pinSchema = z
  .object(pinShape)
  .refine(({ value, disabled }) => (value === undefined) === (disabled === true), 'a pin needs either a value or "disabled": true');
export type Pin = z.infer<typeof pinSchema>;

const errorSchema = z.union([
  z.string().min(1),
  z.strictObject({
    message: z.string().min(1),
    code: z.string().optional(),
    /** Of a tool. Default: `Other`. */
    variant: z.enum(toolErrorVariants).optional(),
    retryable: z.boolean().optional(),
  }),
]);

/** A model's answer in parts. */
export const modelTurnSchema = z.strictObject({
  text: z.string().optional(),
  reasoning: z.string().optional(),
  tool_calls: z.array(z.strictObject({ tool: z.string(), input: json.default({}) })).optional(),
  /** What the agent returns: as JSON text or as a `submit` call, whatever the agent asks for. */
  output: json.optional(),
  usage: z.strictObject({ tokens_in: z.int().nonnegative(), tokens_out: z.int().nonnegative() }).optional(),
});
export type ModelTurn = z.infer<typeof modelTurnSchema>;

function ruleSchema<Result extends z.ZodType>(result: Result) {
  return z
    .strictObject({
      /** An expression over `call.input` and what a body sees. The first rule whose expression is true answers; without one, always. */
      when: z.string().min(1).max(10_000).optional(),
      result: result.optional(),
      error: errorSchema.optional(),
      /** The answer comes after this time. In milliseconds. */
      delay_ms: z.int().nonnegative().max(600_000).optional(),
    })
    .refine((rule) => (rule.result === undefined) !== (rule.error === undefined), 'a rule needs either a result or an error');
}

const mockShape = {
  ...common,
  /** Only calls of this node, as in the file. */
  flow: z.string().min(1).optional(),
  node: z.string().min(1).optional(),
  anchor: anchorSchema.optional(),
  /** `call`: a call that no rule answers is made. Default: it is refused. */
  otherwise: z.literal('call').optional(),
};

/** Answers to the calls of a tool. */
export const toolMockSchema = z.object({
  ...mockShape,
  kind: z.literal('tool'),
  tool: z.string().min(1),
  rules: z.array(ruleSchema(json)).max(100),
});

/** Answers to the requests to a model. `model` is its URL, or `*` for every model. `call.input` is `{turn, message, messages}`. */
export const modelMockSchema = z.object({
  ...mockShape,
  kind: z.literal('model'),
  model: z.string().min(1),
  rules: z.array(ruleSchema(z.union([z.string(), modelTurnSchema]))).max(100),
});
export type ToolMock = z.infer<typeof toolMockSchema>;
export type ModelMock = z.infer<typeof modelMockSchema>;
export type Mock = ToolMock | ModelMock;
export type MockRule = Mock['rules'][number];

/** A supplied output: a pin, or a mock of a tool or model. */
export const suppliedSchema = z.discriminatedUnion('kind', [pinSchema, toolMockSchema, modelMockSchema]);
export type Supplied = z.infer<typeof suppliedSchema>;

/** Most pins and mocks of a folder. */
export const mostSupplied = 1000;
