import { compileSchema, type SchemaCheck } from '#main/engine/values/schema-validator.ts';
import type { JsonSchema } from '#shared/json.ts';
import type { NodePlan } from './node-plan.ts';

/** A state's name with its schema and the node that consumes it. */
export class StatePlan {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Its number among the flow's states, from 0. */
  readonly index: number;
  /** Null for the terminal. */
  consumer: NodePlan | null = null;
  /** Which output of the fork that produces it, from 0. Of other nodes' outputs: 0. */
  branch = 0;
  #check: SchemaCheck | undefined;

  constructor(name: string, schema: JsonSchema, index: number) {
    this.name = name;
    this.schema = schema;
    this.index = index;
  }

  /** Compiled at first use. Equal schemas have the very same check. */
  get check(): SchemaCheck {
    this.#check ??= compileSchema(this.schema);
    return this.#check;
  }
}
