import type { Json, JsonObject } from '#shared/json.ts';
import { capText } from './model-text.ts';

/** Variants of a flow's failure: Pravah's own and this runtime's. */
export type FlowErrorVariant =
  | 'NotFound'
  | 'BuildError'
  | 'Invalid'
  | 'SerializeError'
  | 'DeserializeError'
  | 'SnapLoadError'
  | 'SnapStoreError'
  | 'AgentError'
  | 'Deadlock'
  | 'ResumeRequired'
  | 'UnexpectedResumption'
  | 'ResumeMismatchError'
  | 'StateConflict'
  | 'LimitExceeded'
  | 'Cancelled'
  | 'HandlerError'
  | 'Conflict'
  | 'SecretInState';

/** Variants of a tool's failure. */
export type ToolErrorVariant =
  | 'Io'
  | 'Serialize'
  | 'Deserialize'
  | 'UnknownTool'
  | 'PathEscape'
  | 'ForbiddenCommand'
  | 'Http'
  | 'Missing'
  | 'Other'
  | 'Timeout'
  | 'Denied';

/** pagantic's failure categories, in lower case. */
export type FailureCategory = 'inference' | 'tool' | 'constraint' | 'validation' | 'orchestration' | 'configuration' | 'cancellation';

interface Failure {
  /** Stable, machine-readable, `CATEGORY_SPECIFIC_ERROR`. */
  readonly code: string;
  readonly category: FailureCategory;
  readonly retryable: boolean;
  /** What is wrong, where, and what to do. */
  readonly message: string;
  readonly node: string | null;
  readonly tool_id: string | null;
  readonly details: JsonObject;
  readonly cause?: TransferableError;
}

/** The one shape in which a failure crosses IPC, HTTP, the command line and the journal. */
export type TransferableError =
  | (Failure & { readonly type: 'FlowError'; readonly variant: FlowErrorVariant })
  | (Failure & { readonly type: 'ToolError'; readonly variant: ToolErrorVariant });

type Classification = readonly [code: string, category: FailureCategory, retryable: boolean];

const flowErrors: Record<FlowErrorVariant, Classification> = {
  NotFound: ['ORCHESTRATION_NOT_FOUND', 'orchestration', false],
  BuildError: ['CONFIG_BUILD_FAILED', 'configuration', false],
  Invalid: ['CONFIG_FLOW_INVALID', 'configuration', false],
  SerializeError: ['VALIDATION_OUTPUT_INVALID', 'validation', true],
  DeserializeError: ['VALIDATION_INPUT_INVALID', 'validation', false],
  SnapLoadError: ['VALIDATION_SNAPSHOT_INVALID', 'validation', false],
  SnapStoreError: ['ORCHESTRATION_SNAPSHOT_FAILED', 'orchestration', true],
  AgentError: ['INFERENCE_ENGINE_ERROR', 'inference', true],
  Deadlock: ['ORCHESTRATION_DEADLOCK', 'orchestration', false],
  ResumeRequired: ['ORCHESTRATION_RESUME_REQUIRED', 'orchestration', false],
  UnexpectedResumption: ['ORCHESTRATION_UNEXPECTED_RESUMPTION', 'orchestration', false],
  ResumeMismatchError: ['ORCHESTRATION_RESUME_MISMATCH', 'orchestration', false],
  StateConflict: ['ORCHESTRATION_STATE_CONFLICT', 'orchestration', false],
  LimitExceeded: ['ORCHESTRATION_ITERATION_LIMIT', 'orchestration', false],
  Cancelled: ['CANCELLED_SIGNAL', 'cancellation', false],
  HandlerError: ['ORCHESTRATION_HANDLER_FAILED', 'orchestration', true],
  Conflict: ['ORCHESTRATION_CONFLICT', 'orchestration', true],
  SecretInState: ['VALIDATION_SECRET_IN_STATE', 'validation', false],
};

const toolErrors: Record<ToolErrorVariant, Classification> = {
  Io: ['TOOL_EXECUTION_FAILED', 'tool', true],
  Serialize: ['TOOL_OUTPUT_INVALID', 'tool', false],
  Deserialize: ['TOOL_INPUT_INVALID', 'tool', true],
  UnknownTool: ['TOOL_NOT_FOUND', 'tool', false],
  PathEscape: ['TOOL_PATH_ESCAPE', 'tool', false],
  ForbiddenCommand: ['TOOL_FORBIDDEN_COMMAND', 'tool', false],
  Http: ['TOOL_HTTP_FAILED', 'tool', true],
  Missing: ['TOOL_UNAVAILABLE', 'tool', false],
  Other: ['TOOL_EXECUTION_FAILED', 'tool', true],
  Timeout: ['TOOL_TIMEOUT', 'tool', true],
  Denied: ['TOOL_DENIED', 'tool', false],
};

/** All variants of a flow's failure, and of a tool's. */
export const flowErrorVariants = Object.keys(flowErrors) as readonly FlowErrorVariant[];
export const toolErrorVariants = Object.keys(toolErrors) as readonly ToolErrorVariant[];

