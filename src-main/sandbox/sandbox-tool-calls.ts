import type { HandlerSession } from '#main/engine/bodies/handler-session.ts';
import type { Json } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';
import type { Sandbox } from './sandbox.ts';

interface Delivery {
  readonly id: number;
  readonly ok: boolean;
  readonly result: unknown;
}

/** The tool calls of a body in one step. Their results are delivered into its virtual machine. */
export class SandboxToolCalls {
  readonly #session: HandlerSession;
  readonly #underWay = new Set<Promise<void>>();
  readonly #failures = new Map<number, Error>();
  #deliveries: Delivery[] = [];

  constructor(session: HandlerSession) {
    this.#session = session;
  }

  /** Makes a call; its number is the machine's. */
  start(id: number, name: string, input: Json): void {
    const work = this.#perform(id, name, input).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  /** Resolves to true once there is a result to deliver or the step ends here; to false if no call is pending. */
  async arrived(): Promise<boolean> {
    while (this.#deliveries.length === 0 && !this.#session.stopped) {
      if (this.#underWay.size === 0) return false;
      await Promise.race(this.#underWay);
    }
    return true;
  }

  /** Gives the body what has come. */
  deliver(sandbox: Sandbox): void {
    const deliveries = this.#deliveries;
    this.#deliveries = [];
    for (const { id, ok, result } of deliveries) sandbox.settle(id, ok, result);
  }

  /** The failure of a call that has failed. */
  failure(id: number): Error | undefined {
    return this.#failures.get(id);
  }

  async #perform(id: number, name: string, input: Json): Promise<void> {
    const answer = await this.#session.call(name, input);
    if (answer === null) return;
    if ('result' in answer) {
      this.#deliveries.push({ id, ok: true, result: answer.result });
      return;
    }
    const { error } = answer;
    this.#failures.set(id, error);
    const { variant, code } = error instanceof ToolError ? error.toJSON() : { variant: 'Other', code: '' };
    this.#deliveries.push({ id, ok: false, result: { message: error.message, variant, code } });
  }
}
