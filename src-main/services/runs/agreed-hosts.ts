import { consentNeeded, type FlowReach } from '#shared/contract/consent.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** The hosts that a run's tools may reach. Throws `FlowError` with code `CONFIG_CONSENT_NEEDED` while somebody must agree first. */
export function agreedHosts({ flow_path, capabilities, unconfirmed, known }: FlowReach): string[] {
  if (unconfirmed.length === 0) return capabilities.filter(({ kind }) => kind === 'host').map(({ name }) => name);
  const what = known ? 'can reach more than it could when you allowed it' : 'reaches outside of the run';
  throw new FlowError('BuildError', `The flow ${flow_path} ${what} (${unconfirmed.join('; ')}). Allow it first; nothing has been done.`, {
    code: consentNeeded,
    details: { flow_path, unconfirmed },
  });
}
