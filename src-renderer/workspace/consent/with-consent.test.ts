import { ORPCError } from '@orpc/client';
import { expect, test } from 'vitest';
import type { Studio } from '#renderer/api/studio.ts';
import { consentNeeded, type FlowReach } from '#shared/contract/consent.ts';
import { FlowError } from '#shared/run/error.ts';
import { withConsent } from './with-consent.ts';

const reach: FlowReach = {
  flow_path: 'a.flow.yaml',
  capabilities: [{ kind: 'write', name: 'a.md', harmless: false, nodes: ['A'] }],
  unconfirmed: ['write a.md'],
  known: false,
};

/** A studio whose runs need an agreement, and what was asked of it. */
function studio() {
  const calls: string[] = [];
  let agreed = false;
  const failed = (code: string) =>
    new ORPCError('FAILED', { defined: true, status: 422, data: new FlowError('BuildError', 'no', { code }).toJSON() });
  const api = {
    runs: {
      step: async () => {
        calls.push('step');
        if (!agreed) throw failed(consentNeeded);
        return 'stepped';
      },
      pause: async () => {
        calls.push('pause');
        throw failed('ORCHESTRATION_CONFLICT');
      },
    },
    consent: {
      ofRun: async () => reach,
      confirm: async ({ keys }: { keys: string[] }) => {
        calls.push(`confirm ${keys.join()}`);
        agreed = true;
      },
    },
  };
  return { api: api as unknown as Pick<Studio, 'runs' | 'consent'>, calls };
}

test('retries a call once the user has allowed the shown capabilities', async () => {
  const { api, calls } = studio();
  const runs = withConsent(api, async (asked) => asked === reach);
  await expect(runs.step({ run_id: 'r', mode: 'into' })).resolves.toBe('stepped');
  expect(calls).toEqual(['step', 'confirm write a.md', 'step']);
});

test('fails the call after a refusal, and confirms nothing', async () => {
  const { api, calls } = studio();
  await expect(withConsent(api, async () => false).step({ run_id: 'r', mode: 'into' })).rejects.toMatchObject({ code: 'FAILED' });
  expect(calls).toEqual(['step']);
});

test('passes other failures and calls through', async () => {
  const { api, calls } = studio();
  const runs = withConsent(api, () => Promise.reject(new Error('must not ask')));
  await expect(runs.pause({ run_id: 'r' })).rejects.toMatchObject({ data: { code: 'ORCHESTRATION_CONFLICT' } });
  expect(calls).toEqual(['pause']);
});
