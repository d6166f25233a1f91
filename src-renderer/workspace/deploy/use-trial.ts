import { useEffect, useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { FlowDeployment } from '#shared/contract/servers.ts';
import type { TransferableError } from '#shared/run/error.ts';

/** What a deployment would do; null while the server is asked. */
export type Trial = { readonly deployment: FlowDeployment } | { readonly failure: TransferableError } | null;

interface TrialOptions {
  readonly server: string | null;
  readonly path: string;
  readonly name: string;
  readonly allowUnsound: boolean;
  /** The flow's saved text: a trial of an older one is repeated. */
  readonly saved: string | undefined;
}

/** How long a name rests before the server is asked about it, in milliseconds. */
const pause = 300;

/** Asks a server what a deployment would do, again after each change. */
export function useTrial({ server, path, name, allowUnsound, saved }: TrialOptions): Trial {
  const [trial, setTrial] = useState<Trial>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the saved text is not read here, but decides what is deployed
  useEffect(() => {
    setTrial(null);
    if (server === null || name === '') return;
    const asked = new AbortController();
    const timer = setTimeout(() => {
      const request = { server, path, name, trial: true, allow_unsound: allowUnsound };
      studio.servers.deploy(request, { signal: asked.signal }).then(
        (deployment) => asked.signal.aborted || setTrial({ deployment }),
        (thrown: unknown) => asked.signal.aborted || setTrial({ failure: failureOf(thrown) }),
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [server, path, name, allowUnsound, saved]);
  return trial;
}
