import { z } from 'zod';
import { agentPhases } from '#shared/run/agent-phase.ts';
import { namedStateSchema } from '#shared/run/event.ts';
import { json, transferableErrorSchema } from './common.ts';

/** The flow with which a run continues or is replayed: the original one, or the current file. */
export const flowChoiceSchema = z.enum(['recorded', 'current']);
export type FlowChoice = z.infer<typeof flowChoiceSchema>;

/** The origin of a fork. The parent may have been deleted, or be in another journal. */
export const forkOriginSchema = z.object({ run_id: z.string(), seq: z.int().nonnegative() });
export type ForkOrigin = z.infer<typeof forkOriginSchema>;

/** The origin of a fork in this folder, and what it is to its parent. */
export const runOriginSchema = forkOriginSchema.extend({
  /** It took the parent's place: the parent was edited and continued. */
  continues: z.literal(true).optional(),
  /** The matrix that it is a variant of, and the variant's name. */
  group: z.string().optional(),
  variant: z.string().optional(),
  /** It runs in a copy of the folder. */
  copy: z.literal(true).optional(),
});
export type RunOrigin = z.infer<typeof runOriginSchema>;

const atStep = z.object({ run_id: z.string(), seq: z.int().nonnegative() });

/** A new run that begins with the states of another one after record `seq`. */
export const forkRequestSchema = atStep.extend({
  /** Whole states that take another value. A name that does not wait there is added, behind the others. */
  states: z.array(namedStateSchema).default([]),
  /** Names of states that the fork does not take along. */
  drop: z.array(z.string()).default([]),
  flow: flowChoiceSchema.default('recorded'),
  /** Whether it takes the place of the original run, which the user edited and continued. */
  continues: z.boolean().optional(),
});
export type ForkRequest = z.infer<typeof forkRequestSchema>;

/** Why a run cannot begin with a snapshot: what does not fit the flow, and where in the snapshot (`/states/1/value/name`). */
export const misfitSchema = z.object({
  path: z.string(),
  /** The state concerned; null for what is no state's. */
  state: z.string().nullable(),
  message: z.string(),
});
export type Misfit = z.infer<typeof misfitSchema>;

/** One difference inside a value. `path` is a JSON Pointer; `before` or `after` is absent where there is nothing. */
export const valueChangeSchema = z.object({ path: z.string(), before: json.optional(), after: json.optional() });
export type ValueChange = z.infer<typeof valueChangeSchema>;

/** Where a run that was computed again came out differently, first of all. */
export const divergenceSchema = z.object({
  /** Record that came out differently; one past the last for a failure that was on record. */
  seq: z.int().nonnegative(),
  /**
   * `flow`: the flow does not take the run's beginning. `node`: another node fired, or in another way. `effect`: something outside would have been asked for
   * differently, not at all, or in addition. `states`, `messages`, `control`: the step's result differs. `end`: it failed, ended or continued when it had not.
   */
  what: z.enum(['flow', 'node', 'effect', 'states', 'messages', 'control', 'end']),
  /** Node of that record. */
  node: z.string().nullable(),
  /** In one sentence. */
  message: z.string(),
  /** What differs first, inside what is named above: `/Ticket/score`, `/write_file/input/path`. */
  path: z.string(),
  expected: json.optional(),
  actual: json.optional(),
});
/** The first record at which a replay comes out differently, and what differs. */
export type Divergence = z.infer<typeof divergenceSchema>;

/** How far a replay of the records before a fork agrees with them when it uses the fork's flow. */
export const firstDifferenceSchema = z.object({
  /** Records that have the same result. */
  same: z.int(),
  /** Records before the fork. Fewer are the same without a divergence if the replay took too long. */
  of: z.int(),
  /** Where it diverges; null if it does not. */
  divergence: divergenceSchema.nullable(),
});
export type FirstDifference = z.infer<typeof firstDifferenceSchema>;

/** What would come of a fork, found out without making it. */
export const forkCheckSchema = z.object({
  /** All of them. A fork is made only where there are none. */
  misfits: z.array(misfitSchema),
  /** Nodes in progress (agents between turns, waiting handlers and lists) that the chosen flow defines differently: they start over, or continue with the new definition. */
  notes: z.array(z.string()),
  /** Whether a step in progress starts over, or is dropped. */
  restarts: z.boolean(),
  /** Whether the chosen flow is another version than the one that the run was made with. */
  flow_changed: z.boolean(),
  /** Node that would fire first; null where the fork would wait, or be through. */
  next: z.string().nullable(),
  /** Only if it was asked for with `compare_past`. */
  first_difference: firstDifferenceSchema.optional(),
});
export type ForkCheck = z.infer<typeof forkCheckSchema>;

export const replayReportSchema = z.object({
  run_id: z.string(),
  flow: flowChoiceSchema,
  /** Records that came out the same. */
  steps: z.int(),
  /** Records of the run. */
  total: z.int(),
  /** Recorded effects that were handed out in place of doing anything. */
  effects: z.int(),
  divergence: divergenceSchema.nullable(),
  /** What could not be computed again, so that its recorded result was taken. */
  notes: z.array(z.string()),
});
/** What a replay found: the first divergence, or none, and how far it went. */
export type ReplayReport = z.infer<typeof replayReportSchema>;

