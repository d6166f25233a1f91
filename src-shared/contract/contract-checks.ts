import { ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from './index.ts';

type Client = ContractRouterClient<typeof contract>;

/** What any transport of the contract must do, as checks that throw when it does not. */
export interface ContractCheck {
  readonly title: string;
  readonly run: (client: Client) => Promise<void>;
}

/**
 * One list for every host: the test suites run it over a pair of ports in memory, over HTTP, and in a desktop window.
 */
export const contractChecks: readonly ContractCheck[] = [
  {
    title: 'a call is answered',
    async run(client) {
      const info = await client.app.info();
      expectThat(/^\d+\.\d+\.\d+/.test(info.version), 'the version is one', info);
    },
  },
  {
    title: 'input that misses its schema is refused with the field’s path',
    async run(client) {
      const error = await failureOf(client.app.heartbeat({ interval_ms: 1 }));
      expectThat(error.code === 'BAD_REQUEST', 'the code is BAD_REQUEST', error);
      expectThat(JSON.stringify(error.data).includes('interval_ms'), 'the issue names the field', error.data);
    },
  },
  {
    title: 'an expected failure crosses as FAILED with all its fields',
    async run(client) {
      const error = await failureOf(client.workspace.open({ folder: '/there/is/no/such/folder' }));
      expectThat(error.code === 'FAILED' && error.defined, 'it is the defined error', error);
      const failure = error.data as { type: string; variant: string; category: string; message: string; retryable: boolean };
      expectThat(failure.type === 'FlowError' && failure.variant === 'NotFound', 'it says what it is', failure);
      expectThat(failure.message.includes('/there/is/no/such/folder'), 'it says where', failure);
    },
  },
  {
    title: 'a procedure that does not exist is refused, and the connection goes on',
    async run(client) {
      const destroy: () => Promise<unknown> = Reflect.get(client.app, 'destroy');
      expectThat((await failureOf(destroy())).code === 'NOT_FOUND', 'it is not found', null);
      await client.app.info();
    },
  },
  {
    title: 'a stream delivers until its reader leaves',
    async run(client) {
      const beats: number[] = [];
      for await (const { now } of await client.app.heartbeat({ interval_ms: 10 })) {
        beats.push(now);
        if (beats.length === 5) break;
      }
      expectThat(beats.length === 5 && beats.every((beat, i) => beat >= (beats[i - 1] ?? 0)), 'five beats come in order', beats);
      await client.app.info();
    },
  },
  {
    title: 'ten streams and a hundred calls share one connection',
    async run(client) {
      const streams = await Promise.all(Array.from({ length: 10 }, () => client.app.heartbeat({ interval_ms: 10 })));
      const answers = await Promise.all(Array.from({ length: 100 }, () => client.app.info()));
      for (const stream of streams) {
        for (let count = 0; count < 3; count += 1) await stream.next();
        await stream.return(undefined);
      }
      expectThat(answers.length === 100, 'all calls are answered', answers.length);
    },
  },
  {
    title: 'a text of a megabyte with every kind of character arrives whole',
    async run(client) {
      const folder = `/there/is/no/${'ä€😀\u2028"\\\n'.repeat(100_000)}`;
      const error = await failureOf(client.workspace.open({ folder }));
      expectThat(JSON.stringify(error.data).includes('😀'), 'the text came through', error.code);
    },
  },
];

async function failureOf(call: Promise<unknown>): Promise<ORPCError<string, unknown>> {
  try {
    await call;
  } catch (thrown) {
    if (thrown instanceof ORPCError) return thrown;
    throw thrown;
  }
  throw new Error('The call should have failed.');
}

function expectThat(condition: boolean, what: string, seen: unknown): void {
  if (!condition) throw new Error(`Expected that ${what}, but saw ${JSON.stringify(seen)}.`);
}
