import { isJsonObject, type Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { PlanStepMade } from '#shared/run/system-request.ts';

type Counted = Omit<PlanStepMade, 'name' | 'type' | 'output'>;

const fresh: Counted = { error: null, tool_calls: 0, tokens: 0, seconds: 0 };

/** Collects what the steps of a plan did: from the plan's progress, and from the events of each step. */
export class PlanSteps {
  #names: readonly string[] = [];
  readonly #types = new Map<string, string>();
  #results = new Map<string, Json>();
  readonly #counted = new Map<string, Counted>();

  /** Steps of the plan; null until there is a plan. */
  get total(): number | null {
    return this.#names.length > 0 ? this.#names.length : null;
  }

  /** Name of the last step that has a result. */
  get last(): string | null {
    return this.#names.findLast((name) => this.#results.has(name)) ?? null;
  }

  /** The steps in the plan's order; those that did not begin, too. */
  get list(): PlanStepMade[] {
    return this.#names.map((name) => ({
      name,
      type: this.#types.get(name) ?? 'task',
      output: this.#results.get(name) ?? null,
      ...(this.#counted.get(name) ?? fresh),
    }));
  }

  /** Reads the state that says how far the plan has come. */
  progress(state: Json | undefined): void {
    if (!isJsonObject(state ?? null)) return;
    const { steps, results } = state as Readonly<Record<string, Json | undefined>>;
    // The plan's progress lists what is left to do.
    if (Array.isArray(steps)) {
      if (steps.length > this.#names.length) this.#names = namesOf(steps);
      for (const step of steps)
        if (isJsonObject(step) && typeof step.name === 'string' && typeof step.type === 'string') this.#types.set(step.name, step.type);
    }
    if (Array.isArray(results)) {
      for (const result of results) {
        if (isJsonObject(result) && typeof result.name === 'string') this.#results.set(result.name, result.text ?? result.output ?? null);
      }
    }
  }

  /** Counts an event of a step. */
  take(event: RunEvent, name: string): void {
    const known = this.#counted.get(name) ?? fresh;
    switch (event.type) {
      case 'inference_end':
        this.#counted.set(name, { ...known, tokens: known.tokens + event.tokens_in + event.tokens_out });
        break;
      case 'tool_call':
        if (event.tool_name !== 'submit') this.#counted.set(name, { ...known, tool_calls: known.tool_calls + 1 });
        break;
      case 'node_exit':
        this.#counted.set(name, { ...known, seconds: known.seconds + event.duration_ms / 1000 });
        break;
      case 'error':
        this.failed(name, event.error);
        break;
    }
  }

  failed(name: string, error: TransferableError): void {
    this.#counted.set(name, { ...(this.#counted.get(name) ?? fresh), error });
  }
}

function namesOf(steps: readonly Json[]): string[] {
  return steps.flatMap((step) => (isJsonObject(step) && typeof step.name === 'string' ? [step.name] : []));
}
