import { failureOf } from '#renderer/api/failure.ts';
import type { Studio } from '#renderer/api/studio.ts';
import { consentNeeded, type FlowReach } from '#shared/contract/consent.ts';
import { capabilityKey } from '#shared/flow/capabilities/capability.ts';
import type { TransferableError } from '#shared/run/error.ts';

type Ask = (reach: FlowReach) => Promise<boolean>;

/**
 * Wraps the calls of runs: a call that fails because the flow has capabilities the user has not allowed asks the user, and is retried once they
 * are allowed. If the user refuses, the call fails with the original failure, and nothing has run.
 */
export function withConsent({ runs, consent }: Pick<Studio, 'runs' | 'consent'>, ask: Ask): Studio['runs'] {
  const asking = async <T>(call: () => Promise<T>, reachOf: (failure: TransferableError) => Promise<FlowReach>): Promise<T> => {
    for (;;) {
      try {
        return await call();
      } catch (thrown) {
        const failure = failureOf(thrown);
        if (failure.code !== consentNeeded) throw thrown;
        const reach = await reachOf(failure);
        if (!(await ask(reach))) throw thrown;
        await consent.confirm({ flow_path: reach.flow_path, keys: keysOf(reach) });
      }
    }
  };
  const ofRun =
    <Input extends { readonly run_id: string }, Output>(call: (input: Input) => Promise<Output>) =>
    (input: Input): Promise<Output> =>
      asking(
        () => call(input),
        () => consent.ofRun({ run_id: input.run_id }),
      );
  const asked: Partial<Studio['runs']> = {
    start: (input) =>
      asking(
        () => runs.start(input),
        () => consent.ofFlow({ path: input.flow_path, text: input.text }),
      ),
    step: ofRun(runs.step),
    continue: ofRun(runs.continue),
    resume: ofRun(runs.resume),
    // The failure says which of its runs needs consent.
    runMatrix: (input) =>
      asking(
        () => runs.runMatrix(input),
        ({ details }) => consent.ofRun({ run_id: String(details?.run_id) }),
      ),
  };
  // The client creates its calls on access, so there is nothing to copy.
  return new Proxy(runs, { get: (target, name) => Reflect.get(asked, name) ?? Reflect.get(target, name) });
}

/** Allows exactly the capabilities that were shown. */
function keysOf({ capabilities }: FlowReach): string[] {
  return capabilities.map(capabilityKey);
}
