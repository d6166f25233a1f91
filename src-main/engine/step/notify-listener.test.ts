import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf, pure, quietContext, work } from '#main/engine/testing/flows.ts';
import { failureFrom, outputOf } from '#main/engine/testing/run-to-end.ts';
import type { RunEvent } from '#shared/run/event.ts';

const counting = flowOf([
  work(
    'A',
    'B',
    pure(({ n }: { n: number }) => ({ n: n + 1 })),
  ),
  work('B', 'C'),
]);

/** A listener that fails at every event, and what was reported about it. */
function failing(onEvent: (event: RunEvent) => void) {
  const reported: [string, RunEvent['type']][] = [];
  const onListenerError = (error: unknown, event: RunEvent) => reported.push([(error as Error).message, event.type]);
  return { reported, ctx: quietContext({ onEvent, onListenerError }) };
}

describe('a listener that fails', () => {
  it('changes nothing about the run when it throws, and is reported', async () => {
    const { reported, ctx } = failing(({ type }) => {
      throw new Error(`no ${type}`);
    });
    expect(await outputOf(counting, { n: 1 }, ctx)).toEqual({ n: 2 });
    expect(reported).toEqual(['node_enter', 'node_exit', 'node_enter', 'node_exit'].map((type) => [`no ${type}`, type]));
  });

  it('is reported when it rejects', async () => {
    const { reported, ctx } = failing(async () => {
      throw new Error('late');
    });
    expect(await outputOf(counting, { n: 1 }, ctx)).toEqual({ n: 2 });
    await new Promise(setImmediate);
    expect(reported).toHaveLength(4);
  });

  it('leaves a failed step its own failure', async () => {
    const { reported, ctx } = failing(({ type }) => {
      if (type === 'error') throw new Error('listener');
    });
    const broken = flowOf([
      work(
        'A',
        'B',
        pure(() => {
          throw new Error('the handler');
        }),
      ),
    ]);
    const failure = await failureFrom(FlowRuntime.new(broken, { n: 1 }).next(ctx));
    expect(failure.message).toContain('the handler');
    expect(reported).toEqual([['listener', 'error']]);
  });

  it('raises an uncaught error of its own where no one handles it', () => {
    const program = `
      import { notifyListener } from ${JSON.stringify(new URL('./notify-listener.ts', import.meta.url).href)};
      const caught = [];
      process.on('uncaughtException', (error) => caught.push(error.message));
      process.on('exit', () => console.log(caught.sort().join()));
      const event = { type: 'log' };
      notifyListener({ onEvent: () => { throw new Error('thrown'); } }, event);
      notifyListener({ onEvent: async () => { throw new Error('rejected'); } }, event);
      notifyListener({ onEvent: () => { throw new Error('x'); }, onListenerError: () => { throw new Error('handler'); } }, event);
    `;
    const cwd = join(import.meta.dirname, '../../..');
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd, encoding: 'utf8' })).toBe(
      'handler,rejected,thrown\n',
    );
  });
});
