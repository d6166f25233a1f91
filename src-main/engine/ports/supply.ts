import type { GraphNode, NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { SuppliedMark } from '#shared/run/supplied.ts';
import type { EffectOutcome } from './recorder.ts';

/** A place in a step where a host may supply a value. */
interface Point {
  /** Number of the record that the step will become. */
  readonly seq: number;
  /** Of an effect its key; of an output that is recorded as an effect of the calling run, the key of that. */
  readonly key: string;
  readonly node: GraphNode;
  /** The node's id in the run. */
  readonly id: string;
  /** What the node consumes, in the order of `from`. */
  readonly values: readonly Json[];
}

/** A node is about to run. */
export type OutputPoint = Point;

/** A tool or a model is about to be called. */
export interface CallPoint extends Point {
  readonly what: 'tool' | 'model';
  /** Name of the tool, URL of the model. */
  readonly name: string;
  readonly input: () => Json;
}

/** What is put in the place of a node's output. */
export interface SuppliedOutput {
  readonly mark: SuppliedMark;
  /** The states by their names in the graph, checked against their schemas like any output. Throws `FlowError` where the pin can't be used. */
  produced(): readonly NamedState[];
}

/** What is put in the place of a call. */
export interface SuppliedCall {
  readonly mark: SuppliedMark;
  readonly outcome: EffectOutcome;
  /** Wait this long before it. In milliseconds. */
  readonly delay_ms?: number;
}

/** Pins and mocks, as the engine asks for them: before a body runs and before an effect is claimed. */
export interface Supply {
  /** Whether a node's output is supplied: its items or phases are then not begun. */
  pins(node: GraphNode, id: string): boolean;
  output(point: OutputPoint): SuppliedOutput | undefined;
  /** Of a model, `result` is a `ModelTurn` or its text. */
  call(point: CallPoint): SuppliedCall | undefined;
}