/** What the thrower may add to a variant and a message; the rest follows from the variant. */
export interface ErrorOptions {
  readonly code?: string;
  readonly category?: FailureCategory;
  readonly retryable?: boolean;
  readonly node?: string | null;
  readonly tool_id?: string | null;
  readonly details?: JsonObject;
  readonly cause?: TransferableError;
}

function filledIn(known: ErrorOptions, options: ErrorOptions): ErrorOptions {
  return { ...options, ...known, node: known.node ?? options.node ?? null, tool_id: known.tool_id ?? options.tool_id ?? null };
}

abstract class PravahError extends Error {
  abstract readonly options: ErrorOptions;

  /** A message may contain text of a model or a tool, so it is truncated. */
  constructor(message: string, { cause }: ErrorOptions) {
    super(capText(message), cause && { cause: fromTransferable(cause) });
  }

  abstract toJSON(): TransferableError;

  /** Stable and machine-readable: `CATEGORY_SPECIFIC_ERROR`. */
  get code(): string {
    return this.toJSON().code;
  }

  get category(): FailureCategory {
    return this.toJSON().category;
  }

  /** Whether the same call may succeed if it is made again. */
  get retryable(): boolean {
    return this.toJSON().retryable;
  }

  /** The node that failed; null outside of nodes. */
  get node(): string | null {
    return this.options.node ?? null;
  }

  /** The tool call that failed (`NODE::TOOL`); null outside of tool calls. */
  get tool_id(): string | null {
    return this.options.tool_id ?? null;
  }

  /** Depends on the code: such as `path` and `keyword` of a value that does not match its schema. */
  get details(): JsonObject {
    return this.options.details ?? {};
  }

  protected failure(classification: Classification, options: ErrorOptions): Failure {
    const [code, category, retryable] = classification;
    return {
      code: options.code ?? code,
      category: options.category ?? category,
      retryable: options.retryable ?? retryable,
      message: this.message,
      node: options.node ?? null,
      tool_id: options.tool_id ?? null,
      details: options.details ?? {},
      ...(options.cause && { cause: options.cause }),
    };
  }
}

/** A failure of a flow or of the engine. Thrown inside, transferred as `toJSON()`. */
export class FlowError extends PravahError {
  override readonly name = 'FlowError';
  readonly variant: FlowErrorVariant;
  readonly options: ErrorOptions;

  constructor(variant: FlowErrorVariant, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.variant = variant;
    this.options = options;
  }

  toJSON(): TransferableError {
    return { type: 'FlowError', variant: this.variant, ...this.failure(flowErrors[this.variant], this.options) };
  }

  /** Returns the same failure with missing fields, such as `node`, filled in. */
  with(options: ErrorOptions): FlowError {
    return new FlowError(this.variant, this.message, filledIn(this.options, options));
  }
}

/** A failure of a tool. Inside an agent it becomes a `tool_result` that the model sees. */
export class ToolError extends PravahError {
  override readonly name = 'ToolError';
  readonly variant: ToolErrorVariant;
  readonly options: ErrorOptions;

  constructor(variant: ToolErrorVariant, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.variant = variant;
    this.options = options;
  }

  toJSON(): TransferableError {
    return { type: 'ToolError', variant: this.variant, ...this.failure(toolErrors[this.variant], this.options) };
  }

  /** Returns the same failure with missing fields, such as `node`, filled in. */
  with(options: ErrorOptions): ToolError {
    return new ToolError(this.variant, this.message, filledIn(this.options, options));
  }
}

/** Converts any thrown value to the transferable shape; foreign errors become a `HandlerError`. */
export function toTransferable(thrown: unknown): TransferableError {
  if (thrown instanceof FlowError || thrown instanceof ToolError) return thrown.toJSON();
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const details: Record<string, Json> = thrown instanceof Error && thrown.stack ? { stack: thrown.stack } : {};
  return new FlowError('HandlerError', message, { details }).toJSON();
}

/** Rebuilds the throwable error from its transferable shape. */
export function fromTransferable(error: TransferableError): FlowError | ToolError {
  const { type: _type, variant: _variant, message, ...options } = error;
  return error.type === 'FlowError' ? new FlowError(error.variant, message, options) : new ToolError(error.variant, message, options);
}

/**
 * Whether a caught value is a flow's failure, optionally of one variant. Also true for errors of another copy of this package.
 *
 * ```ts
 * if (isFlowError(error, 'Deadlock')) console.log(error.details);
 * ```
 */
export function isFlowError<Variant extends FlowErrorVariant = FlowErrorVariant>(
  error: unknown,
  variant?: Variant,
): error is FlowError & { readonly variant: Variant } {
  return isFailure(error, 'FlowError', variant);
}

/** Whether a caught value is a tool's failure, optionally of one variant. Also true for errors of another copy of this package. */
export function isToolError<Variant extends ToolErrorVariant = ToolErrorVariant>(
  error: unknown,
  variant?: Variant,
): error is ToolError & { readonly variant: Variant } {
  return isFailure(error, 'ToolError', variant);
}

function isFailure(error: unknown, name: string, variant: string | undefined): boolean {
  if (!(error instanceof Error) || error.name !== name || !('variant' in error)) return false;
  return variant === undefined || error.variant === variant;
}
