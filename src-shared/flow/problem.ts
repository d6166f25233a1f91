import { z } from 'zod';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import type { Json } from '#shared/json.ts';

/** Every code that building a flow can report (`docs/flow-format.md` explains each one). */
export const problemCodes = [
  'format',
  'duplicate_node',
  'missing_entry',
  'unreachable_node',
  'no_path_to_terminal',
  'either_same_branches',
  'fork_too_few_branches',
  'fork_duplicate_branches',
  'fork_child_unregistered',
  'join_parents',
  'join_parent_unregistered',
  'join_target_is_parent',
  'output_is_input',
  'multiple_terminals',
  'terminal_mismatch',
  'unknown_schema',
  'bad_schema',
  'missing_body',
  'bad_code',
  'bad_expr',
  'unknown_tool',
  'bad_model_url',
  'bad_conversation',
  'bad_control',
  'bad_plan',
  'flow_not_found',
  'flow_cycle',
  'needs_trust',
  'deadlock_possible',
  'improper_completion',
  'state_collision',
  'dead_node',
  'unused_schema',
  'pyflow_format',
  'pyflow_reference',
  'pyflow_name',
  'pyflow_cycle',
  'pyflow_unsupported',
  'pyflow_ignored',
  'pyflow_departs',
  'import_format',
  'import_structure',
  'import_placeholder',
  'import_departs',
  'import_ignored',
  'python_beyond',
  'python_function',
  'python_missing',
  'endless_loop',
  'shared_key',
  'cross_branch_read',
  'unwritten_key',
  'unused_agent',
] as const;

/** Firings one after the other; `branch` says which way an `either` goes. */
export const traceSchema = z.array(z.object({ node: z.string(), branch: z.string().optional() }));

const documentPath = z.array(z.union([z.string(), z.int()])).readonly();
const value = z.json() as z.ZodType<Json>;

/** A way to fix a problem: edits of the document that may be made as they are. */
export const problemFixSchema: z.ZodType<ProblemFix> = z.object({
  /** What the fix does, as a command (`Make Result the output`). */
  title: z.string(),
  edits: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('set'), path: documentPath, value }),
      z.object({ type: z.literal('remove'), path: documentPath }),
      z.object({ type: z.literal('insert'), path: documentPath, value }),
      z.object({ type: z.literal('rename_state'), from: z.string(), to: z.string() }),
    ]) satisfies z.ZodType<FlowEdit>,
  ),
});

/** A fix that the studio offers with a problem. */
export type ProblemFix = { title: string; edits: FlowEdit[] };

export type ProblemCode = (typeof problemCodes)[number];

// Written out, so that the library's declarations do not contain the schema.
/** One finding about a flow document. A flow with a problem of severity `error` does not run. */
export type Problem = {
  code: ProblemCode;
  severity: 'error' | 'warning';
  /** What is wrong, where, and how to fix it, as text. */
  message: string;
  /** Ids of the nodes concerned (a join's id is `"B+C"`). */
  nodes: string[];
  /** JSON Pointer into the document; `""` is the whole document. */
  path: string;
  /** Line in the file, from 1, of a problem of a PyFlow workflow. */
  line?: number | undefined;
  /** A firing sequence that shows an unsound flow. */
  trace?: TraceStep[] | undefined;
  /** False when `trace` is valid but perhaps not the shortest. */
  shortest?: boolean | undefined;
  /** Ways to fix it, the likeliest first. */
  fixes?: ProblemFix[] | undefined;
};

/** One firing of a soundness trace: the node that fires and, for an `either`, the branch it takes. */
export type TraceStep = { node: string; branch?: string | undefined };

export const problemSchema: z.ZodType<Problem> = z.object({
  code: z.enum(problemCodes),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  nodes: z.array(z.string()),
  path: z.string(),
  line: z.int().optional(),
  trace: traceSchema.optional(),
  shortest: z.boolean().optional(),
  fixes: z.array(problemFixSchema).optional(),
});

/** What `pravah validate --json` prints. */
export const validationReportSchema = z.object({
  valid: z.boolean(),
  problems: z.array(problemSchema),
  soundness: z.object({
    status: z.enum(['sound', 'unsound', 'unknown']),
    trace: traceSchema,
  }),
  terminals: z.array(z.string()),
  /** Number of nodes, nested flows inlined. */
  nodes: z.number().int(),
});

export type ValidationReport = z.infer<typeof validationReportSchema>;