/** One line of a comparison: aligned records of both runs. The first line is `start`: their initial states. */
export const comparedStepSchema = z.object({
  seq: z.int().nullable(),
  other_seq: z.int().nullable(),
  node: z.string(),
  kind: z.string(),
  phase: z.enum(agentPhases).optional(),
  /** In what they differ. `missing`: only one of the runs has this record. */
  differs: z.array(z.enum(['missing', 'states', 'effects', 'messages'])),
  tokens: z.int().nullable(),
  other_tokens: z.int().nullable(),
  duration_ms: z.number().nullable(),
  other_duration_ms: z.number().nullable(),
  /** Pins or mocks supplied something of the record of the first run, and of the other. */
  supplied: z.literal(true).optional(),
  other_supplied: z.literal(true).optional(),
});
/** A step of one or both compared runs, and how the two differ there. */
export type ComparedStep = z.infer<typeof comparedStepSchema>;

export const comparisonSchema = z.object({
  run_id: z.string(),
  other_run_id: z.string(),
  /** Records before these are shared: the runs are a fork and its parent, or forks of one parent. Compared from here on. */
  shared: z.object({ seq: z.int(), other_seq: z.int() }).nullable(),
  /** Lines of the whole comparison. */
  total: z.int(),
  /** Index of the first returned line. */
  from: z.int(),
  steps: z.array(comparedStepSchema),
  /** Line (counted from 0) at which the runs part; null when they are the same. */
  first_divergence: z.int().nullable(),
  /** Lines in which something differs. */
  differing: z.int(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** A whole comparison; a reader takes it page by page. */
export type WholeComparison = Omit<Comparison, 'from' | 'steps'> & { readonly steps: readonly ComparedStep[] };

const stateChangesSchema = z.object({ name: z.string(), changes: z.array(valueChangeSchema) });

/** How one effect went in two runs. */
export const comparedEffectSchema = z.object({
  key: z.string(),
  kind: z.enum(['model', 'tool', 'handler']),
  name: z.string(),
  /** Which of the runs did it. */
  in: z.enum(['both', 'first', 'second']),
  input: z.array(valueChangeSchema),
  outcome: z.array(valueChangeSchema),
});
export type ComparedEffect = z.infer<typeof comparedEffectSchema>;

/** All differences between a record of one run and a record of another. */
export const stepComparisonSchema = z.object({
  /** States that both or either produced, with what differs in them; those that are the same have no changes. */
  states: z.array(stateChangesSchema),
  effects: z.array(comparedEffectSchema),
  /** What the step added to its agent's conversation. */
  messages: z.array(valueChangeSchema),
});
export type StepComparison = z.infer<typeof stepComparisonSchema>;

/** What going back would do to one file. */
export const fileRestoreSchema = z.object({
  /** Relative to the workspace, with `/`. */
  path: z.string(),
  /** `none`: it is already as it was then. `impossible`: `note` says why. */
  action: z.enum(['write', 'create', 'remove', 'none', 'impossible']),
  /** SHA-256 (hex) of the file as it is now; null where there is none. Give it back to `restore`, which refuses when it has changed. */
  before_hash: z.string().nullable(),
  /** The same of the file as it was then. */
  after_hash: z.string().nullable(),
  /** Text as it is now and as it was then; null where there is no file, or its content is no text or too long to show. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** The file has changed since this run wrote it, and restoring would lose that change (its content is saved, so that restoring can be undone). */
  conflict: z.boolean(),
  note: z.string(),
});
export type FileRestore = z.infer<typeof fileRestoreSchema>;

export const restorePreviewSchema = z.object({
  run_id: z.string(),
  seq: z.int(),
  files: z.array(fileRestoreSchema),
  /** The restoring by this run that was made last, which can be undone; null where none was. */
  undoable: z.object({ restore_id: z.int(), seq: z.int(), restored_at: z.number() }).nullable(),
});
export type RestorePreview = z.infer<typeof restorePreviewSchema>;

/** What restoring came to, file by file. Each file is replaced whole or not at all. */
export const restoreResultSchema = z.object({
  /** By which it can be undone. */
  restore_id: z.int(),
  files: z.array(
    z.object({
      path: z.string(),
      outcome: z.enum(['restored', 'failed']),
      /** Why it failed; else null. */
      error: transferableErrorSchema.nullable(),
    }),
  ),
});
export type RestoreResult = z.infer<typeof restoreResultSchema>;

/** What is left out of a capsule, besides known secrets. */
export const redactionSchema = z.object({
  /** Names of states (`Customer`), places in states (`Customer/email`), or JSON Pointers into the capsule (`/steps/2/note`). Text found there is masked everywhere. */
  places: z.array(z.string()).default([]),
  /** Texts that are masked everywhere. */
  texts: z.array(z.string().min(1)).default([]),
});
/** What an exported run leaves out or masks. */
export type Redaction = z.infer<typeof redactionSchema>;

/** What a capsule holds: shown before it is written. */
export const capsuleContentsSchema = z.object({
  run_id: z.string(),
  flow_path: z.string(),
  flow_name: z.string(),
  status: z.string(),
  records: z.int(),
  /** Bytes of the whole file. */
  size: z.int(),
  states: z.array(z.object({ name: z.string(), times: z.int(), bytes: z.int() })),
  effects: z.array(z.object({ kind: z.string(), name: z.string(), times: z.int(), bytes: z.int() })),
  conversations: z.array(z.object({ node: z.string(), messages: z.int(), bytes: z.int() })),
  /** The flow's own files. */
  sources: z.array(z.object({ path: z.string(), bytes: z.int() })),
  /** Where something was masked (JSON Pointers into the capsule) and why: `secret OPENAI_API_KEY`, `Customer/email`, `text`. */
  masked: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Why the capsule cannot be computed again as a test; null when it can. */
  not_replayable: z.string().nullable(),
});
export type CapsuleContents = z.infer<typeof capsuleContentsSchema>;

/** Largest capsule that is opened, in bytes. */
export const capsuleLimit = 256 * 1024 * 1024;
