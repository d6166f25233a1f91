import type { Json, JsonSchema } from '#shared/json.ts';

/** When a controller is asked: before a model call, before the tool calls that the model asked for are made, and after them. */
export type ControlPoint = 'before_model' | 'before_tools' | 'after_tools';

/** What an agent's controller sees. */
export interface LoopState {
  readonly point: ControlPoint;
  readonly input: Json;
  /** Model calls made so far in this visit. */
  readonly turn: number;
  readonly turns_left: number;
  /** Calls made so far, by tool. */
  readonly calls: Readonly<Record<string, number>>;
  /** Of tools whose calls are limited. */
  readonly calls_left: Readonly<Record<string, number>>;
  /** Null if the number of calls is not limited. */
  readonly tool_calls_left: number | null;
  readonly tokens: number;
  /** Null where nothing limits the cost, so that it is not counted. */
  readonly cost: number | null;
  readonly seconds: number;
  /** The calls that the model asks for (`before_tools`). */
  readonly pending: readonly { readonly tool: string; readonly input: Json }[];
  /** What they gave (`after_tools`). */
  readonly results: readonly { readonly tool: string; readonly input: Json; readonly result: Json; readonly is_error: boolean }[];
  /** How many turns in a row made the same calls as the turn before, and got the same results. */
  readonly repeats: { readonly calls: number; readonly results: number };
  /** Failed calls so far. */
  readonly failures: number;
  /** What the model said last. */
  readonly last_text: string;
  /** Messages of this visit so far. */
  readonly entries: number;
  /** What the controller kept; null at first. */
  readonly state: Json;
  /** The answer to its question, where it has suspended the run. */
  readonly answer?: Json;
}

/** What a controller decides; a word alone stands for `{do: WORD}`. */
export interface Decision {
  readonly do: 'continue' | 'redirect' | 'conclude' | 'suspend' | 'abort';
  /** Told to the model in its next request alone. */
  readonly guidance?: string;
  /** Of `redirect`: the tools that the agent has from now on, a part of its list. */
  readonly tools?: readonly string[];
  /** Of `suspend`: the question, and the schema of its answer. */
  readonly value?: Json;
  readonly schema?: JsonSchema;
  /** Of `abort`. */
  readonly reason?: string;
  /** Kept for the next time, at most 64 KiB. */
  readonly state?: Json;
}

/** What an agent keeps for its controller. */
export interface ControlState {
  readonly state?: Json;
  readonly tools?: readonly string[];
  readonly guidance?: string;
  /** The calls of this turn were admitted: they are not asked about again. */
  readonly admitted?: true;
  /** The conclusion follows the calls of this turn. */
  readonly concludes?: true;
  /** Why the calls of this turn are not made. */
  readonly not_made?: string;
  readonly failures?: number;
  readonly repeats?: { readonly calls: number; readonly results: number };
  /** What the last turn called, and with which results. */
  readonly prints?: { readonly calls: string; readonly results: string };
}
