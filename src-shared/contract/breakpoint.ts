import { z } from 'zod';
import { anchorSchema } from './anchor.ts';
import { mostSupplied, suppliedSchema } from './supplied.ts';

const common = {
  id: z.string().min(1).max(100),
  /** Default: true. */
  enabled: z.boolean().optional(),
  /** An expression of the format that must be true. One that fails stops the run. */
  condition: z.string().min(1).max(10_000).optional(),
  /** `5`: only the fifth hit; `>=5`: from the fifth on; `%5`: every fifth. */
  hits: z
    .string()
    .regex(/^(>=|%)?[1-9]\d{0,8}$/, 'a number of hits, such as 5, >=5 or %5')
    .optional(),
  /** Logs this text and does not stop. `{states.Order.total}` is replaced by its value. */
  log: z.string().max(10_000).optional(),
  /** Only inside this node, at any depth: `orders.flow.yaml#Orders`. */
  in: z.string().min(1).optional(),
  /** Ends with its first stop. */
  once: z.boolean().optional(),
  /** Id of a breakpoint that must have been hit before. */
  requires: z.string().min(1).optional(),
};
const flow = z.string().min(1);
const atNode = { ...common, flow, node: z.string().min(1), anchor: anchorSchema.optional() };

/** A place at which a run stops. `flow` and `node` are those of the file, so one inside a nested flow holds wherever that flow runs. */
export const breakpointSchema = z.discriminatedUnion('kind', [
  /** About to fire; of an agent its first turn, with `turns` each one. */
  z.object({ ...atNode, kind: z.literal('before'), turns: z.boolean().optional() }),
  z.object({ ...atNode, kind: z.literal('after') }),
  /** The node finished and produced this state. */
  z.object({ ...atNode, kind: z.literal('branch'), state: z.string().min(1) }),
  /** `path` is a JSON Pointer: of `changed`, where the value differs from the one last written; else where there is a value. */
  z.object({
    ...common,
    kind: z.literal('state'),
    flow,
    state: z.string().min(1),
    on: z.enum(['written', 'consumed', 'changed']),
    path: z
      .string()
      .regex(/^(\/.*)?$/s, 'a JSON Pointer, such as /total')
      .optional(),
  }),
  z.object({ ...common, kind: z.literal('tool'), tool: z.string().min(1), on: z.enum(['before', 'after', 'error']) }),
  /** Each request to a model, of all agents or of one. */
  z.object({ ...common, kind: z.literal('model'), on: z.enum(['before', 'after']), flow: flow.optional(), node: z.string().optional() }),
  /** A step fails. With `tool_results` also a failed tool call that only the model sees. */
  z.object({
    ...common,
    kind: z.literal('error'),
    variant: z.string().optional(),
    category: z.string().optional(),
    flow: flow.optional(),
    node: z.string().optional(),
    tool_results: z.boolean().optional(),
  }),
]);
export type Breakpoint = z.infer<typeof breakpointSchema>;
export type BreakpointOf<K extends Breakpoint['kind']> = Extract<Breakpoint, { kind: K }>;

/** An expression that is shown at every step of a flow's runs. */
export const watchSchema = z.object({ flow, expression: z.string().min(1).max(10_000) });

/** Most breakpoints of a folder. */
export const mostBreakpoints = 1000;

/** Content of `.pravah/breakpoints.json`. */
export const debugFileSchema = z.object({
  pravah_debug: z.literal(1),
  /** Random, the same in the profile of the user who has made the file or taken it over. Others don't use the file. */
  id: z.string().min(1).max(100).optional(),
  breakpoints: z.array(breakpointSchema).max(mostBreakpoints).default([]),
  watches: z.array(watchSchema).max(mostBreakpoints).default([]),
  supplied: z.array(suppliedSchema).max(mostSupplied).default([]),
  /** Whether the studio uses them. Default: true. Commands ask for them with `--supplied`. */
  supplied_on: z.boolean().optional(),
});
export type DebugFile = z.infer<typeof debugFileSchema>;
