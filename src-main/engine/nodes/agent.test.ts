import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { LoadAgentLoop } from '#main/engine/step/run-context.ts';
import { flowOf, quietContext } from '#main/engine/testing/flows.ts';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';

const graph = flowOf([
  {
    kind: 'agent',
    from: ['A'],
    to: ['Z'],
    body: { type: 'agent', agent: { model: 'script://none' } },
  },
]);

/** An agent loop that answers with this value, and counts how often it is loaded. */
function answering(value: string) {
  const counts = { loads: 0, performers: 0 };
  const agentLoop: LoadAgentLoop = async () => {
    counts.loads += 1;
    return ({ outputs }) => {
      counts.performers += 1;
      return (step) => ({ type: 'finished', produced: outputs.map((state) => step.output(state, value)) });
    };
  };
  return { counts, agentLoop };
}

describe('an agent node', () => {
  it('runs with the agent loop of its context, although all contexts share the plan of the flow', async () => {
    const [one, other] = [answering('one'), answering('other')];
    const run = ({ agentLoop }: { readonly agentLoop: LoadAgentLoop }) => FlowRuntime.new(graph, 1).next(quietContext({ agentLoop }));
    expect([await run(one), await run(other), await run(one)]).toMatchObject([{ output: 'one' }, { output: 'other' }, { output: 'one' }]);
    expect([one.counts, other.counts]).toEqual([
      { loads: 1, performers: 1 },
      { loads: 1, performers: 1 },
    ]);
  });

  it('fails with BuildError in a context without an agent loop', async () => {
    const { agentLoop: _, ...context } = quietContext();
    expect(await failureFrom(FlowRuntime.new(graph, 1).next(context))).toMatchObject({
      variant: 'BuildError',
      node: 'A',
      message: expect.stringContaining('has no agent loop'),
    });
  });
});
