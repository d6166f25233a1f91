import { Sandbox } from './sandbox.ts';

/** How many machines wait for the next run of a flow. */
const idlePerFlow = 2;

const idle = new WeakMap<object, Sandbox[]>();

/** A virtual machine that a run uses exclusively until it is released. */
export class LentSandbox {
  readonly sandbox: Sandbox;
  readonly #flow: object;
  #lent = true;

  private constructor(flow: object, sandbox: Sandbox) {
    this.#flow = flow;
    this.sandbox = sandbox;
  }

  /** One that an earlier run of this flow has released, or a new one: creating one takes as long as hundreds of steps. Flows never share one. */
  static async of(flow: object): Promise<LentSandbox> {
    return new LentSandbox(flow, idle.get(flow)?.pop() ?? (await Sandbox.create()));
  }

  /** False once it is released or its limits were exceeded. */
  get usable(): boolean {
    return this.#lent && this.sandbox.usable;
  }

  /** Gives the machine back, for the next run of the flow. */
  dispose(): void {
    if (!this.usable) return;
    this.#lent = false;
    const waiting = idle.get(this.#flow) ?? [];
    if (waiting.length < idlePerFlow) idle.set(this.#flow, [...waiting, this.sandbox]);
  }
}
