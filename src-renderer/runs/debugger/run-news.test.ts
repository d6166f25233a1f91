import { describe, expect, it } from 'vitest';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { FlowError } from '#shared/run/error.ts';
import { runNews } from './run-news.ts';

const view = (change: Partial<RunView> = {}): RunView =>
  ({
    run_id: 'r',
    status: 'paused',
    seq: 1,
    timeline: [{ seq: 1, node: 'A', produced: ['B', 'C'] }],
    current: { seq: 1, states: [], consumed: [], next: 'B' },
    suspensions: [],
    error: null,
    ...change,
  }) as unknown as RunView;

const titles = (id: string) => `«${id}»`;

describe('the news of a run', () => {
  it('announce each step and the next node', () => {
    expect(runNews(view({ seq: 0 }), view(), titles)).toBe('Step 1: «A» produced B and C. Next: «B».');
    expect(runNews(null, view({ seq: 0, timeline: [] }), titles)).toBe('The run has started. Next: «B».');
    expect(runNews(view(), view(), titles)).toBeNull();
  });

  it('say what can be done with a read-only run', () => {
    expect(runNews(null, view({ read_only: true, run_id: 'run-3cf0', flow_name: 'A' }), titles)).toBe(
      'Showing run 3cf0 of A. You can view and fork it, but not continue it.',
    );
  });

  it('announce a question once', () => {
    const waiting = view({
      status: 'suspended',
      suspensions: [
        { reason: 'approval', tool_id: 'D::write_file', node: 'D', tool_call_id: 'c', value: { tool: 'write_file', input: {} }, since: 0 },
      ],
    });
    expect(runNews(view(), waiting, titles)).toBe('Waiting: write_file wants to change a file. Answer in the Inbox.');
    expect(runNews(waiting, waiting, titles)).toBeNull();
  });

  it('announce how the run ended', () => {
    expect(runNews(view({ status: 'running' }), view({ status: 'success' }), titles)).toBe('The run finished after 1 step.');
    const error = new FlowError('HandlerError', 'x is not defined', { node: 'A' }).toJSON();
    expect(runNews(view(), view({ status: 'error', error }), titles)).toBe('The run failed in «A»: x is not defined');
    expect(runNews(view({ status: 'success' }), view({ status: 'success' }), titles)).toBeNull();
  });
});
