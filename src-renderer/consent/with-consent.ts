import { failureOf } from '#renderer/api/failure.ts';
import type { Studio } from '#renderer/api/studio.ts';
import { consentNeeded, type FlowReach } from '#shared/contract/consent.ts';
import { capabilityKey } from '#shared/flow/capabilities/capability.ts';

type Ask = (reach: FlowReach) => Promise<boolean>;

/**
 * The runs' calls; those that drive a run ask the user first where the flow can reach what nobody has agreed to, and are made again once
 * they have. Refused, they fail with the failure that asked for it: nothing has been done.
 */
export function withConsent({ runs, consent }: Pick<Studio, 'runs' | 'consent'>, ask: Ask): Studio['runs'] {
  const asking = async <T>(call: () => Promise<T>, reachOf: () => Promise<FlowReach>): Promise<T> => {
    for (;;) {
      try {
        return await call();
      } catch (thrown) {
        if (failureOf(thrown).code !== consentNeeded) throw thrown;
        const reach = await reachOf();
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
  };
  // The client makes its calls as they are asked for, so there is nothing to copy.
  return new Proxy(runs, { get: (target, name) => Reflect.get(asked, name) ?? Reflect.get(target, name) });
}

/** Exactly what was shown is agreed to. */
function keysOf({ capabilities }: FlowReach): string[] {
  return capabilities.map(capabilityKey);
}
