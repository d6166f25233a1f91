import { consentNeeded, type FlowReach } from '#shared/contract/consent.ts';
import { FlowError } from '#shared/run/error.ts';

/** Returns the hosts that a run's tools may access. Throws `FlowError` with code `CONFIG_CONSENT_NEEDED` if consent is missing. */
export function consentedHosts({ flow_path, capabilities, unconfirmed, known }: FlowReach): string[] {
  if (unconfirmed.length === 0) return capabilities.filter(({ kind }) => kind === 'host').map(({ name }) => name);
  const what = known ? 'needs more permissions than you have allowed' : 'needs permissions';
  throw new FlowError('BuildError', `The flow ${flow_path} ${what} (${unconfirmed.join('; ')}). Nothing was run. Allow it first.`, {
    code: consentNeeded,
    details: { flow_path, unconfirmed },
  });
}
